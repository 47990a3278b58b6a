/* run/watch.h: what the coordinator does while the jobs work: publish progress, pass a stop on,
 * and read the counters of the machine and of the device at the edges of the window. */
#ifndef RUN_WATCH_H
#define RUN_WATCH_H

#include "host/facts.h"
#include "run/pool.h"

struct counters {
	uint64_t at_ns; /* 0: not read */
	bool device_ok, cpu_ok;
	struct device_stat device;
	struct cpu_stat cpu;
};

struct watch {
	struct pool *pool;
	struct run *run;
	struct live *live;
	unsigned jobs;
	int device_fd; /* -1: no device to look at */
	struct counters from, to;
};

/* Before LANE_RUN: the counters of a window that opens at the start. */
void watch_begin(struct watch *w);
/* After it: until all jobs are done. Returns the number of jobs that were not when the drain
 * was to be given up. */
unsigned watch_run(struct watch *w);
/* The differences into the sample. */
void watch_end(const struct watch *w, struct sample *out);

#endif
