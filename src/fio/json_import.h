/* fio/json_import.h: a document of fio as runs: which of its jobs are one load, and which stand for
 * a part of one. */
#ifndef FIO_JSON_IMPORT_H
#define FIO_JSON_IMPORT_H

#include "fio/json_run.h"
#include "fio/json_scan.h"

struct json_import {
	bool sum_jobs; /* clones of one job, and the same job of several clients, are one row */
	/* Each run in order; it and what it points to are gone afterwards. Not 0: stop. */
	int (*take)(void *arg, struct json_run *run, struct err *e);
	void *arg;
	struct strlist *notes; /* what is to be said about this document; may be NULL */
};

/* Changes doc. 0, -EINVAL when the document has no job in it, or what take() returned. */
int json_import(struct json_document *doc, const struct json_import *how, struct err *e);

#endif
