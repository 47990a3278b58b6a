#include "cmd/best_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "stat/quantile.h"

#define TOLERANCE 0.02 /* by which a cell must be better to push another off the front */

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_choice(const struct best_choice *a, const struct best_choice *b)
{
	int r = compare(a->bs, b->bs);

	r = r ? r : compare(a->numjobs, b->numjobs);
	r = r ? r : compare(a->iodepth, b->iodepth);
	r = r ? r : strcmp(a->engine, b->engine);
	return r ? r : strcmp(a->rest, b->rest);
}

static int by_group(const void *pa, const void *pb)
{
	const struct best_point *a = *(const struct best_point *const *)pa;
	const struct best_point *b = *(const struct best_point *const *)pb;
	int r = compare(a->group, b->group);

	return r ? r : by_choice(&a->choice, &b->choice);
}

static bool has_rate(const struct best_point *p)
{
	return p->value[BEST_RATE] > 0 && isfinite(p->value[BEST_RATE]);
}

static double level_of(double rate, const struct best_ask *ask)
{
	return ask->lower ? -log(rate) : log(rate);
}

/* --- repeats to cells --- */

struct part { /* the points of a group, in order of choice */
	const struct best_point *const *p;
	size_t n;
	bool all_doubted;
};

static bool ranked(const struct part *part, size_t i)
{
	return has_rate(part->p[i]) && (part->all_doubted || !*part->p[i]->doubts);
}

static size_t same_choice(const struct part *part, size_t from)
{
	size_t to = from + 1;

	while (to < part->n && !by_choice(&part->p[from]->choice, &part->p[to]->choice))
		to++;
	return to;
}

static double mean_of(const struct part *part, size_t from, size_t to, size_t value)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		double v = part->p[i]->value[value];

		if (!ranked(part, i) || isnan(v))
			continue;
		sum += v;
		n++;
	}
	return n ? sum / (double)n : (double)NAN;
}

/* Sum of the squared deviations of the levels from their mean. */
static double deviations(const struct part *part, size_t from, size_t to,
                         const struct best_ask *ask)
{
	double mean = 0, sum = 0;
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (ranked(part, i)) {
			mean += level_of(part->p[i]->value[BEST_RATE], ask);
			n++;
		}
	mean /= n ? (double)n : 1;
	for (size_t i = from; i < to; i++)
		if (ranked(part, i))
			sum += pow(level_of(part->p[i]->value[BEST_RATE], ask) - mean, 2);
	return sum;
}

/* Variance of the mean of n runs from their own intervals; NaN when one has none. */
static double within_runs(const struct part *part, size_t from, size_t to, size_t n)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		if (ranked(part, i))
			sum += pow(part->p[i]->value[BEST_HALF_WIDTH] / STAT_Z95, 2);
	return sum / pow((double)n, 2);
}

static size_t count_ranked(const struct part *part, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += ranked(part, i);
	return n;
}

/* Pooled over all choices that were repeated. */
static double run_spread(const struct part *part, const struct best_ask *ask)
{
	double sum = 0;
	size_t freedom = 0;

	for (size_t i = 0, to; i < part->n; i = to) {
		size_t n;

		to = same_choice(part, i);
		n = count_ranked(part, i, to);
		if (n < 2)
			continue;
		sum += deviations(part, i, to, ask);
		freedom += n - 1;
	}
	return freedom ? sqrt(sum / (double)freedom) : (double)NAN;
}

static void add_cell(struct best_group *g, const struct part *part, size_t from, size_t to,
                     const struct best_ask *ask)
{
	size_t n = count_ranked(part, from, to);
	struct best_cell c = { .choice = part->p[from]->choice, .held = "", .runs = n };
	double within, between;

	if (!n)
		return;
	for (size_t v = 0; v < BEST_VALUES; v++)
		c.value[v] = mean_of(part, from, to, v);
	for (size_t i = from; i < to; i++)
		if (ranked(part, i) && *part->p[i]->held)
			c.held = part->p[i]->held;
	within = within_runs(part, from, to, n);
	between = g->spread * g->spread / (double)n;
	c.variance = (isnan(within) ? 0 : within) + (isnan(between) ? 0 : between);
	c.value[BEST_HALF_WIDTH] =
	    isnan(within) && isnan(between) ? (double)NAN : STAT_Z95 * sqrt(c.variance);
	c.level = level_of(c.value[BEST_RATE], ask);
	g->cell[g->cells++] = c;
}

/* --- the answers --- */

static bool cheaper(const struct best_cell *a, const struct best_cell *b)
{
	double in_flight_a = (double)a->choice.numjobs * (double)a->choice.iodepth;
	double in_flight_b = (double)b->choice.numjobs * (double)b->choice.iodepth;

	if (in_flight_a < in_flight_b || in_flight_a > in_flight_b)
		return in_flight_a < in_flight_b;
	if (a->choice.numjobs != b->choice.numjobs)
		return a->choice.numjobs < b->choice.numjobs;
	return a->level > b->level;
}

/* A cell is tied with the best when it lies no further below than the z of a one-sided test at
 * 5 % over all others allows (multiple comparisons with the best: Hsu 1984, by Bonferroni's
 * bound). */
static void find_ties(struct best_group *g)
{
	double z = stat_normal_quantile(1 - 0.05 / (g->cells > 1 ? (double)(g->cells - 1) : 1));

	g->cheapest_tie = g->peak;
	for (size_t i = 0; i < g->cells; i++) {
		const struct best_cell *c = &g->cell[i];
		bool self = !by_choice(&c->choice, &g->peak.choice);

		if (!self &&
		    c->level < g->peak.level - z * sqrt(c->variance + g->peak.variance))
			continue;
		g->ties++;
		if (cheaper(c, &g->cheapest_tie))
			g->cheapest_tie = *c;
	}
}

static void judge_size(const struct best_group *g, struct best_size *s,
                       const struct best_ask *ask)
{
	bool known =
	    !isnan(s->best.value[BEST_HALF_WIDTH]) && !isnan(g->peak.value[BEST_HALF_WIDTH]);
	bool self = !by_choice(&s->best.choice, &g->peak.choice);
	double below = s->best.level - g->peak.level, margin = below - log(ask->within);
	double se = self ? 0 : sqrt(s->best.variance + g->peak.variance);

	s->share = exp(below);
	s->half_width = known ? s->share * STAT_Z95 * se : (double)NAN;
	/* by the interval that is said */
	if (known && !self && fabs(s->share - ask->within) < s->half_width)
		s->reach = BEST_BORDERLINE;
	else
		s->reach = margin >= 0 ? BEST_REACHES : BEST_BELOW;
}

static void find_sizes(struct best_group *g, const struct best_ask *ask)
{
	struct best_size *last = NULL;

	for (size_t i = 0; i < g->cells; i++) { /* ascending by bs */
		const struct best_cell *c = &g->cell[i];

		if (last && last->best.choice.bs == c->choice.bs) {
			if (c->level > last->best.level)
				last->best = *c;
			continue;
		}
		last = &g->size[g->sizes++];
		last->best = *c;
	}
	for (size_t i = 0; i < g->sizes; i++)
		judge_size(g, &g->size[i], ask);
}

static void find_sweet(struct best_group *g, const struct best_ask *ask)
{
	double enough = g->peak.level + log(ask->within);

	g->sweet = g->peak;
	for (size_t i = 0; i < g->cells; i++) {
		const struct best_cell *c = &g->cell[i];

		if (c->level >= enough &&
		    (c->choice.bs < g->sweet.choice.bs ||
		     (c->choice.bs == g->sweet.choice.bs && cheaper(c, &g->sweet))))
			g->sweet = *c;
	}
}

static bool within_limit(const struct best_ask *ask, size_t limit, double v)
{
	return ask->at_most[limit] ? v <= ask->limit[limit] : v >= ask->limit[limit];
}

static void find_limits(struct best_group *g, const struct best_ask *ask)
{
	for (size_t l = 0; l < ask->limits; l++) {
		struct best_met *met = &g->limit[l];

		for (size_t i = 0; i < g->cells; i++) {
			const struct best_cell *c = &g->cell[i];

			if (!within_limit(ask, l, c->value[BEST_LIMIT + l]) ||
			    (met->met && c->value[BEST_IOPS] <= met->cell.value[BEST_IOPS]))
				continue;
			*met = (struct best_met){ .met = true, .cell = *c };
		}
		if (met->met && !isnan(met->cell.value[BEST_FAR + l]))
			met->borderline = !within_limit(ask, l, met->cell.value[BEST_FAR + l]);
	}
}

static void find_least_cpu(struct best_group *g)
{
	for (size_t i = 0; i < g->cells; i++) {
		double cpu = g->cell[i].value[BEST_CPU];

		if (!isnan(cpu) && (!g->least_cpu.runs || cpu < g->least_cpu.value[BEST_CPU]))
			g->least_cpu = g->cell[i];
	}
}

double best_p99(const struct best_cell *c)
{
	double worst = (double)NAN;

	for (size_t op = 0; op < BEST_OPS; op++) {
		double p99 = c->value[BEST_P99 + op];

		if (isnan(c->value[BEST_MEAN + op]))
			continue; /* no such op */
		if (isnan(p99))
			return p99;
		if (isnan(worst) || p99 > worst)
			worst = p99;
	}
	return worst;
}

/* Is b better than a by more than the tolerance in one and no worse by more than it in the
 * other? */
static bool beats(const struct best_cell *b, const struct best_cell *a)
{
	double rate = b->level - a->level, p99 = log(best_p99(a) / best_p99(b));

	return (rate > TOLERANCE && p99 >= -TOLERANCE) ||
	       (p99 > TOLERANCE && rate >= -TOLERANCE);
}

static int by_level(const void *pa, const void *pb, void *arg)
{
	const struct best_cell *cell = arg;
	double a = cell[*(const size_t *)pa].level, b = cell[*(const size_t *)pb].level;

	return (a > b) - (a < b);
}

static bool beaten_by_front(const struct best_group *g, const struct best_cell *c)
{
	for (size_t k = 0; k < g->fronts; k++)
		if (beats(&g->cell[g->front[k]], c))
			return true;
	return false;
}

/* From the fastest down, so that only what is on the front already has to be looked at; equal
 * rates come in no order, which the second look mends. */
static void find_front(struct best_group *g)
{
	AUTO(freep) size_t *order = xcalloc(g->cells + 1, sizeof(*order));
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < g->cells; i++)
		if (best_p99(&g->cell[i]) > 0)
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), by_level, g->cell);
	for (size_t i = n; i-- > 0;)
		if (!beaten_by_front(g, &g->cell[order[i]]))
			g->front[g->fronts++] = order[i];
	for (size_t i = 0; i < g->fronts; i++)
		if (!beaten_by_front(g, &g->cell[g->front[i]]))
			order[kept++] = g->front[i];
	memcpy(g->front, order, kept * sizeof(*order));
	g->fronts = kept;
}

static void find_doubted(struct best_group *g, const struct part *part,
                         const struct best_ask *ask)
{
	double level = g->cells ? g->peak.level : -(double)INFINITY;

	g->in_doubt.doubts = "";
	if (part->all_doubted)
		return;
	for (size_t i = 0; i < part->n; i++) {
		const struct best_point *p = part->p[i];

		if (!has_rate(p) || !*p->doubts || level_of(p->value[BEST_RATE], ask) <= level)
			continue;
		level = level_of(p->value[BEST_RATE], ask);
		g->in_doubt = *p;
	}
}

static void find(struct best_group *g, const struct part *part, const struct best_ask *ask)
{
	g->cell = xcalloc(part->n, sizeof(*g->cell));
	g->size = xcalloc(part->n, sizeof(*g->size));
	g->front = xcalloc(part->n, sizeof(*g->front));
	g->spread = run_spread(part, ask);
	for (size_t i = 0, to; i < part->n; i = to) {
		to = same_choice(part, i);
		add_cell(g, part, i, to, ask);
	}
	for (size_t i = 0; i < g->cells; i++)
		if (!i || g->cell[i].level > g->peak.level)
			g->peak = g->cell[i];
	find_doubted(g, part, ask);
	if (!g->cells)
		return;
	find_ties(g);
	find_sizes(g, ask);
	find_sweet(g, ask);
	find_limits(g, ask);
	find_least_cpu(g);
	find_front(g);
}

size_t best_find(struct best_group **out, const struct best_point *points, size_t n,
                 const struct best_ask *ask)
{
	AUTO(freep) const struct best_point **p = xcalloc(n + 1, sizeof(struct best_point *));
	struct best_group *groups;
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		p[i] = &points[i];
	qsort(p, n, sizeof(struct best_point *), by_group);
	for (size_t i = 0; i < n; i++)
		len += !i || p[i]->group != p[i - 1]->group;
	groups = xcalloc(len + 1, sizeof(*groups));
	len = 0;
	for (size_t i = 0, to; i < n; i = to) {
		struct best_group *g = &groups[len++];

		g->group = p[i]->group;
		for (to = i; to < n && p[to]->group == g->group; to++)
			g->doubted += *p[to]->doubts != '\0';
		g->runs = to - i;
		g->all_doubted = g->doubted == g->runs;
		find(g,
		     &(struct part){ .p = p + i, .n = g->runs, .all_doubted = g->all_doubted },
		     ask);
	}
	*out = groups;
	return len;
}

void best_free(struct best_group *groups, size_t n)
{
	for (size_t i = 0; groups && i < n; i++) {
		free(groups[i].cell);
		free(groups[i].size);
		free(groups[i].front);
	}
	free(groups);
}
