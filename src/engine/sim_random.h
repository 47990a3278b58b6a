/* engine/sim_random.h: what a simulated device draws. */
#ifndef ENGINE_SIM_RANDOM_H
#define ENGINE_SIM_RANDOM_H

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"

struct sim_random {
	struct rng rng;
	double spare;
	bool has_spare;
};

static inline void sim_random_seed(struct sim_random *r, uint64_t seed)
{
	rng_seed(&r->rng, seed);
	r->has_spare = false;
}

/* 0 < u < 1 */
static inline double sim_uniform(struct sim_random *r)
{
	return ((double)(rng_next(&r->rng) >> 11) + 0.5) * 0x1p-53;
}

static inline double sim_exponential(struct sim_random *r, double mean)
{
	return -mean * log(sim_uniform(r));
}

/* Mean 0, variance 1: Marsaglia's polar method, which gives two at a time. */
static inline double sim_normal(struct sim_random *r)
{
	double x, y, s;

	if (r->has_spare) {
		r->has_spare = false;
		return r->spare;
	}
	do {
		x = 2 * sim_uniform(r) - 1;
		y = 2 * sim_uniform(r) - 1;
		s = x * x + y * y;
	} while (s >= 1);
	s = sqrt(-2 * log(s) / s);
	r->spare = y * s;
	r->has_spare = true;
	return x * s;
}

#endif
