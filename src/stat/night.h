/* stat/night.h: did machine or device change over a sweep? The same cell is run again and again
 * (sentinels); what one of these runs differs by from those before it is compared with how far
 * they differ among each other. Pure. */
#ifndef STAT_NIGHT_H
#define STAT_NIGHT_H

#include <stdbool.h>

#define STAT_SHIFT     0.03 /* smaller changes are none */
#define STAT_TREND_MIN 5    /* runs that can show a trend */

struct stat_visit {
	double at_s, rate; /* when it began, and what it gave: > 0 */
	/* set by stat_visits(): */
	bool away;    /* it differs from those before it that did not */
	double usual; /* mean of those; 0: it is the first */
};

/* A run is away when it differs from the mean of the n runs before it that were not away by
 * more than max(3 %, 3 sigma): the two-sided 99.73 % interval of one more run, t(2 + n - 1) s
 * sqrt(1 + 1 / n), where s mixes their spread, n - 1 degrees of freedom, with 1 % that counts
 * for 2: two runs alone know no spread. Returns how many are away. */
unsigned stat_visits(struct stat_visit *v, unsigned n);

struct stat_trend {
	bool found;
	double
	    rise; /* of the fitted line from the first run to the last, relative to its start */
	unsigned from; /* the first run at which the line is off by more than 3 % */
};

/* The least-squares line over the runs that are not away: a trend if it rises or falls by more
 * than max(3 %, 3 standard deviations around it), and its slope is beyond the 99.73 % interval.
 */
void stat_trend(struct stat_trend *out, const struct stat_visit *v, unsigned n);

#endif
