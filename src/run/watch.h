/* run/watch.h: what the coordinator does while the jobs work: publish progress, pass a stop on,
 * and read the counters of the machine and of the device at the edges of the window. */
#ifndef RUN_WATCH_H
#define RUN_WATCH_H

#include "run/counters.h"
#include "run/pool.h"

struct watch {
	struct pool *pool;
	struct run *run;
	struct live *live;
	unsigned jobs;
	struct instruments instruments;
	uint64_t late_ns, stopped_ns; /* as in struct sample */
	struct counters from, to;     /* the window */
	struct counters idle; /* when the device had nothing more to do for the last run */
	struct device_delta
	    gap; /* from then to the start of this one, when that is long enough */
};

/* Look at the device of run->spec from now on. */
void watch_open(struct watch *w);
/* Before LANE_RUN: the counters of a window that opens at the start. */
void watch_begin(struct watch *w);
/* After it: until all jobs are done. Returns the number of jobs that were not when the drain
 * was to be given up. */
unsigned watch_run(struct watch *w);
/* All is drained, or given up: the differences into the sample. */
void watch_end(struct watch *w, struct sample *out);

#endif
