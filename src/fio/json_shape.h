/* fio/json_shape.h: a latency histogram in fio's own buckets, percentiles and shares. */
#ifndef FIO_JSON_SHAPE_H
#define FIO_JSON_SHAPE_H

#include <jansson.h>

#include "model/percentiles.h"

/* "percentile": those of the list, without those that there are too few samples for; h->n > 0. */
json_t *json_shape_percentiles(const struct hist *h, const struct percentiles *list);
/* "bins" of json+: 64 buckets per octave, by their midpoints; each is exactly two of ours. */
json_t *json_shape_bins(const struct hist *h);
/* Put latency_ns, latency_us and latency_ms into a job: shares of all I/Os, in %. */
void json_shape_shares(json_t *job, const struct hist *h);

#endif
