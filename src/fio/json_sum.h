/* fio/json_sum.h: the jobs of one load as one, as fio's group_reporting would print them. */
#ifndef FIO_JSON_SUM_H
#define FIO_JSON_SUM_H

#include <jansson.h>

/* Add `job` to `sum`, both modern (json_modern); `job` is left as it is. Counts are added; rates are those of the sum over
 * the longest runtime; means and deviations are pooled exactly; percentiles go, unless both have
 * bins; so does all that is of one job alone. */
void json_sum(json_t *sum, json_t *job);

#endif
