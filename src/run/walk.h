/* run/walk.h: where the I/Os of a job go and how long they are when they are not whole passes
 * in blocks of one size. What kind of walk it is is decided once per run. */
#ifndef RUN_WALK_H
#define RUN_WALK_H

#include "engine/engine.h"
#include "model/size_mix.h"
#include "run/draw.h"

/* Of one direction. All offsets are within the region. */
struct walk {
	uint64_t next;              /* where its last I/O ended; sequential, before the first: a step
	                             * before where it begins */
	const struct size_mix *mix; /* NULL: all I/Os have `len` bytes */
	uint32_t len;
	uint64_t align; /* random offsets are multiples of it */
	uint64_t run;   /* I/Os that still follow the last jump */
};

struct walks {
	uint64_t start, bytes; /* the region */
	uint64_t left_bytes;   /* that are still to be transferred; UINT64_MAX: no end */
	uint64_t min_len;      /* fewer are too few for another I/O */
	int64_t step;          /* sequential: bytes from the end of an I/O to the next */
	uint64_t run;          /* random: I/Os from one jump to the next; 0: each jumps */
	uint64_t jump_below;   /* random: a 32-bit draw below it jumps; 2^32: always */
	bool random;
	struct walk of[2];      /* read, write */
	struct draw draw[2];    /* blocks of `align` ... */
	unsigned draw_of[2];    /* ... for each direction: one for both where they are alike */
	struct rng rng;         /* of sizes and jumps */
};

/* Set offset and len of the next I/O, whose op is set. False: it is the last one. */
bool walk_next(struct walks *w, struct io *io);

#endif
