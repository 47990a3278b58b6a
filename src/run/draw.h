/* run/draw.h: random blocks of a region, by a distribution. All but random take logarithms or
 * powers for each I/O: some 0.1 us of CPU, zipf 0.2 us, against 5 to 20 ns for random. They are
 * exact for every region in a few words of memory; a table of ranks would be neither. */
#ifndef RUN_DRAW_H
#define RUN_DRAW_H

#include <stdbool.h>

#include "model/distribution.h"
#include "run/permute.h"

enum draw_kind { DRAW_ONCE, DRAW_AGAIN, DRAW_ZIPF, DRAW_PARETO, DRAW_NORMAL };

struct draw {
	enum draw_kind kind;
	uint64_t n;
	struct permute order; /* ONCE: the order; else where the frequent ones lie */
	struct rng rng;
	double value; /* theta, the exponent of pareto, the deviation in blocks */
	double h_first, h_last, near; /* zipf: constants of its method */
};

/* Blocks 0 .. n-1, 0 < n <= 2^53. `once`: random only: each block once per n draws. The
 * frequent blocks of the others do not lie together: they are scattered by a bijection. */
void draw_init(struct draw *d, const struct distribution *by, bool once, uint64_t n,
               uint64_t seed);
uint64_t draw_next(struct draw *d);

#endif
