/* fio/json_latency.h: the latencies of one direction. */
#ifndef FIO_JSON_LATENCY_H
#define FIO_JSON_LATENCY_H

#include <jansson.h>

#include "model/hist.h"
#include "model/metrics.h"

#define FIO_TOP_NS UINT64_C(17112760320) /* midpoint of its last bucket: everything longer */

/* The metrics of `lat_ns`; percentiles of it, or of `clat_ns`, which leaves the time of the
 * submission out: then *completion is set. *hist: from the bins beside the percentiles, owned by
 * the caller; NULL: there are none, or they contradict the rest. */
void json_latency_read(struct metric_value m[METRIC_COUNT], json_t *direction,
                       struct hist **hist, bool *completion);
/* Is a percentile one that fio's histogram ended at? */
bool json_latency_saturated(const struct metric_value m[METRIC_COUNT]);

#endif
