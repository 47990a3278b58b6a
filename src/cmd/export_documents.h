/* cmd/export_documents.h: a document of fio for each run: to stdout for one, else into a folder. */
#ifndef CMD_EXPORT_DOCUMENTS_H
#define CMD_EXPORT_DOCUMENTS_H

#include <stdbool.h>

#include "sink/store.h"

struct export_documents {
	struct store *store;
	const char *view, *where; /* where: over its columns, or NULL */
	const char *output;       /* folder; NULL or "-": stdout */
	bool bins;                /* json+ */
	bool logs;                /* per-interval logs beside each document */
	bool bench_fio;           /* names and folders as bench-fio has them */
};

/* An exit code, after saying what is wrong. */
int export_documents(const struct export_documents *d);

#endif
