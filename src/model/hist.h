/* model/hist.h: log-linear latency histogram. Nanoseconds; linear below 256, then 128 buckets per octave up
 * to 2^41 ns (36 min), so a value is off by at most 1/256 (0.4 %). Fixed memory; merging is addition. */
#ifndef MODEL_HIST_H
#define MODEL_HIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define HIST_SUB_BITS 7
#define HIST_TOP_BITS 41
#define HIST_BUCKETS ((HIST_TOP_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS) /* 4480 */

struct hist {
	uint64_t n, sum, min, max; /* exact; min and max are 0 when n is 0; sum saturates */
	uint64_t overflow;         /* values >= 2^41 ns: counted in n, sum, min, max, in no bucket */
	uint64_t bucket[HIST_BUCKETS];
};

static inline unsigned hist_index(uint64_t v) /* v < 2^HIST_TOP_BITS */
{
	unsigned e = 63u - (unsigned)__builtin_clzll(v | 128);

	return v < 256 ? (unsigned)v : ((e - 7) << 7) + (unsigned)(v >> (e - 7));
}

uint64_t hist_low(unsigned index);  /* smallest value of a bucket */
uint64_t hist_high(unsigned index); /* largest value of a bucket */

/* Inline: this is the per-I/O cost of every latency. */
static inline void hist_record(struct hist *h, uint64_t ns)
{
	if (h->n++ == 0 || ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	if (__builtin_add_overflow(h->sum, ns, &h->sum))
		h->sum = UINT64_MAX;
	if (ns >> HIST_TOP_BITS)
		h->overflow++;
	else
		h->bucket[hist_index(ns)]++;
}

/* Buckets that can hold something, from the exact min and max: first <= i < end. */
void hist_used(const struct hist *h, unsigned *first, unsigned *end);
/* Empty it again, touching only what was used. */
void hist_clear(struct hist *h);
void hist_merge(struct hist *into, const struct hist *from);

/* Value at percentile p (0 < p <= 100): the midpoint of the bucket of rank ceil(p/100 * n), clamped to
 * [min, max]: within 1/256 of the sample of that rank. Ranks beyond 2^41 ns give max. n must be > 0. */
double hist_percentile(const struct hist *h, double p);
double hist_mean(const struct hist *h);   /* exact */
double hist_stddev(const struct hist *h); /* from bucket midpoints, population */

/* Stored form, version 1: byte version, byte sub-bucket bits, byte unit shift (0), then LEB128 varints: n, sum,
 * min, max, overflow, and (gap - 1, count) for each bucket in use. Returns the length needed, writes at most
 * `size`. */
size_t hist_pack(const struct hist *h, uint8_t *out, size_t size);
/* Parses files that people share: every index, total and varint length is checked. -EINVAL. */
int hist_unpack(struct hist *h, const uint8_t *in, size_t size, struct err *e);

#endif
