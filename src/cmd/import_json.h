/* cmd/import_json.h: the documents of one file into the database. */
#ifndef CMD_IMPORT_JSON_H
#define CMD_IMPORT_JSON_H

#include "base/text.h"
#include "sink/store_import.h"

struct import_json {
	struct store *store;  /* NULL: not opened yet */
	struct store_import *import;
	const char *create;   /* to be made when there is something to store */
	char *name;           /* of the sweep */
	bool created, sum_jobs;
	struct strlist problems, notes; /* of the last file: sentences without its name */
};

struct import_count {
	size_t documents, runs;
	size_t again; /* documents that were there already */
	bool unread;  /* the file could not be read, which is its one problem */
};

/* What cannot be read, or is no document, is a problem; all others are stored. -errno: the database
 * failed; -EINTR: a signal asks to stop. */
int import_json_file(struct import_json *im, const char *path, struct import_count *count,
                     struct err *e);

#endif
