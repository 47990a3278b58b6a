/* stat/batch.h: the mean of a series whose values depend on each other, with its interval. Pure
 * functions on the caller's arrays; nothing is allocated. */
#ifndef STAT_BATCH_H
#define STAT_BATCH_H

#define STAT_BATCHES                                                                           \
	20 /* at most; at least half as many when the series has as many values                \
	    */

double stat_mean(const double *v, unsigned n); /* n > 0 */
/* Sample variance; 0 for n < 2. */
double stat_variance(const double *v, unsigned n);

/* How many of the first values of y are still warm-up: the cut d < limit (<= n / 2) that makes
 * the standard error of the rest smallest, sum((y - mean)^2) / (n - d)^2 (MSER-5: White 1997;
 * White, Cobb and Spratt 2000; y are means of five slots). It is kept only if head and rest
 * really differ, by 3 standard errors of the head and by `guard` of the mean: of a series
 * without warm-up the bare rule picks a quiet end, and the interval is too narrow. When the
 * best cut is `limit` itself, the series may not settle at all: then the contrast of the two
 * parts must be 3 as well. */
unsigned stat_warm_up(const double *y, unsigned n, unsigned limit, double guard);

/* How far the mean of the first d values lies from that of the rest, in standard errors of the
 * two (Welch 1947), 0 < d < n. */
double stat_contrast(const double *y, unsigned n, unsigned d);

struct stat_interval {
	double mean, half_width;
	double rho;            /* correlation of neighbouring batches, bias-corrected, 0..0.9 */
	unsigned batches, per; /* of `per` values each */
	double lowest, highest; /* batch */
	double drift, drift_t;  /* rise of the fitted line from first to last batch / mean; over
	                           its standard error */
};

/* Batch means over the newest values of z (n >= 5, mean > 0): batches of ceil(n / 20) values;
 * half width t(b - 1) sqrt(S^2 / b (1 + rho) / (1 - rho)) (Law and Kelton 1991, batch means;
 * the factor of a first-order autoregression as in Skart: Tafazzoli, Wilson, Lada and Steiger
 * 2011), rho = r1 + 1 / b (its bias, Marriott and Pope 1954). confidence: two-sided, 0.95. */
void stat_batch_means(struct stat_interval *out, const double *z, unsigned n,
                      double confidence);

#endif
