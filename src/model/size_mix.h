/* model/size_mix.h: I/Os of several sizes: fio's bssplit and bsrange, and a size per direction.
 */
#ifndef MODEL_SIZE_MIX_H
#define MODEL_SIZE_MIX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/rng.h"

#define SIZE_MIX_MAX 64 /* sizes of one direction, as in fio */

enum { SIZES_READ, SIZES_WRITE, SIZES_TRIM, SIZES_COUNT };

/* The sizes of one direction. A range holds all multiples of its smallest. */
struct size_mix {
	uint32_t min, max; /* bytes */
	unsigned n;        /* sizes; 0: none is given; range: multiples */
	bool range;
	uint32_t len[SIZE_MIX_MAX];
	uint64_t below[SIZE_MIX_MAX]; /* a draw of 32 bits below it, and not below the one
	                                 before, is len[] */
};

/* "4k/60:16k/40" (percent of the I/Os; blank: an equal part of what the others leave), or
 * "4k-16k"; several directions, read, write and trim, by commas: one that is left out is as the
 * one before. -EINVAL or -ERANGE, with what is allowed in e. */
int size_mix_parse(const char *text, struct size_mix mix[SIZES_COUNT], struct err *e);

/* The same in bytes, in one way. */
int size_mix_canonical(const char *text, char *buf, size_t size, struct err *e);

/* The only size, or 0 when there are several. */
static inline uint32_t size_mix_single(const struct size_mix *m)
{
	return m->min == m->max ? m->min : 0;
}

/* Bytes of an I/O, on average. */
double size_mix_mean(const struct size_mix *m);

struct job;

/* Of all I/Os of a job. */
struct size_span {
	uint64_t min, max; /* bytes */
	uint64_t grain;    /* every size is a multiple of it */
};

/* Over the directions that the job does; mix NULL: all I/Os have job->bs. */
struct size_span size_span(const struct job *job, const struct size_mix mix[SIZES_COUNT]);

static inline uint32_t size_mix_draw(const struct size_mix *m, struct rng *r)
{
	uint64_t x = rng_next(r) >> 32;
	unsigned i = 0;

	if (m->range)
		return m->min * (uint32_t)(1 + (x * m->n >> 32));
	while (x >= m->below[i])
		i++;
	return m->len[i];
}

#endif
