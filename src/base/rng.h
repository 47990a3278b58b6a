/* base/rng.h: seeded generators. splitmix64 expands seeds; xoshiro256++ draws (Blackman and Vigna,
 * "Scrambled linear pseudorandom number generators", 2019; public domain). */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rng {
	uint64_t s[4];
};

static inline uint64_t rng_splitmix(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static inline void rng_seed(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = rng_splitmix(&seed);
}

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, t = s[1] << 17, v = s[0] + s[3];
	uint64_t out = ((v << 23) | (v >> 41)) + s[0];

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return out;
}

/* Fill memory with incompressible bytes. */
static inline void rng_fill(struct rng *r, void *mem, size_t len)
{
	struct rng here = *r; /* in registers: for all that a compiler knows, what is written may be the state */
	unsigned char *p = mem;
	uint64_t v;

	for (; len >= sizeof(v); p += sizeof(v), len -= sizeof(v)) {
		v = rng_next(&here);
		memcpy(p, &v, sizeof(v));
	}
	v = rng_next(&here);
	memcpy(p, &v, len);
	*r = here;
}

/* 0 <= value < n, by the high half of a 128-bit product; bias below n / 2^64. n > 0. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)rng_next(r) * n) >> 64);
}

#endif
