/* sink/interval.h: questions to the table `interval`: what each op of a run did in each second. */
#ifndef SINK_INTERVAL_H
#define SINK_INTERVAL_H

#include "base/err.h"
#include "sink/store.h"

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
