#include "cmd/compare_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "stat/quantile.h"

#define ENOUGH_DF 4 /* degrees of freedom that a class needs for a spread of its own */
#define ENOUGH_D  8 /* differences that tell their own scatter */
#define MORE_MAX  20
#define POWER_Z   0.84 /* the normal quantile of 0.8 */
#define MAD_TO_SD 1.482602218505602 /* of a normal distribution */

struct tally {              /* one side of one cell */
	size_t n;           /* runs that count for the mean */
	double sum, within; /* of levels; of the variances of the runs' own means */
	bool bare;          /* a run had no interval */
};

struct pool {
	double sum; /* squared deviations */
	size_t df;
};

struct work {
	struct tally *tally; /* cells x sides */
	struct pool *pool;   /* classes x sides, then all x sides */
	size_t *class_of;
	size_t classes;
};

static bool usable(const struct compare_point *p)
{
	return p->rate > 0 && isfinite(p->rate);
}

static void add_means(struct work *w, const struct compare_point *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tally *t = &w->tally[p[i].cell * COMPARE_SIDES + (size_t)p[i].side];

		if (!usable(&p[i]))
			continue;
		w->class_of[p[i].cell] = p[i].class;
		if (p[i].spread_only)
			continue;
		t->n++;
		t->sum += log(p[i].rate);
		t->bare |= isnan(p[i].half_width);
		t->within += isnan(p[i].half_width) ? 0 : pow(p[i].half_width / STAT_Z95, 2);
	}
}

/* Sum of squares about the mean of each side of each cell, its sentinels among them (West 1979:
 * one pass). */
static void add_spread(struct work *w, const struct compare_point *p, size_t n, size_t cells)
{
	struct moment {
		size_t n;
		double mean, m2;
	};
	AUTO(freep) struct moment *m = xcalloc(cells * COMPARE_SIDES + 1, sizeof(*m));

	for (size_t i = 0; i < n; i++) {
		struct moment *x = &m[p[i].cell * COMPARE_SIDES + (size_t)p[i].side];
		double d;

		if (!usable(&p[i]))
			continue;
		d = log(p[i].rate) - x->mean;
		x->mean += d / (double)++x->n;
		x->m2 += d * (log(p[i].rate) - x->mean);
	}
	for (size_t k = 0; k < cells * COMPARE_SIDES; k++) {
		size_t side = k % COMPARE_SIDES;
		struct pool *of[] = {
			&w->pool[w->class_of[k / COMPARE_SIDES] * COMPARE_SIDES + side],
			&w->pool[w->classes * COMPARE_SIDES + side]
		};

		for (size_t i = 0; m[k].n > 1 && i < ARRAY_SIZE(of); i++) {
			of[i]->sum += m[k].m2;
			of[i]->df += m[k].n - 1;
		}
	}
}

static double spread_of(const struct pool *p)
{
	return p->df ? sqrt(p->sum / (double)p->df) : (double)NAN;
}

static int by_value(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* Both sides together: a device that scatters does so in both. */
static struct pool pooled(const struct work *w, size_t class)
{
	const struct pool *own = &w->pool[class * COMPARE_SIDES],
			  *all = &w->pool[w->classes * COMPARE_SIDES];
	struct pool p = { own[0].sum + own[1].sum, own[0].df + own[1].df };

	return p.df >= ENOUGH_DF
	           ? p
	           : (struct pool){ all[0].sum + all[1].sum, all[0].df + all[1].df };
}

/* --- the common shift --- */

static size_t differences(const struct comparison *c, double *d)
{
	size_t n = 0;

	for (size_t i = 0; i < c->cells; i++)
		if (c->cell[i].verdict != COMPARE_ALONE)
			d[n++] = c->cell[i].d;
	qsort(d, n, sizeof(*d), by_value);
	return n;
}

static double middle(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* Median with the interval of order statistics, by the normal approximation to the binomial
 * (Conover 1999). */
static void find_shift(struct comparison *c)
{
	AUTO(freep) double *d = xcalloc(c->cells + 1, sizeof(*d));
	size_t n = differences(c, d);
	double reach = STAT_Z95 * sqrt((double)n) / 2;
	long low = (long)floor((double)n / 2 - reach), high = (long)ceil((double)n / 2 + reach);

	c->shift = c->shift_low = c->shift_high = (double)NAN;
	if (!n)
		return;
	c->shift = middle(d, n);
	c->shift_low = d[low < 0 ? 0 : low];
	c->shift_high = d[high >= (long)n ? (long)n - 1 : high];
}

/* Without repeats the differences of cells of which most did not change tell how much runs
 * scatter: their median absolute deviation about the common shift, as a standard deviation of
 * one run. */
static void find_scatter(struct comparison *c)
{
	AUTO(freep) double *d = xcalloc(c->cells + 1, sizeof(*d));
	size_t n = differences(c, d);

	c->source = COMPARE_UNKNOWN;
	c->used_spread = (double)NAN;
	if (n < ENOUGH_D)
		return;
	for (size_t i = 0; i < n; i++)
		d[i] = fabs(d[i] - c->shift);
	qsort(d, n, sizeof(*d), by_value);
	c->used_spread = MAD_TO_SD * middle(d, n) / sqrt(2);
	c->source = COMPARE_DIFFERENCES;
}

/* --- verdicts --- */

struct error {
	double variance; /* of d */
	double spread;   /* of one run */
	unsigned df;
};

static bool error_of(struct error *out, const struct comparison *c, const struct work *w,
                     const struct compare_cell *cell)
{
	const struct tally *t = &w->tally[cell->cell * COMPARE_SIDES];
	struct pool pool = pooled(w, cell->class);
	double runs = 1 / (double)cell->runs[COMPARE_A] + 1 / (double)cell->runs[COMPARE_B];

	*out = (struct error){ .spread = c->used_spread, .df = (unsigned)(c->both - 1) };
	if (c->source == COMPARE_REPEATS) {
		out->spread = spread_of(&pool);
		out->df = (unsigned)pool.df;
	}
	out->variance = out->spread * out->spread * runs;
	/* Scatter between runs, however it is found, holds that within them; only where it is
	 * smaller than the runs' own intervals say, these are believed. */
	for (int s = 0; s < COMPARE_SIDES; s++)
		if (!t[s].bare && t[s].n) {
			double own = t[s].within / pow((double)t[s].n, 2),
			       seen = out->spread * out->spread / (double)t[s].n;

			out->variance += own > seen ? own - seen : 0;
		}
	return c->source != COMPARE_UNKNOWN && out->df > 0;
}

/* Repeats on each side that are likely (80 %) to tell d from the border of the effect. */
static unsigned repeats_needed(const struct error *err, double d, double effect)
{
	double margin = fabs(fabs(d) - effect),
	       n = 2 * pow((STAT_Z95 + POWER_Z) * err->spread / margin, 2);

	return n < 1000 ? (unsigned)ceil(n) : 1000;
}

static void judge(struct comparison *c, const struct work *w, struct compare_cell *cell)
{
	struct error err;
	double se, reach;

	cell->low = cell->high = cell->p = cell->q = (double)NAN;
	if (!error_of(&err, c, w, cell))
		return;
	se = sqrt(err.variance);
	reach = stat_t_quantile(err.df, 0.975) * se;
	cell->low = cell->d - reach;
	cell->high = cell->d + reach;
	if (se > 0)
		cell->p = 2 * stat_t_below(err.df, -fabs(cell->d) / se);
	else
		cell->p = fabs(cell->d) > 0 ? 0 : 1;
}

static int by_p(const void *pa, const void *pb)
{
	double a = (*(struct compare_cell *const *)pa)->p,
	       b = (*(struct compare_cell *const *)pb)->p;

	return (a > b) - (a < b);
}

static void correct(struct comparison *c)
{
	AUTO(freep)
	struct compare_cell **order = xcalloc(c->cells + 1, sizeof(struct compare_cell *));
	size_t m = 0;
	double least = 1;

	for (size_t i = 0; i < c->cells; i++)
		if (c->cell[i].verdict != COMPARE_ALONE && !isnan(c->cell[i].p))
			order[m++] = &c->cell[i];
	qsort(order, m, sizeof(struct compare_cell *), by_p);
	for (size_t i = m; i-- > 0;) {
		double q = order[i]->p * (double)m / (double)(i + 1);

		least = q < least ? q : least;
		order[i]->q = least;
	}
}

/* The 90 % interval lies within the effect. */
static bool is_same(const struct comparison *c, const struct work *w,
                    const struct compare_cell *cell, double effect)
{
	struct error err;
	double reach;

	if (!error_of(&err, c, w, cell))
		return false;
	reach = stat_t_quantile(err.df, 0.95) * sqrt(err.variance);
	return cell->d - reach > -effect && cell->d + reach < effect;
}

static void decide(struct comparison *c, const struct work *w, double effect)
{
	unsigned more[MORE_MAX + 1] = { 0 };
	struct error err;
	size_t sum = 0;

	for (size_t i = 0; i < c->cells; i++) {
		struct compare_cell *cell = &c->cell[i];

		if (cell->verdict == COMPARE_ALONE)
			continue;
		if (cell->q <= COMPARE_RATE && fabs(cell->d) >= effect) {
			cell->verdict = COMPARE_CHANGED;
			c->changed++;
			c->up += cell->d > 0;
			c->down += cell->d < 0;
		} else if (is_same(c, w, cell, effect)) {
			cell->verdict = COMPARE_SAME;
			c->same++;
		} else {
			unsigned have =
				     (unsigned)(cell->runs[0] < cell->runs[1] ? cell->runs[0]
			                                                      : cell->runs[1]),
				 need;

			c->undecided++;
			need = error_of(&err, c, w, cell)
			           ? repeats_needed(&err, cell->d, effect)
			           : 1000;
			need = need > have ? need - have : 1;
			cell->more = need <= MORE_MAX ? need : 0;
			more[cell->more]++;
		}
	}
	/* the fewest that settle most of those that can be settled */
	for (unsigned k = 1; k <= MORE_MAX; k++) {
		sum += more[k];
		if (sum * 10 < (c->undecided - more[0]) * 9 || !sum)
			continue;
		c->more = k;
		c->settled = sum;
		break;
	}
}

static void make_cells(struct comparison *c, const struct work *w, size_t cells)
{
	c->cell = xcalloc(cells + 1, sizeof(*c->cell));
	for (size_t i = 0; i < cells; i++) {
		const struct tally *t = &w->tally[i * COMPARE_SIDES];
		struct compare_cell cell = { .cell = i,
			                     .class = w->class_of[i],
			                     .verdict = COMPARE_UNDECIDED };

		if (!t[0].n && !t[1].n)
			continue;
		for (int s = 0; s < COMPARE_SIDES; s++) {
			cell.runs[s] = t[s].n;
			cell.mean[s] = t[s].n ? exp(t[s].sum / (double)t[s].n) : (double)NAN;
		}
		cell.d = log(cell.mean[COMPARE_B] / cell.mean[COMPARE_A]);
		if (!t[0].n || !t[1].n) {
			cell.verdict = COMPARE_ALONE;
			cell.low = cell.high = cell.p = cell.q = (double)NAN;
			c->only[t[0].n ? COMPARE_A : COMPARE_B]++;
		} else {
			c->both++;
		}
		c->cell[c->cells++] = cell;
	}
}

void compare_find(struct comparison *out, const struct compare_point *p, size_t n, size_t cells,
                  size_t classes, double effect)
{
	AUTO(freep) struct tally *tally = xcalloc(cells * COMPARE_SIDES + 1, sizeof(*tally));
	AUTO(freep) struct pool *pool = xcalloc((classes + 1) * COMPARE_SIDES, sizeof(*pool));
	AUTO(freep) size_t *class_of = xcalloc(cells + 1, sizeof(*class_of));
	struct work w = { tally, pool, class_of, classes };
	double border = log1p(effect); /* as d is a logarithm */
	struct pool all;

	*out = (struct comparison){ .source = COMPARE_REPEATS };
	add_means(&w, p, n);
	add_spread(&w, p, n, cells);
	make_cells(out, &w, cells);
	find_shift(out);
	for (int s = 0; s < COMPARE_SIDES; s++)
		out->spread[s] = spread_of(&pool[classes * COMPARE_SIDES + (size_t)s]);
	all = pooled(&w, classes);
	out->used_spread = spread_of(&all);
	if (!all.df)
		find_scatter(out);
	for (size_t i = 0; i < out->cells; i++)
		if (out->cell[i].verdict != COMPARE_ALONE)
			judge(out, &w, &out->cell[i]);
	correct(out);
	decide(out, &w, border);
}
