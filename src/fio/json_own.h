/* fio/json_own.h: options that iosweep adds to those of fio in a document, for what only it knows:
 * "iosweep_doubts" and so on. One table has their names and what reads each. */
#ifndef FIO_JSON_OWN_H
#define FIO_JSON_OWN_H

#include <stdbool.h>

#include <jansson.h>

#include "model/imported.h"
#include "sink/store.h"

struct json_options;

/* From 0 on those of the ops, by row_op_name(): numbers as json_exact.h has them. */
enum json_own {
	JSON_OWN_RUN = ROW_OPS, /* the same of the run; stands in all that iosweep wrote itself */
	JSON_OWN_DOUBTS,
	JSON_OWN_NOTES,
	JSON_OWN_WHY, /* the reasons of both */
	JSON_OWN_SIZE,
	JSON_OWN_OFFSET, /* as configured, where the options have what came of it */
	JSON_OWN_STATUS,
	JSON_OWN_CLONE,
	JSON_OWN_CLIENT,
	JSON_OWN_JOB,  /* what tells jobs of the same options apart */
	JSON_OWN_NOTE, /* for people: what fio's own keys stand for */
	JSON_OWN_COUNT
};

/* Is the option one of these, or of a later iosweep? fio has none that begins so. */
bool json_own_is(const char *option);
/* Borrowed; NULL: it is not there. */
const char *json_own_get(const json_t *options, enum json_own which);
void json_own_set(json_t *options, enum json_own which, const char *value);
/* Take what the option says; any other option is left alone. */
void json_own_read(struct json_options *o, const char *option, const char *value);

/* run: a row of json_stored_sql(). Doubts and notes with their reasons. */
void json_own_add(json_t *options, struct rows *run);
/* Where no description of a job says it: size and offset as they were configured, if the run had others;
 * its key is of these. */
void json_own_add_configured(json_t *options, struct rows *run);
/* What the row has of an op, or of the run (JSON_OWN_RUN), exactly. */
void json_own_add_exact(json_t *options, const struct rows *r, enum json_own which);

#endif
