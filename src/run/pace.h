/* run/pace.h: when the I/Os of a job with a rate are to start. The schedule goes on whatever the
 * device does: what cannot start in time waits its turn, and counts from when it should have
 * started. A direction without a rate starts whenever there is room. */
#ifndef RUN_PACE_H
#define RUN_PACE_H

#include "base/rng.h"
#include "run/spec.h"

#define PACE_LINES 2 /* reads, writes: indexed by op */
#define PACE_NEVER UINT64_MAX

struct pace_line {
	bool used;        /* the pattern has this direction */
	bool bytes;       /* the rate counts bytes, not I/Os */
	uint64_t rate;    /* per second; 0: none */
	uint64_t next_ns; /* when the next I/O is to start ... */
	uint64_t rest;    /* ... and this many rate-ths of a ns later */
};

struct pace {
	struct pace_line line[PACE_LINES];
	bool poisson;
	struct rng gaps;
};

/* Of one of the spec->job.numjobs jobs on a target. */
void pace_init(struct pace *p, const struct run_spec *spec, unsigned job);
/* All jobs of the run start then. */
void pace_begin(struct pace *p, uint64_t start_ns);
/* When the next I/O may start: 0 when a direction has no rate. */
uint64_t pace_due(const struct pace *p);
/* The direction of the I/O to start now, the one that is due longest first; -1: none is due.
 * *due_ns: when it should start; 0: no rate says so. */
int pace_next(const struct pace *p, uint64_t now_ns, uint64_t *due_ns);
/* An I/O of that direction and length starts: plan the one after it. */
void pace_step(struct pace *p, int op, uint32_t len);
/* How many I/Os should have started by now, if all have this length. */
uint64_t pace_waiting(const struct pace *p, uint64_t now_ns, uint32_t len);

#endif
