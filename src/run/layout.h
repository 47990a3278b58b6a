/* run/layout.h: give a target real data: incompressible writes at big blocks and depth, then fsync. Runs in the
 * worker process. */
#ifndef RUN_LAYOUT_H
#define RUN_LAYOUT_H

#include "base/err.h"
#include "run/spec.h"
#include "run/target.h"

struct layout {
	char path[PATH_MAX];
	struct target_made made; /* tasks that create and remove: what is known of it */
	uint64_t dev, ino;      /* identity to find again; 0: not checked */
	uint32_t on_major, on_minor; /* the device that it lies on, 0:0: unknown; for who watches */
	uint64_t size_bytes;    /* lay out [0, size_bytes) */
	bool block_device;      /* fill of a device: O_DIRECT where possible ... */
	uint32_t major, minor;  /* ... and its identity to find again ... */
	uint64_t diskseq;       /* ... 0: not checked */
	bool whole;             /* fill: write all of it; else only what is missing, holed or unwritten (files we made) */
	uint64_t seed;
};

/* Progress goes to live->layout_done; live->stop ends it early with -EINTR. */
int layout_run(const struct layout *l, struct live *live, struct err *e);

#endif
