/* fio/json_stored.h: runs of a database as the documents that fio would have printed. */
#ifndef FIO_JSON_STORED_H
#define FIO_JSON_STORED_H

#include "base/err.h"
#include "base/text.h"
#include "sink/store.h"

/* Append the query whose rows the function below takes: runs with numbers in `view` that match
 * `where` (NULL: all), in their order. It has the columns of table combination, and: run_id, repeat,
 * run_status. */
void json_stored_sql(struct text *sql, const char *view, const char *where);

/* The document of a row. `bins`: as json+. What was imported is what its document said. */
int json_stored_document(struct text *out, struct store *s, struct rows *r, bool bins,
                         struct err *e);

#endif
