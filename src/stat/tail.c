#include "stat/tail.h"

#include <assert.h>
#include <math.h>

#include "model/sample.h"
#include "stat/batch.h"
#include "stat/quantile.h"

double stat_share_half_width(const uint64_t *above, const uint64_t *all, unsigned n, double p,
                             double confidence)
{
	double value[TAIL_MAX], sum_above = 0, sum_all = 0, share, mean, independent;
	struct stat_interval in;

	assert(n >= 5 && n <= TAIL_MAX);
	for (unsigned i = 0; i < n; i++) {
		sum_above += (double)above[i];
		sum_all += (double)all[i];
	}
	if (sum_all <= 0)
		return 1;
	share = sum_above / sum_all;
	mean = sum_all / n;
	/* Linear in the residuals (Cochran 1977, ratio estimators); 1 is added so that their
	 * mean is not 0. */
	for (unsigned i = 0; i < n; i++)
		value[i] = 1 + ((double)above[i] - share * (double)all[i]) / mean;
	stat_batch_means(&in, value, n, confidence);
	independent = stat_normal_quantile(0.5 + confidence / 2) * sqrt(p * (1 - p) / sum_all);
	return fmax(in.half_width, independent);
}

bool stat_tail_resolved(double p, double half_width)
{
	return half_width <= (1 - p) / 2;
}
