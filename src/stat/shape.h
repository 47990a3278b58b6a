/* stat/shape.h: what the mean does not show: stalls, two levels, a rate limit. Pure functions;
 * `work` is room for n values. */
#ifndef STAT_SHAPE_H
#define STAT_SHAPE_H

#include <stdbool.h>

/* Means of k neighbours, in place; a remainder at the end is left out. Returns how many. */
unsigned stat_merge(double *x, unsigned n, unsigned k);

/* Upper median; n > 0. */
double stat_median(const double *x, unsigned n, double *work);

/* How many slots to merge until the median slot holds `least` completions, which bounds its
 * counting noise (10 % at 100). Above n when all together do not. */
unsigned stat_merge_for(const double *count, unsigned n, double least, double *work);

/* Do slots make up for each other? Either those below half the mean and those above one and a
 * half; or neighbours: they scatter by 5 % or more, and their correlation is negative by two
 * standard errors (n^-1/2: Bartlett 1946). Then something doses the work in slices (a throttled
 * control group, a limit of a cloud) that slots cut at random. Over time such work varies far
 * less than its slots let expect, and a slot with little is no stall. */
bool stat_regulated(const double *x, unsigned n);

struct stat_stalls {
	unsigned events;      /* runs of slots below half the median */
	double lost;          /* share of the work that these did less than the median */
	unsigned longest, at; /* in slots */
};

void stat_stalls(struct stat_stalls *out, const double *x, unsigned n, double median);

struct stat_levels {
	bool two;
	double low, high, low_share;
};

/* The best split of the values in two, by the variance between the parts (Otsu 1979). There are
 * two levels if each has a tenth of the values, and they lie apart by 4 pooled standard
 * deviations (the halves of a normal distribution by 2.65) and by `apart` of the higher one. */
void stat_levels(struct stat_levels *out, const double *x, unsigned n, double apart,
                 double *work);

/* Is a rate one that people set as a limit: within 0.3 % of 1, 1.2, 1.25, 1.5, 1.6, 2 ... x
 * 10^k? */
bool stat_round_number(double rate);

#endif
