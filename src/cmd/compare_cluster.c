#include "cmd/compare_cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "stat/quantile.h"

#define PURE      0.8       /* of the cells that a description matches must have changed so */
#define LEAST     3         /* cells */
#define TERMS_MAX 512       /* single descriptions that are tried */
#define PAIRS_MAX 500000000 /* comparisons for pairs of them, a second or so */

struct search {
	const struct compare_data *d;
	const struct compare_cell **cell; /* on both sides */
	int8_t *way; /* of each: -1 fell, 1 rose, 0 did neither, or is described already */
	int8_t *all; /* the same, of all */
	/* Those that changed the way that is looked for, and are not described yet. */
	const struct compare_cell **fresh;
	size_t fresh_n;
	size_t n;
	struct cluster_term term[TERMS_MAX];
	size_t terms;
};

static bool matches(const struct search *s, const struct compare_cell *c,
                    const struct cluster_term *t)
{
	uint32_t v = s->d->value[c->cell * s->d->axes + t->axis];

	return v >= t->low && v <= t->high;
}

static bool matches_all(const struct search *s, const struct compare_cell *c,
                        const struct cluster *k)
{
	for (size_t i = 0; i < k->terms; i++)
		if (!matches(s, c, &k->term[i]))
			return false;
	return true;
}

static void add_term(struct search *s, size_t axis, size_t low, size_t high)
{
	if (s->terms < TERMS_MAX)
		s->term[s->terms++] =
		    (struct cluster_term){ axis, (uint32_t)low, (uint32_t)high };
}

/* "= v", and for numbers "<= v" and ">= v". */
static void make_terms(struct search *s)
{
	for (size_t a = 0; a < s->d->axes; a++) {
		const struct compare_axis *axis = &s->d->axis[a];
		size_t n = axis->value.len;

		if (n < 2)
			continue;
		for (size_t v = 0; v < n; v++) {
			add_term(s, a, v, v);
			if (axis->ordered && v > 0 && v < n - 1) {
				add_term(s, a, 0, v);
				add_term(s, a, v, n - 1);
			}
		}
	}
}

static size_t count_fresh(const struct search *s, const struct cluster *k)
{
	size_t n = 0;

	for (size_t i = 0; i < s->fresh_n; i++)
		n += matches_all(s, s->fresh[i], k);
	return n;
}

static void count_all(const struct search *s, struct cluster *k, int way)
{
	k->cells = k->changed = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!matches_all(s, s->cell[i], k))
			continue;
		k->cells++;
		k->changed += s->all[i] == way;
	}
}

/* How well a description fits: the number of changed cells, not described yet, that it matches,
 * less what it matches besides (F1 of precision and recall would weigh the same, without
 * keeping it pure). All cells are looked at only when the changed ones could be enough. */
static void keep_better(const struct search *s, struct cluster *best, double *best_score,
                        struct cluster *k, int way)
{
	const double worth = 1 - 0.1 * (double)k->terms; /* one more term must be worth it */
	const size_t fresh = count_fresh(s, k);
	double now;

	if (fresh < LEAST || (double)fresh * worth <= *best_score)
		return;
	count_all(s, k, way);
	if ((double)k->changed < PURE * (double)k->cells)
		return;
	now = ((double)fresh - (double)(k->cells - k->changed)) * worth;
	if (now > *best_score) {
		*best_score = now;
		*best = *k;
	}
}

static double best_cluster(struct search *s, struct cluster *best, int way)
{
	double best_score = 0;
	struct cluster k = { 0 };

	s->fresh_n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->way[i] == way)
			s->fresh[s->fresh_n++] = s->cell[i];
	if (s->fresh_n < LEAST)
		return 0;
	keep_better(s, best, &best_score, &k, way);
	for (size_t i = 0; i < s->terms; i++) {
		k = (struct cluster){ .term = { s->term[i] }, .terms = 1 };
		keep_better(s, best, &best_score, &k, way);
	}
	for (size_t i = 0; i < s->terms && s->fresh_n * s->terms * s->terms < PAIRS_MAX; i++)
		for (size_t j = i + 1; j < s->terms; j++) {
			if (s->term[i].axis == s->term[j].axis)
				continue;
			k = (struct cluster){ .term = { s->term[i], s->term[j] }, .terms = 2 };
			keep_better(s, best, &best_score, &k, way);
		}
	return best_score;
}

/* Mean difference of the cells it describes, and mark them as described. */
static void describe(struct search *s, struct cluster *k, int way)
{
	double sum = 0, squares = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!matches_all(s, s->cell[i], k))
			continue;
		if (s->way[i] == way)
			s->way[i] = 0;
		sum += s->cell[i]->d;
		squares += s->cell[i]->d * s->cell[i]->d;
		n++;
	}
	k->d = sum / (double)n;
	k->low = k->high = k->d;
	if (n > 1) {
		double variance = (squares - sum * k->d) / (double)(n - 1),
		       reach = STAT_Z95 * sqrt(fmax(variance, 0) / (double)n);

		k->low -= reach;
		k->high += reach;
	}
}

size_t cluster_find(struct cluster out[CLUSTER_MAX], const struct compare_data *d,
                    const struct comparison *c)
{
	AUTO(freep)
	const struct compare_cell **cell = xcalloc(c->cells + 1, sizeof(struct compare_cell *));
	AUTO(freep) int8_t *way = xcalloc(c->cells + 1, 1);
	AUTO(freep) int8_t *all = xcalloc(c->cells + 1, 1);
	AUTO(freep)
	const struct compare_cell **fresh =
	    xcalloc(c->cells + 1, sizeof(struct compare_cell *));
	struct search s = { .d = d, .cell = cell, .way = way, .all = all, .fresh = fresh };
	size_t n = 0;

	for (size_t i = 0; i < c->cells; i++) {
		const struct compare_cell *k = &c->cell[i];

		if (k->verdict == COMPARE_ALONE)
			continue;
		cell[s.n] = k;
		all[s.n] = way[s.n] = (int8_t)(k->verdict != COMPARE_CHANGED ? 0
		                               : k->d > 0                    ? 1
		                                                             : -1);
		s.n++;
	}
	make_terms(&s);
	while (n < CLUSTER_MAX) {
		struct cluster down = { 0 }, up = { 0 };
		double falls = best_cluster(&s, &down, -1), rises = best_cluster(&s, &up, 1);

		if (falls <= 0 && rises <= 0)
			break;
		out[n] = falls >= rises ? down : up;
		describe(&s, &out[n++], falls >= rises ? -1 : 1);
	}
	return n;
}
