#include "stat/batch.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "stat/quantile.h"

#define RHO_MAX 0.9

double stat_mean(const double *v, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

static double squares(const double *v, unsigned n, double mean)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum;
}

double stat_variance(const double *v, unsigned n)
{
	return n < 2 ? 0 : squares(v, n, stat_mean(v, n)) / (n - 1);
}

/* Is the head of d values not just noise of the rest? */
static int head_differs(const double *y, unsigned n, unsigned d, double guard)
{
	double head = stat_mean(y, d), rest = stat_mean(y + d, n - d),
	       sd = sqrt(squares(y + d, n - d, rest) / (n - d));

	return fabs(head - rest) >= fmax(3 * sd / sqrt(d), guard * rest);
}

double stat_contrast(const double *y, unsigned n, unsigned d)
{
	double error = stat_variance(y, d) / d + stat_variance(y + d, n - d) / (n - d);

	return fabs(stat_mean(y, d) - stat_mean(y + d, n - d)) / sqrt(fmax(error, 1e-30));
}

unsigned stat_warm_up(const double *y, unsigned n, unsigned limit, double guard)
{
	double shift = stat_mean(y, n), sum = 0, sum2 = 0, best = (double)INFINITY;
	unsigned cut = 0;

	assert(limit <= n / 2);
	for (unsigned d = n; d-- > 0;) {
		double v = y[d] - shift, left = n - d, error;

		sum += v;
		sum2 += v * v;
		if (d > limit)
			continue;
		error = fmax(0, sum2 - sum * sum / left) / (left * left);
		if (error <= best) {
			best = error;
			cut = d;
		}
	}
	if (cut &&
	    (!head_differs(y, n, cut, guard) || (cut == limit && stat_contrast(y, n, cut) < 3)))
		return 0;
	return cut;
}

static void fit_line(struct stat_interval *out, const double *batch, double ss)
{
	double b = out->batches, middle = (b - 1) / 2, sxx = b * (b * b - 1) / 12, slope = 0,
	       rest;

	for (unsigned i = 0; i < out->batches; i++)
		slope += (i - middle) * (batch[i] - out->mean);
	slope /= sxx;
	rest = fmax(1e-30, ss - slope * slope * sxx) / (b - 2);
	out->drift = slope * (b - 1) / out->mean;
	out->drift_t = slope / sqrt(rest / sxx);
}

void stat_batch_means(struct stat_interval *out, const double *z, unsigned n, double confidence)
{
	double batch[STAT_BATCHES] = { 0 }, ss, r1 = 0;
	unsigned per = (n + STAT_BATCHES - 1) / STAT_BATCHES, b = n / per;

	assert(n >= 5);
	z += n % per;
	*out = (struct stat_interval){ .batches = b, .per = per };
	for (unsigned i = 0; i < b; i++)
		batch[i] = stat_mean(z + (size_t)i * per, per);
	out->mean = stat_mean(batch, b);
	out->lowest = out->highest = out->mean;
	ss = squares(batch, b, out->mean);
	if (ss <= 0)
		return;
	for (unsigned i = 0; i < b; i++) {
		out->lowest = fmin(out->lowest, batch[i]);
		out->highest = fmax(out->highest, batch[i]);
		if (i + 1 < b)
			r1 += (batch[i] - out->mean) * (batch[i + 1] - out->mean);
	}
	out->rho = fmin(RHO_MAX, fmax(0, r1 / ss + 1.0 / b));
	out->half_width = stat_t_quantile(b - 1, 0.5 + confidence / 2) *
	                  sqrt(ss / (b - 1) / b * (1 + out->rho) / (1 - out->rho));
	fit_line(out, batch, ss);
}
