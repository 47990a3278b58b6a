/* fio/json_own.h: what only our own columns tell of a run, as options of its document: "iosweep_doubts"
 * and so on. */
#ifndef FIO_JSON_OWN_H
#define FIO_JSON_OWN_H

#include <jansson.h>

#include "sink/store.h"

/* run: a row of json_stored_sql(). Doubts and notes with their reasons. */
void json_own_add(json_t *options, struct rows *run);
/* Where no description of a job says it: size and offset as they were configured, if the run had others;
 * its key is of these. */
void json_own_add_configured(json_t *options, struct rows *run);

#endif
