/* run/gather.h: the tallies of the jobs made into one sample. */
#ifndef RUN_GATHER_H
#define RUN_GATHER_H

#include "run/pool.h"

/* Merge the first n lanes. Fills all of `out` but what the coordinator observes itself: device,
 * system CPU, wall time, flush, effective. May fold the series of the lanes. */
void gather(struct sample *out, struct pool *p, unsigned n);

#endif
