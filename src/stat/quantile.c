#include "stat/quantile.h"

#include <assert.h>
#include <math.h>

#define DF_EXACT 200 /* beyond this the expansion alone is better than 1e-9 */

static double normal_below(double x)
{
	return erfc(-x / M_SQRT2) / 2;
}

static double normal_density(double x)
{
	return exp(-x * x / 2) / sqrt(2 * M_PI);
}

/* Start: Hastings' rational approximation (Abramowitz and Stegun 1964, 26.2.23: error below
 * 4.5e-4); then Newton's steps on erfc(), which double the digits each. */
double stat_normal_quantile(double p)
{
	double q, t, x;

	assert(p > 0 && p < 1);
	q = p < 0.5 ? p : 1 - p; /* in the lower tail, where erfc() keeps its digits */
	t = sqrt(-2 * log(q));
	x = (2.515517 + 0.802853 * t + 0.010328 * t * t) /
	        (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t) -
	    t;
	for (int i = 0; i < 3; i++)
		x -= (normal_below(x) - q) / normal_density(x);
	return p < 0.5 ? x : -x;
}

/* The finite series for whole degrees of freedom (Abramowitz and Stegun 1964, 26.7.3 for odd,
 * 26.7.4 for even ones): the probability between -x and x. */
static double t_between(unsigned df, double x)
{
	double theta = atan(x / sqrt(df)), c2 = cos(theta) * cos(theta), sum = 0, term = 1;

	if (df % 2) {
		term = cos(theta);
		for (unsigned k = 1; k + 2 <= df; k += 2) {
			sum += term;
			term *= c2 * (k + 1) / (k + 2);
		}
		return M_2_PI * (theta + sin(theta) * sum);
	}
	for (unsigned k = 0; k + 2 <= df; k += 2) {
		sum += term;
		term *= c2 * (k + 1) / (k + 2);
	}
	return sin(theta) * sum;
}

double stat_t_below(unsigned df, double x)
{
	assert(df >= 1);
	return x < 0 ? (1 - t_between(df, -x)) / 2 : (1 + t_between(df, x)) / 2;
}

static double t_density(unsigned df, double x)
{
	double v = df;

	return exp(lgamma((v + 1) / 2) - lgamma(v / 2)) / sqrt(v * M_PI) *
	       pow(1 + x * x / v, -(v + 1) / 2);
}

/* The expansion in 1/df by powers of the normal quantile (Cornish and Fisher 1937; Abramowitz
 * and Stegun 1964, 26.7.5). */
static double t_expansion(unsigned df, double z)
{
	double v = df, z2 = z * z, g1, g2, g3, g4;

	g1 = z * (z2 + 1) / 4;
	g2 = z * (5 * z2 * z2 + 16 * z2 + 3) / 96;
	g3 = z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / 384;
	g4 = z *
	     (79 * z2 * z2 * z2 * z2 + 776 * z2 * z2 * z2 + 1482 * z2 * z2 - 1920 * z2 - 945) /
	     92160;
	return z + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v;
}

/* Upper half, p >= 0.5. The closed forms of 1 and 2 degrees; else Newton's steps from the
 * expansion on the finite series. */
static double t_upper(unsigned df, double p)
{
	double x;

	if (df == 1)
		return tan(M_PI * (p - 0.5));
	if (df == 2)
		return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)));
	x = t_expansion(df, stat_normal_quantile(p));
	for (int i = 0; df <= DF_EXACT && i < 20; i++) {
		double step = (stat_t_below(df, x) - p) / t_density(df, x);

		x -= step;
		if (fabs(step) <= 1e-12 * fabs(x))
			break;
	}
	return x;
}

double stat_t_quantile(unsigned df, double p)
{
	assert(df >= 1 && p > 0 && p < 1);
	return p < 0.5 ? -t_upper(df, 1 - p) : t_upper(df, p);
}
