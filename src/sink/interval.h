/* sink/interval.h: questions to the table `interval`: what each op of a run did in each second. */
#ifndef SINK_INTERVAL_H
#define SINK_INTERVAL_H

#include "base/err.h"
#include "sink/store.h"

/* What a row says, as SQL; len_ms > 0. The columns may be the sums over several rows. Latencies
 * are NULL where no I/O completed. */
#define INTERVAL_IOPS        "ios * 1000.0 / len_ms"
#define INTERVAL_BW_KIB_S    "bytes / 1.024 / len_ms"
#define INTERVAL_BW_MIB_S    "bytes * 1000.0 / len_ms / 1048576"
#define INTERVAL_LAT_MEAN_NS "CASE WHEN ios > 0 THEN 1.0 * lat_sum_ns / ios END"
#define INTERVAL_LAT_MEAN_US "CASE WHEN ios > 0 THEN lat_sum_ns / 1000.0 / ios END"

/* How many of them a run has of one op. */
int interval_count(int64_t *n, struct store *s, int64_t run, int64_t op, struct err *e);

/* A row for every `each` neighbours, in their order: the middle in s, IOPS, mean latency in us, and
 * the length in s. The caller closes them. */
enum { INTERVAL_MIDDLE, INTERVAL_RATE, INTERVAL_LATENCY, INTERVAL_LENGTH };
int interval_course(struct rows **out, struct store *s, int64_t run, int64_t op, int64_t each,
                    struct err *e);

/* In KiB/s, as fio's bw_min, bw_max, bw_mean, bw_dev and bw_samples: over whole intervals alone, and
 * over those in which something moved. All 0 when there is none. */
struct interval_bandwidth {
	int64_t min, max;    /* rounded */
	double mean, stddev; /* of samples, not of a population; 0 for one */
	int64_t samples;
};
int interval_bandwidth(struct interval_bandwidth *out, struct store *s, int64_t run, int64_t op,
                       struct err *e);

#endif
