/* fio/json_number.h: numbers out of a document of fio: missing, negative or too large is "not
 * there", never 0, except where it says so. */
#ifndef FIO_JSON_NUMBER_H
#define FIO_JSON_NUMBER_H

#include <jansson.h>

#include "model/metrics.h"

/* o may be NULL or no object. */
bool json_number_count(const json_t *o, const char *key, uint64_t *value);
bool json_number_real(const json_t *o, const char *key, double *value);
/* 0 where it is not there: a term that adds nothing. */
double json_term(const json_t *o, const char *key);
/* The same as the value of a metric, in its kind. */
struct metric_value json_number_metric(enum metric_kind kind, const json_t *o, const char *key);
struct metric_value json_number_integer(uint64_t v);
struct metric_value json_number_of(double v); /* not measured when it is not finite */

/* v x 1000 by its digits: 478737.47 us are 478737470 ns and no fraction more. */
double json_number_thousand(double v);

#endif
