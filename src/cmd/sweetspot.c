#include "cmd/sweetspot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

struct cells {
	struct spot_cell *cell;
	size_t len;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_choice(const void *pa, const void *pb)
{
	const struct spot_point *a = *(const struct spot_point *const *)pa;
	const struct spot_point *b = *(const struct spot_point *const *)pb;
	int r = compare(a->condition, b->condition);

	r = r ? r : compare(a->bs, b->bs);
	r = r ? r : compare(a->numjobs, b->numjobs);
	r = r ? r : compare(a->iodepth, b->iodepth);
	return r ? r : strcmp(a->engine, b->engine);
}

static bool rankable(const struct spot_point *p)
{
	return !p->doubted && !isnan(p->bw_mib_s);
}

/* Mean of the member at `off` over the points that may be ranked and have it; NaN when there is
 * none. */
static double mean(const struct spot_point *const *p, size_t n, size_t off)
{
	double sum = 0;
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		double v = *(const double *)(const void *)((const char *)p[i] + off);

		if (!rankable(p[i]) || isnan(v))
			continue;
		sum += v;
		have++;
	}
	return have ? sum / (double)have : (double)NAN;
}

/* The repeats of one choice as one cell; runs is 0 when none may be ranked. */
static struct spot_cell merge(const struct spot_point *const *p, size_t n)
{
	struct spot_cell c = { .condition = p[0]->condition,
		               .bs = p[0]->bs,
		               .numjobs = p[0]->numjobs,
		               .iodepth = p[0]->iodepth,
		               .engine = p[0]->engine };

	for (size_t i = 0; i < n; i++)
		c.runs += rankable(p[i]);
	c.bw_mib_s = mean(p, n, offsetof(struct spot_point, bw_mib_s));
	c.iops = mean(p, n, offsetof(struct spot_point, iops));
	for (size_t op = 0; op < SPOT_OPS; op++) {
		size_t at = op * sizeof(double);

		c.lat_mean_us[op] = mean(p, n, offsetof(struct spot_point, lat_mean_us) + at);
		c.lat_p99_us[op] = mean(p, n, offsetof(struct spot_point, lat_p99_us) + at);
	}
	return c;
}

/* Points in order of choice; the repeats of each become a cell. */
static struct cells merge_all(const struct spot_point *const *p, size_t n)
{
	struct cells cells = { .cell = xcalloc(n, sizeof(*cells.cell)) };

	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && !by_choice(&p[i], &p[next]);)
			next++;
		cells.cell[cells.len] = merge(p + i, next - i);
		if (cells.cell[cells.len].runs)
			cells.len++;
	}
	return cells;
}

static bool cheaper(const struct spot_cell *a, const struct spot_cell *b)
{
	double in_flight_a = (double)a->numjobs * (double)a->iodepth;
	double in_flight_b = (double)b->numjobs * (double)b->iodepth;

	if (in_flight_a < in_flight_b || in_flight_a > in_flight_b)
		return in_flight_a < in_flight_b;
	if (a->numjobs != b->numjobs)
		return a->numjobs < b->numjobs;
	return a->bw_mib_s > b->bw_mib_s;
}

/* Highest bandwidth among the cells of one size; -1 when the sweep has none. */
static double size_best(const struct cells *c, uint64_t bs)
{
	double best = -1;

	for (size_t i = 0; i < c->len; i++)
		if (c->cell[i].bs == bs && c->cell[i].bw_mib_s > best)
			best = c->cell[i].bw_mib_s;
	return best;
}

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : 1;
}

static void find_neighbours(struct spot *s, const struct cells *c)
{
	for (size_t i = 0; i < c->len; i++) { /* ascending by bs */
		if (c->cell[i].bs < s->sweet.bs)
			s->smaller_bs = c->cell[i].bs;
		if (c->cell[i].bs > s->sweet.bs && !s->larger_bs)
			s->larger_bs = c->cell[i].bs;
	}
	if (s->smaller_bs)
		s->smaller_share = share(size_best(c, s->smaller_bs), s->best.bw_mib_s);
	if (s->larger_bs)
		s->larger_share = share(size_best(c, s->larger_bs), s->best.bw_mib_s);
}

/* c: the cells of one condition, at least one. */
static void find(struct spot *s, const struct cells *c)
{
	s->best = s->peak = c->cell[0];
	for (size_t i = 1; i < c->len; i++) {
		if (c->cell[i].bw_mib_s > s->best.bw_mib_s)
			s->best = c->cell[i];
		if (c->cell[i].iops > s->peak.iops)
			s->peak = c->cell[i];
	}
	s->sweet = s->best;
	s->cheap = s->peak;
	for (size_t i = 0; i < c->len; i++) {
		const struct spot_cell *k = &c->cell[i];

		if (k->bw_mib_s >= SPOT_SHARE * s->best.bw_mib_s &&
		    (k->bs < s->sweet.bs || (k->bs == s->sweet.bs && cheaper(k, &s->sweet))))
			s->sweet = *k;
		if (k->bs == s->peak.bs && k->iops >= SPOT_SHARE * s->peak.iops &&
		    cheaper(k, &s->cheap))
			s->cheap = *k;
	}
	find_neighbours(s, c);
}

static void count(struct spot *s, const struct spot_point *const *p, size_t n)
{
	s->condition = p[0]->condition;
	for (size_t i = 0; i < n; i++) {
		s->doubted += p[i]->doubted;
		s->ranked += rankable(p[i]);
	}
}

size_t sweetspot_find(struct spot **out, const struct spot_point *points, size_t n)
{
	AUTO(freep) const struct spot_point **p = xcalloc(n + 1, sizeof(struct spot_point *));
	struct spot *spots = xcalloc(n + 1, sizeof(*spots));
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		p[i] = &points[i];
	qsort(p, n, sizeof(struct spot_point *), by_choice);
	for (size_t i = 0, next; i < n; i = next) {
		struct cells cells;

		for (next = i + 1; next < n && p[next]->condition == p[i]->condition;)
			next++;
		count(&spots[len], p + i, next - i);
		cells = merge_all(p + i, next - i);
		if (cells.len)
			find(&spots[len], &cells);
		free(cells.cell);
		len++;
	}
	*out = spots;
	return len;
}
