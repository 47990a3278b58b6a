/* run/gather.h: the tallies of the jobs made into one sample. */
#ifndef RUN_GATHER_H
#define RUN_GATHER_H

#include "run/pool.h"

/* When the first job's window opened and the last one's ended; 0, 0: none did. */
struct window {
	uint64_t from_ns, to_ns;
};
struct window gather_window(const struct pool *p, unsigned n);

/* Merge the first n lanes. Fills all of `out` but what the coordinator observes itself: device,
 * system CPU, wall time, flush, effective. May fold the series of the lanes. */
void gather(struct sample *out, struct pool *p, unsigned n);

#endif
