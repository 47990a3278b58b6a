/* run/granted.h: what a run really had: of the engine, the clock, buffers, CPUs and the device's
 * queue. */
#ifndef RUN_GRANTED_H
#define RUN_GRANTED_H

#include "run/pool.h"

/* "key=value key=value" into out->effective, after the first n lanes have run. */
void granted(struct sample *out, const struct run *run, const struct pool *p, unsigned n);

#endif
