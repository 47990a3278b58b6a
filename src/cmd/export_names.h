/* cmd/export_names.h: names of files for runs: what they are, each another. */
#ifndef CMD_EXPORT_NAMES_H
#define CMD_EXPORT_NAMES_H

#include "model/axis.h"
#include "sink/store.h"

/* A name in two parts: a folder ("" or with its slash) and a file without its ending. */
struct export_name {
	char *folder, *file;
	int64_t run;
};

struct export_names {
	struct export_name *name; /* in the order of the runs */
	size_t n, cap;
	bool bench_fio;
	bool varies[AXIS_COUNT];
};

/* sql: of json_stored_sql(). 0 or -errno; to be ended. */
int export_names_load(struct export_names *names, struct store *s, const char *sql, struct err *e);
void export_names_fini(struct export_names *names);

#endif
