/* run/pool.h: the job threads of the sweep: started when first needed, parked on a futex in
 * between, never ended before the sweep. Only the coordinator (one thread) calls these. */
#ifndef RUN_POOL_H
#define RUN_POOL_H

#include "run/lane.h"

struct pool {
	struct run *run;
	struct lane **lane;
	unsigned n, cap;
	_Alignas(CACHE_LINE) _Atomic uint32_t
	    pending; /* lanes that have not finished their command */
};

void pool_init(struct pool *p, struct run *run);
void pool_fini(struct pool *p); /* joins */

/* Have at least n threads. -EAGAIN, -ENOMEM: none more than before, so that what is left of the
 * limit serves others. */
int pool_grow(struct pool *p, unsigned n, struct err *e);

/* Give the first n lanes a command; they work on their own then. */
void pool_command(struct pool *p, unsigned n, enum lane_command command);
/* Sleep until all lanes are done with it or the monotonic time has come. True when all are
 * done. */
bool pool_wait(struct pool *p, uint64_t until_ns);
/* How many lanes are not. */
unsigned pool_pending(const struct pool *p);
/* Wait for a command that takes microseconds. */
void pool_finish(struct pool *p);

#endif
