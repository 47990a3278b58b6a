/* tests/support/behaviour.h: series of completions of devices whose long-run mean is known:
 * quiet and noisy ones, warm-up, credits and caches that run out, heat, stalls, modes. Seeded.
 */
#ifndef SUPPORT_BEHAVIOUR_H
#define SUPPORT_BEHAVIOUR_H

#include <stdbool.h>

#include "base/rng.h"

#define BEHAVIOUR_SLOT_S 0.1
#define BEHAVIOUR_RATE   10000.0 /* per second, of a device at 1 */

enum behaviour_expect {
	EXPECT_COVER, /* the interval must hold the long-run mean */
	EXPECT_DOUBT, /* most runs must say that something is wrong */
	EXPECT_CLOSE, /* a slow ramp-up: no run may be far off */
	EXPECT_FRESH, /* of the second set: counts only in what misleads */
};

struct behaviour {
	const char *name;
	/* v[i]: completions in slot i; returns the long-run mean of a slot. */
	double (*fill)(struct rng *r, double *v, unsigned n, const double *p);
	double p[3];
	bool keeps; /* its state from the pilot to the run */
	enum behaviour_expect expect;
};

extern const struct behaviour behaviours[];
extern const unsigned behaviour_count;

double behaviour_gauss(struct rng *r, double sd);
double behaviour_uniform(struct rng *r, double from, double to);

#endif
