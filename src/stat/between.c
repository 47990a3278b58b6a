#include "stat/between.h"

#include <assert.h>
#include <math.h>

#include "stat/batch.h"
#include "stat/quantile.h"

double stat_run_spread(const double *rate, unsigned n)
{
	assert(n >= 2);
	return sqrt(stat_variance(rate, n)) / stat_mean(rate, n);
}

double stat_reproducible(double half_width, double spread, unsigned n, double confidence)
{
	assert(n >= 2);
	return hypot(half_width, stat_t_quantile(n - 1, 0.5 + confidence / 2) * spread);
}

void stat_snia_steady(struct stat_steady *out, const double *round, unsigned n)
{
	double mean, low, high, slope = 0;

	*out = (struct stat_steady){ 0 };
	if (n < STAT_ROUNDS)
		return;
	round += n - STAT_ROUNDS;
	mean = stat_mean(round, STAT_ROUNDS);
	low = high = round[0];
	for (int i = 0; i < STAT_ROUNDS; i++) {
		low = fmin(low, round[i]);
		high = fmax(high, round[i]);
		slope += (i - 2) * (round[i] - mean) / 10; /* sum of (i - 2)^2 is 10 */
	}
	if (mean <= 0)
		return;
	out->excursion = (high - low) / mean;
	out->rise = slope * (STAT_ROUNDS - 1) / mean;
	out->steady = out->excursion <= 0.2 && fabs(out->rise) <= 0.1;
}
