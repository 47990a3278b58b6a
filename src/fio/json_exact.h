/* fio/json_exact.h: numbers that fio's own keys cannot hold, or only rounded, as words in an option
 * of a document that iosweep wrote: "lat_p50_ns=37759.5 ...", by the names of stored columns. */
#ifndef FIO_JSON_EXACT_H
#define FIO_JSON_EXACT_H

#include "base/text.h"
#include "model/metrics.h"
#include "sink/store.h"

/* The columns of a scope, each with `before` in front: "run.window_ns, ..." */
void json_exact_columns(struct text *sql, enum metric_scope scope, const char *before);
void json_exact_write(struct text *out, const struct rows *r, enum metric_scope scope);
/* Words that name no metric of the scope, or no number, are left out. Texts point into `words`,
 * which is changed. */
void json_exact_read(struct metric_value m[METRIC_COUNT], char *words, enum metric_scope scope);

#endif
