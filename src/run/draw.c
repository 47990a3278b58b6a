#include "run/draw.h"

#include <math.h>

/* 0 <= x < 1, 53 bits. */
static double uniform(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* --- zipf: rank k of n with probability proportional to k^-theta. Rejection-inversion: W.
 * Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone discrete
 * distributions", ACM TOMACS 6(3), 1996: exact for every n and theta, without the sum over all
 * ranks that the method of Gray et al. (SIGMOD 1994) begins with. --- */

/* The integral of x^-theta, also where theta is 1: ((x^(1 - theta)) - 1) / (1 - theta). */
static double hat(double theta, double x)
{
	double l = log(x), t = (1 - theta) * l;

	return fabs(t) > 1e-8 ? expm1(t) / t * l : l * (1 + t / 2);
}

static double hat_inverse(double theta, double y)
{
	double t = y * (1 - theta);

	if (t < -1)
		t = -1;
	return exp(fabs(t) > 1e-8 ? log1p(t) / t * y : y * (1 - t / 2));
}

static void zipf_init(struct draw *d)
{
	d->h_first = hat(d->value, 1.5) - 1;
	d->h_last = hat(d->value, (double)d->n + 0.5);
	d->near = 2 - hat_inverse(d->value, hat(d->value, 2.5) - pow(2, -d->value));
}

/* From 1. */
static uint64_t zipf_rank(struct draw *d)
{
	double n = (double)d->n;

	for (;;) {
		double u = d->h_last + uniform(&d->rng) * (d->h_first - d->h_last);
		double x = hat_inverse(d->value, u), k = floor(x + 0.5);

		k = k < 1 ? 1 : k > n ? n : k;
		if (k - x <= d->near || u >= hat(d->value, k + 0.5) - pow(k, -d->value))
			return (uint64_t)k;
	}
}

/* --- pareto, as fio has it: the share h of the blocks gets 1 - h of the I/Os, by inversion of
 * F(x) = x^(log(1 - h) / log(h)) --- */

static uint64_t pareto_rank(struct draw *d)
{
	double k = floor((double)d->n * pow(uniform(&d->rng), d->value));

	return k < (double)d->n ? (uint64_t)k : d->n - 1;
}

/* --- normal around the middle, cut at the ends: the polar method of G. Marsaglia and T. A. Bray,
 * "A convenient method for generating normal variables", SIAM Review 6, 1964 --- */

static double gauss(struct rng *r)
{
	double u, v, s;

	do {
		u = 2 * uniform(r) - 1;
		v = 2 * uniform(r) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s <= 0);
	return u * sqrt(-2 * log(s) / s);
}

static uint64_t normal_rank(struct draw *d)
{
	double k;

	do
		k = floor((double)d->n / 2 + d->value * gauss(&d->rng));
	while (k < 0 || k >= (double)d->n);
	return (uint64_t)k;
}

void draw_init(struct draw *d, const struct distribution *by, bool once, uint64_t n,
               uint64_t seed)
{
	static const enum draw_kind kind[] = {
		[DISTRIBUTION_RANDOM] = DRAW_AGAIN,
		[DISTRIBUTION_ZIPF] = DRAW_ZIPF,
		[DISTRIBUTION_PARETO] = DRAW_PARETO,
		[DISTRIBUTION_NORMAL] = DRAW_NORMAL,
	};

	*d = (struct draw){ .kind = kind[by->kind], .n = n, .value = by->value };
	if (once && d->kind == DRAW_AGAIN)
		d->kind = DRAW_ONCE;
	permute_init(&d->order, n, seed);
	rng_seed(&d->rng, ~seed);
	if (d->kind == DRAW_ZIPF)
		zipf_init(d);
	if (d->kind == DRAW_PARETO)
		d->value = log(by->value) / log1p(-by->value);
	if (d->kind == DRAW_NORMAL)
		d->value = by->value / 100 * (double)n;
}

uint64_t draw_next(struct draw *d)
{
	switch (d->kind) {
	case DRAW_ONCE:
		return permute_next(&d->order);
	case DRAW_AGAIN:
		return rng_below(&d->rng, d->n);
	case DRAW_ZIPF:
		return permute_at(&d->order, zipf_rank(d) - 1);
	case DRAW_PARETO:
		return permute_at(&d->order, pareto_rank(d));
	case DRAW_NORMAL:
		return permute_at(&d->order, normal_rank(d));
	}
	return 0;
}
