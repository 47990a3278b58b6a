/* host/rings.h: kernel threads that work for the rings of this process. */
#ifndef HOST_RINGS_H
#define HOST_RINGS_H

#include <stdint.h>

struct ring_threads {       /* of those that live now */
	uint64_t poll_ns;   /* CPU time of the pollers of submission queues, iou-sqp-* */
	uint64_t work_ns;   /* CPU time of the workers for what would block, iou-wrk-* ... */
	uint64_t work_runs; /* ... and how often they ran */
};

/* 0 or -errno. */
int ring_threads_read(struct ring_threads *out);

#endif
