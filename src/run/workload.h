/* run/workload.h: what one job does next: direction and offset, decided without a bitmap or a
 * lock; without a float as well, but for the distributions of run/draw.h and for poisson rates.
 */
#ifndef RUN_WORKLOAD_H
#define RUN_WORKLOAD_H

#include "base/branch.h"
#include "base/err.h"
#include "run/permute.h"
#include "run/spec.h"
#include "run/walk.h"

struct region {
	uint64_t start, bytes; /* in the file */
};

struct workload {
	uint64_t read_below; /* a 32-bit draw below this is a read: 0 never, 2^32 always */
	uint64_t start, blocks, bs;
	uint64_t next[OP_TRIM + 1]; /* sequential: block of the next one, by op */
	uint64_t left;              /* I/Os still to hand out; UINT64_MAX: no end */
	bool random, mixed;
	bool walks;           /* anything but whole passes in blocks of one size: see `walk` */
	uint8_t only;         /* enum op: where it is not mixed */
	struct permute order; /* random: shared by both directions */
	struct rng direction;
	struct walks walk;
};

/* Bytes of the largest I/O that jobs do. */
uint64_t workload_bs_max(const struct run_spec *spec);
/* Bytes of an I/O, on average. */
uint64_t workload_bs_mean(const struct run_spec *spec);
/* Every offset and length is a multiple of it. */
uint64_t workload_grain(const struct run_spec *spec);

/* The region of a job, inside region_bytes and target_bytes: whole blocks, or where I/Os have
 * several sizes whole multiples of what these are multiples of. -EINVAL when not one I/O of the
 * largest size fits. */
int workload_region(struct region *r, const struct run_spec *spec, unsigned job, struct err *e);

/* Bytes of the target that all jobs together work on, each counted once. 0 for an impossible
 * spec. */
uint64_t workload_bytes(const struct run_spec *spec);

int workload_init(struct workload *w, const struct run_spec *spec, unsigned job, struct err *e);

static inline uint64_t workload_step(struct workload *w, unsigned op)
{
	uint64_t block = w->next[op];

	w->next[op] = block + 1 < w->blocks ? block + 1 : 0;
	return block;
}

/* The direction of the next I/O. */
static inline unsigned workload_op(struct workload *w)
{
	if (w->mixed)
		return rng_next(&w->direction) >> 32 < w->read_below ? OP_READ : OP_WRITE;
	return w->only;
}

/* Set op, offset of the next I/O in that direction. The caller checked that w->left > 0. */
static inline __attribute__((always_inline)) void workload_place(struct workload *w,
                                                                 unsigned op, struct io *io)
{
	io->op = (uint8_t)op;
	if (unlikely(w->walks)) {
		w->left = walk_next(&w->walk, io) ? w->left - 1 : 0;
		return;
	}
	io->len = (uint32_t)w->bs;
	io->offset =
	    w->start + (w->random ? permute_next(&w->order) : workload_step(w, op)) * w->bs;
	w->left--;
}

enum workload_stream {
	STREAM_ORDER,
	STREAM_DIRECTION,
	STREAM_DATA,
	STREAM_STAMP,
	STREAM_GAPS,
	STREAM_WALK
};

/* An independent seed for each stream of each job. */
uint64_t workload_seed(const struct run_spec *spec, unsigned job, enum workload_stream stream);

#endif
