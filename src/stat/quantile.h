/* stat/quantile.h: quantiles of the normal and of Student's t distribution. Pure functions. */
#ifndef STAT_QUANTILE_H
#define STAT_QUANTILE_H

#define STAT_Z95 1.959963984540054 /* of a two-sided interval at 95 %: the normal quantile of 0.975 */

/* x with P(X <= x) = p of the standard normal distribution, 0 < p < 1; to 1e-12. */
double stat_normal_quantile(double p);

/* The same of Student's t with df >= 1 degrees of freedom; to 1e-9 of the value. */
double stat_t_quantile(unsigned df, double p);

/* P(X <= x) of Student's t. */
double stat_t_below(unsigned df, double x);

#endif
