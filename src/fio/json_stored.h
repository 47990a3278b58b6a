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

/* Lines of a log of fio: "ms, value, direction, block size, priority", a line for each second. */
enum json_log { JSON_LOG_BW, JSON_LOG_IOPS, JSON_LOG_LAT, JSON_LOGS };
const char *json_log_name(unsigned log); /* "bw" "iops" "lat"; NULL past the end */
int json_stored_log(struct text *out, struct store *s, int64_t run, enum json_log log,
                    struct err *e);

#endif
