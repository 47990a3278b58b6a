#include "support/behaviour.h"

#include <math.h>

#include "base/cleanup.h"

double behaviour_uniform(struct rng *r, double from, double to)
{
	return from + (to - from) * ((double)(rng_next(r) >> 11) / 9007199254740992.0);
}

/* Marsaglia's polar method. */
double behaviour_gauss(struct rng *r, double sd)
{
	double x, y, s;

	do {
		x = behaviour_uniform(r, -1, 1);
		y = behaviour_uniform(r, -1, 1);
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return sd * x * sqrt(-2 * log(s) / s);
}

static double seconds(unsigned i)
{
	return i * BEHAVIOUR_SLOT_S;
}

/* A first-order autoregression around 1: phi, coefficient of variation. */
static void autoregress(struct rng *r, double *v, unsigned n, double phi, double cv)
{
	double e = behaviour_gauss(r, cv), step = cv * sqrt(1 - phi * phi);

	for (unsigned i = 0; i < n; i++) {
		e = phi * e + behaviour_gauss(r, step);
		v[i] = 1 + e;
	}
}

/* p: phi, cv */
static double noise(struct rng *r, double *v, unsigned n, const double *p)
{
	autoregress(r, v, n, p[0], p[1]);
	return 1;
}

/* p: tau, depth */
static double ramp_up(struct rng *r, double *v, unsigned n, const double *p)
{
	autoregress(r, v, n, 0.5, 0.05);
	for (unsigned i = 0; i < n; i++)
		v[i] *= 1 - p[1] * exp(-seconds(i) / p[0]);
	return 1;
}

/* Falls to a level at some time between p[0] and p[1]: credits, a full cache. */
static double collapse(struct rng *r, double *v, unsigned n, const double *p)
{
	double at = behaviour_uniform(r, p[0], p[1]);

	autoregress(r, v, n, 0.5, 0.03);
	for (unsigned i = 0; i < n; i++)
		v[i] *= seconds(i) < at ? 1 : p[2];
	return p[2];
}

/* p: period, length, level */
static double stalling(struct rng *r, double *v, unsigned n, const double *p)
{
	double phase = behaviour_uniform(r, 0, p[0]);

	autoregress(r, v, n, 0.5, 0.03);
	for (unsigned i = 0; i < n; i++)
		v[i] *= fmod(seconds(i) + phase, p[0]) < p[1] ? p[2] : 1;
	return 1 - (1 - p[2]) * p[1] / p[0];
}

/* p: mean stay, lower level */
static double two_levels(struct rng *r, double *v, unsigned n, const double *p)
{
	bool high = rng_below(r, 2);

	autoregress(r, v, n, 0.3, 0.02);
	for (unsigned i = 0; i < n; i++) {
		if (behaviour_uniform(r, 0, 1) < BEHAVIOUR_SLOT_S / p[0])
			high = !high;
		v[i] *= high ? 1 : p[1];
	}
	return (1 + p[1]) / 2;
}

/* Heat: flat for p[0] seconds, then p[1] less each second, down to 0.7. */
static double heat(struct rng *r, double *v, unsigned n, const double *p)
{
	autoregress(r, v, n, 0.5, 0.03);
	for (unsigned i = 0; i < n; i++)
		v[i] *= fmax(0.7, 1 - p[1] * fmax(0, seconds(i) - p[0]));
	return 0.7;
}

/* p: share of the slots, what is left of them */
static double spikes(struct rng *r, double *v, unsigned n, const double *p)
{
	for (unsigned i = 0; i < n; i++)
		v[i] = (1 + behaviour_gauss(r, 0.03)) *
		       (behaviour_uniform(r, 0, 1) < p[0] ? p[1] : 1);
	return 1 - p[0] * (1 - p[1]);
}

/* Garbage collection: falls by p[1] over each period p[0], then jumps back. */
static double saw(struct rng *r, double *v, unsigned n, const double *p)
{
	double phase = behaviour_uniform(r, 0, p[0]);

	autoregress(r, v, n, 0.4, 0.03);
	for (unsigned i = 0; i < n; i++)
		v[i] *= 1 - p[1] * fmod(seconds(i) + phase, p[0]) / p[0];
	return 1 - p[1] / 2;
}

/* A neighbour that comes and goes: p: period, amplitude. */
static double sine(struct rng *r, double *v, unsigned n, const double *p)
{
	double phase = behaviour_uniform(r, 0, 2 * M_PI);

	autoregress(r, v, n, 0.4, 0.03);
	for (unsigned i = 0; i < n; i++)
		v[i] *= 1 + p[1] * sin(2 * M_PI * seconds(i) / p[0] + phase);
	return 1;
}

/* Stalls at random times: p: mean gap, mean length, level. */
static double rare_stalls(struct rng *r, double *v, unsigned n, const double *p)
{
	double left = 0;

	autoregress(r, v, n, 0.3, 0.02);
	for (unsigned i = 0; i < n; i++) {
		if (left <= 0 && behaviour_uniform(r, 0, 1) < BEHAVIOUR_SLOT_S / p[0])
			left = -p[1] * log(1 - behaviour_uniform(r, 0, 1));
		v[i] *= left > 0 ? p[2] : 1;
		left -= BEHAVIOUR_SLOT_S;
	}
	return 1 - (1 - p[2]) * p[1] / (p[1] + p[0]);
}

/* p: tau, drop: settles to a lower level and stays there. */
static double decay(struct rng *r, double *v, unsigned n, const double *p)
{
	autoregress(r, v, n, 0.5, 0.03);
	for (unsigned i = 0; i < n; i++)
		v[i] *= 1 - p[1] * (1 - exp(-seconds(i) / p[0]));
	return 1 - p[1];
}

/* clang-format off */
const struct behaviour behaviours[] = {
	{ "quiet, CV 1 %",                    noise,      { 0.3, 0.01 },  false, EXPECT_COVER },
	{ "white noise, CV 5 %",              noise,      { 0, 0.05 },    false, EXPECT_COVER },
	{ "AR(1) .5, CV 5 %",                 noise,      { 0.5, 0.05 },  false, EXPECT_COVER },
	{ "AR(1) .9, CV 5 %",                 noise,      { 0.9, 0.05 },  false, EXPECT_DOUBT },
	{ "AR(1) .98, CV 5 %",                noise,      { 0.98, 0.05 }, false, EXPECT_DOUBT },
	{ "AR(1) .9, CV 15 %",                noise,      { 0.9, 0.15 },  false, EXPECT_DOUBT },
	{ "ramp-up, tau 1 s",                 ramp_up,    { 1, 0.4 },     false, EXPECT_COVER },
	{ "ramp-up, tau 4 s",                 ramp_up,    { 4, 0.4 },     false, EXPECT_CLOSE },
	{ "spikes: 3 % of 0.1 s at -60 %",    spikes,     { 0.03, 0.4 },  false, EXPECT_DOUBT },
	{ "stalls of 0.5 s every 3 s",        stalling,   { 3, 0.5, 0.1 }, false, EXPECT_DOUBT },
	{ "stalls of 0.5 s every 9 s",        stalling,   { 9, 0.5, 0.1 }, false, EXPECT_DOUBT },
	{ "two levels, -20 %, stays 2 s",     two_levels, { 2, 0.8 },     false, EXPECT_DOUBT },
	{ "two levels, -20 %, stays 10 s",    two_levels, { 10, 0.8 },    false, EXPECT_DOUBT },
	{ "credits end at 2-12 s",            collapse,   { 2, 12, 0.3 }, true,  EXPECT_COVER },
	{ "credits end at 12-60 s",           collapse,   { 12, 60, 0.3 }, true, EXPECT_COVER },
	{ "cache full at 12-30 s, refills",   collapse,   { 12, 30, 0.3 }, false, EXPECT_DOUBT },
	{ "heat: -1 %/s from 8 s",            heat,       { 8, 0.01 },    true,  EXPECT_COVER },
	{ "AR(1) .8, CV 8 %",                 noise,      { 0.8, 0.08 },  false, EXPECT_FRESH },
	{ "saw tooth 5 s, -30 %",             saw,        { 5, 0.3 },     false, EXPECT_FRESH },
	{ "saw tooth 25 s, -30 %",            saw,        { 25, 0.3 },    false, EXPECT_FRESH },
	{ "neighbour, 20 s, +-10 %",          sine,       { 20, 0.1 },    false, EXPECT_FRESH },
	{ "neighbour, 90 s, +-10 %",          sine,       { 90, 0.1 },    false, EXPECT_FRESH },
	{ "stalls of 1 s, about every 15 s",  rare_stalls, { 15, 1, 0.2 }, false, EXPECT_FRESH },
	{ "stalls of 1 s, about every 60 s",  rare_stalls, { 60, 1, 0.2 }, false, EXPECT_FRESH },
	{ "decay of 20 %, tau 15 s, stays",   decay,      { 15, 0.2 },    true,  EXPECT_FRESH },
	{ "decay of 20 %, tau 100 s, stays",  decay,      { 100, 0.2 },   true,  EXPECT_FRESH },
	{ "cache to 60 % at 5-25 s, refills", collapse,   { 5, 25, 0.6 }, false, EXPECT_FRESH },
};
/* clang-format on */
const unsigned behaviour_count = ARRAY_SIZE(behaviours);
