/* run/granted.h: what a run really had: of the engine, the clock, buffers, CPUs and the device's
 * queue. */
#ifndef RUN_GRANTED_H
#define RUN_GRANTED_H

#include "run/pool.h"

/* "key=value key=value" into out->effective, after the first n lanes have run; 0: some have not come back, and
 * what their engines say is left out. Also their polls, and out->cpus_milli is no more than the run allowed. */
void granted(struct sample *out, const struct run *run, const struct pool *p, unsigned n);

#endif
