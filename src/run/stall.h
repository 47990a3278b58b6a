/* run/stall.h: has the task that a worker does hung? Judged by what it publishes, and in a
 * flush by what its device completes. */
#ifndef RUN_STALL_H
#define RUN_STALL_H

#include "base/err.h"
#include "run/spec.h"

struct stall {
	uint64_t timeout_ns;   /* this long without progress */
	uint64_t limit_ns;     /* ramp + runtime + timeout, from the start of I/O; 0: none */
	uint32_t major, minor; /* the device worked on; 0:0: unknown */

	/* private */
	uint64_t floor_ns;      /* nothing before it counts */
	uint64_t started_ns;    /* when I/O began */
	uint64_t done, done_ns; /* the last progress seen of a layout or flush */
	int device_fd;          /* -1: not open */
	bool device_tried;
};

void stall_begin(struct stall *s);
void stall_end(struct stall *s);
/* The watcher itself was held up until now: what it sees may be as old. */
void stall_forgive(struct stall *s);
/* -ETIMEDOUT with the sentence when the task hangs. A drain is left to stall_drain(). */
int stall_check(struct stall *s, const struct live *live, struct err *e);
/* The window is complete, so the run stays what it is; but its last I/Os do not come back. */
bool stall_drain(const struct stall *s, const struct live *live);

#endif
