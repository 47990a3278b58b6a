/* sink/store_import.h: runs that another program measured, into a database of their own kind, in
 * one transaction. */
#ifndef SINK_STORE_IMPORT_H
#define SINK_STORE_IMPORT_H

#include "sink/store.h"

/* Is it a database of imports? Others hold a sweep, and are not added to. */
bool store_is_import(struct store *s);
/* A new one, of this name; -EEXIST and so on as store_create(). Open for writing. */
int store_create_import(struct store **out, const char *path, const char *name, struct err *e);

struct store_import; /* one transaction */
/* s outlives it. */
int store_import_begin(struct store_import **out, struct store *s, struct err *e);
/* 1: rows of this document (its hash) are there already, 0: they are not, -errno. */
int store_import_has(struct store_import *im, const char *document, struct err *e);
/* 1: the combination of this key is there with another label, 0: it is not, -errno. */
int store_import_others(struct store_import *im, const struct combination_key *key,
                        const char *label, struct err *e);
/* r->imported is set; run_id, repeat and attempt are given here. */
int store_import_put(struct store_import *im, struct record *r, struct err *e);
/* Ends it: all of it, durable, with a column in the views for each axis that varies; or, without
 * `keep`, nothing of it. NULL is ended already. */
int store_import_end(struct store_import *im, bool keep, struct err *e);

#endif
