#include "stat/night.h"

#include <math.h>

#include "stat/quantile.h"

#define PRIOR_SD 0.01    /* of the rates of repeated runs, before any is known ... */
#define PRIOR_DF 2       /* ... and how many runs that is worth */
#define BOTH     0.99865 /* 3 standard deviations of a normal distribution, one side */

struct usual { /* running mean and sum of squares (Welford 1962) */
	unsigned n;
	double mean, m2;
};

static void usual_add(struct usual *u, double x)
{
	double delta = x - u->mean;

	u->n++;
	u->mean += delta / u->n;
	u->m2 += delta * (x - u->mean);
}

/* How far one more run may lie, relative to the mean. */
static double limit(const struct usual *u)
{
	unsigned df = PRIOR_DF + u->n - 1;
	double own = u->m2 / (u->mean * u->mean);
	double s = sqrt((PRIOR_DF * PRIOR_SD * PRIOR_SD + own) / df);

	return fmax(STAT_SHIFT, stat_t_quantile(df, BOTH) * s * sqrt(1 + 1.0 / u->n));
}

unsigned stat_visits(struct stat_visit *v, unsigned n)
{
	struct usual u = { 0 };
	unsigned away = 0;

	for (unsigned i = 0; i < n; i++) {
		v[i].usual = u.mean;
		v[i].away = u.n && fabs(v[i].rate - u.mean) > limit(&u) * u.mean;
		away += v[i].away;
		if (!v[i].away)
			usual_add(&u, v[i].rate);
	}
	return away;
}

struct line {
	unsigned n;
	double at, rate; /* means */
	double sxx, sxy, syy;
};

static void fit(struct line *l, const struct stat_visit *v, unsigned n)
{
	*l = (struct line){ 0 };
	for (unsigned i = 0; i < n; i++) {
		if (v[i].away)
			continue;
		l->n++;
		l->at += v[i].at_s;
		l->rate += v[i].rate;
	}
	if (!l->n)
		return;
	l->at /= l->n;
	l->rate /= l->n;
	for (unsigned i = 0; i < n; i++) {
		double x = v[i].at_s - l->at, y = v[i].rate - l->rate;

		if (v[i].away)
			continue;
		l->sxx += x * x;
		l->sxy += x * y;
		l->syy += y * y;
	}
}

void stat_trend(struct stat_trend *out, const struct stat_visit *v, unsigned n)
{
	double slope, start, sd, error;
	struct line l;

	*out = (struct stat_trend){ 0 };
	fit(&l, v, n);
	if (l.n < STAT_TREND_MIN || l.sxx <= 0)
		return;
	slope = l.sxy / l.sxx;
	start = l.rate + slope * (v[0].at_s - l.at); /* the first run is never away */
	sd = sqrt(fmax(0, l.syy - slope * l.sxy) / (l.n - 2));
	error = sd / sqrt(l.sxx);
	out->rise = slope * (v[n - 1].at_s - v[0].at_s) / start;
	out->found = start > 0 && fabs(out->rise) > fmax(STAT_SHIFT, 3 * sd / start) &&
	             fabs(slope) > stat_t_quantile(l.n - 2, BOTH) * error;
	for (unsigned i = 0; out->found && i < n; i++)
		if (fabs(slope * (v[i].at_s - v[0].at_s)) > STAT_SHIFT * start) {
			out->from = i;
			break;
		}
}
