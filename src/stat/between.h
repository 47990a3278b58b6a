/* stat/between.h: what one run cannot say of itself: how far another run of the same would lie,
 * and whether rounds of a workload have become steady. Pure. */
#ifndef STAT_BETWEEN_H
#define STAT_BETWEEN_H

#include <stdbool.h>

/* Relative standard deviation of repeats of one combination around their mean (n >= 2 rates).
 */
double stat_run_spread(const double *rate, unsigned n);

/* Half width (relative) in which another run is expected as well: sqrt(h^2 + (t(n - 1)
 * spread)^2), spread by n repeats (levels of variation: Kalibera and Jones 2013). */
double stat_reproducible(double half_width, double spread, unsigned n, double confidence);

#define STAT_ROUNDS 5

struct stat_steady {
	bool steady;
	double excursion; /* highest - lowest round / mean; at most 0.2 */
	double rise; /* of the fitted line over the rounds / mean; at most 0.1 either way */
};

/* The last five of n rounds are steady by both tests of SNIA's SSS PTS 2.0.2 (2020): range at
 * most 20 % of the average, rise of the least-squares line over them at most 10 %. Never with
 * fewer than five. */
void stat_snia_steady(struct stat_steady *out, const double *round, unsigned n);

#endif
