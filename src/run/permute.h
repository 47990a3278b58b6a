/* run/permute.h: the numbers 0 .. n-1 in a random order, each once per pass, without a bitmap:
 * a counter goes through a keyed bijection on k = ceil(log2 n) bits, and values >= n are
 * skipped (fewer than two steps per number on average). Every pass has a new key. */
#ifndef RUN_PERMUTE_H
#define RUN_PERMUTE_H

#include <stdint.h>

#include "base/rng.h"

#define PERMUTE_ROUNDS 3

struct permute {
	uint64_t n, mask, counter;
	uint64_t mul[PERMUTE_ROUNDS], add[PERMUTE_ROUNDS + 1];
	uint64_t seed; /* splitmix state: the keys of the next pass come from it */
	unsigned shift;
};

static inline void permute_rekey(struct permute *p)
{
	for (int i = 0; i < PERMUTE_ROUNDS; i++) {
		p->mul[i] =
		    rng_splitmix(&p->seed) | 1; /* odd: invertible modulo a power of two */
		p->add[i] = rng_splitmix(&p->seed);
	}
	p->add[PERMUTE_ROUNDS] = rng_splitmix(&p->seed);
	p->counter = 0;
}

static inline void permute_init(struct permute *p, uint64_t n,
                                uint64_t seed) /* 0 < n <= 2^63 */
{
	unsigned bits = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;

	*p = (struct permute){ .n = n,
		               .mask = bits ? UINT64_MAX >> (64 - bits) : 0,
		               .seed = seed };
	p->shift = bits > 1 ? (bits + 1) / 2 : 1;
	permute_rekey(p);
}

/* The bijection itself, of the numbers 0 .. mask. */
static inline uint64_t permute_mix(const struct permute *p, uint64_t x)
{
	x += p->add[PERMUTE_ROUNDS];
	for (int i = 0; i < PERMUTE_ROUNDS; i++) {
		x &= p->mask;
		x ^= x >> p->shift;
		x = x * p->mul[i] + p->add[i];
	}
	x &= p->mask;
	return x ^ x >> p->shift;
}

static inline uint64_t permute_next(struct permute *p)
{
	uint64_t x;

	do {
		if (p->counter > p->mask)
			permute_rekey(p);
		x = permute_mix(p, p->counter++);
	} while (x >= p->n);
	return x;
}

/* Where number i < n goes under the key of this pass: again and again until it is below n. */
static inline uint64_t permute_at(const struct permute *p, uint64_t i)
{
	do
		i = permute_mix(p, i);
	while (i >= p->n);
	return i;
}

#endif
