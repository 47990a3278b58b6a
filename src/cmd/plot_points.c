#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/plot_lines.h"
#include "stat/quantile.h"

/* --- cells to points --- */

struct sum { /* one cell */
	const struct plot_line *first;
	size_t n, of; /* runs free of doubt; all */
	double sum, squares, half, dirty;
};

static int same_cell(const struct plot_lines *l, const struct plot_line *a,
                     const struct plot_line *b)
{
	for (size_t n = 0; n < N_COUNT; n++) {
		/* most are equal: numbers need not be read from them */
		int r = strcmp(a->name[n], b->name[n])
		            ? plot_compare_names(a->name[n], b->name[n])
		            : 0;

		if (r)
			return r;
	}
	for (size_t i = 0; i < l->vary.len; i++) {
		int r = strcmp(a->cell[i], b->cell[i]);

		if (r)
			return r;
	}
	return 0;
}

static int by_cell(const void *pa, const void *pb, void *arg)
{
	return same_cell(arg, pa, pb);
}

static double mean_of(const struct sum *c)
{
	return c->n ? c->sum / (double)c->n : c->dirty / (double)c->of;
}

/* 95 % of the mean: by the repeats when there are three or more, else by the run's own
 * interval. */
static double reach_of(const struct sum *c)
{
	double mean = mean_of(c), variance;

	if (c->n >= 3) {
		variance = fmax(0, (c->squares - c->sum * mean) / (double)(c->n - 1));
		return stat_t_quantile((unsigned)c->n - 1, 0.975) *
		       sqrt(variance / (double)c->n);
	}
	return c->n && !isnan(c->half) ? mean * c->half / sqrt((double)c->n) : (double)NAN;
}

static struct sum sum_of(const struct plot_lines *l, size_t from, size_t to)
{
	struct sum c = { .first = &l->item[from], .of = to - from };

	for (size_t i = from; i < to; i++) {
		const struct plot_line *line = &l->item[i];

		c.dirty += line->y;
		if (line->doubted)
			continue;
		c.n++;
		c.sum += line->y;
		c.squares += line->y * line->y;
		c.half = c.n == 1 ? line->half : fmax(c.half, line->half);
	}
	return c;
}

void plot_add_point(struct plot_data *d, const struct plot_point *p)
{
	if (!(d->points & (d->points - 1)))
		d->point = xrealloc(d->point, d->points ? 2 * d->points : 1, sizeof(*d->point));
	d->point[d->points++] = *p;
}

static struct plot_point point_of(const struct plot_data *d, const struct sum *c,
                                  const struct plot_query *q)
{
	double y = mean_of(c), reach = reach_of(c);
	struct plot_point p = { .panel = plot_index(&d->panel, c->first->name[N_PANEL]),
		                .series = plot_index(&d->series, c->first->name[N_SERIES]),
		                .x = d->x.scale == SCALE_TEXT
		                         ? (double)plot_index(&d->x.value, c->first->name[N_X])
		                         : c->first->x,
		                .y = y,
		                .low = y - reach,
		                .high = y + reach,
		                .doubted = c->n == 0 };

	p.order =
	    q->label && plot_is_number(q->label) ? strtod(c->first->name[N_LABEL], NULL) : p.x;
	(void)snprintf(p.label, sizeof(p.label), "%.31s",
	               q->label ? c->first->name[N_LABEL] : "");
	return p;
}

/* A point in doubt never stands where a clean one could. */
static bool better(const struct plot_point *a, const struct plot_point *b, bool lower)
{
	if (a->doubted != b->doubted)
		return b->doubted;
	return lower ? a->y < b->y : a->y > b->y;
}

static int same_place(const struct plot_point *a, const struct plot_point *b)
{
	if (a->panel != b->panel)
		return a->panel < b->panel ? -1 : 1;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	if (a->order < b->order || a->order > b->order)
		return a->order < b->order ? -1 : 1;
	return (a->x > b->x) - (a->x < b->x);
}

static int by_place(const void *a, const void *b)
{
	return same_place(a, b);
}

void plot_sort_points(struct plot_data *d)
{
	if (d->points)
		qsort(d->point, d->points, sizeof(*d->point), by_place);
}

/* With a label, points that bear the same one are one place, wherever they lie. */
static bool one_place(const struct plot_point *a, const struct plot_point *b, bool labelled)
{
	if (a->panel != b->panel || a->series != b->series)
		return false;
	return labelled ? !strcmp(a->label, b->label) : !(a->x < b->x) && !(a->x > b->x);
}

static void keep_best(struct plot_data *d, bool lower, bool labelled)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->points; i++) {
		struct plot_point *last = kept ? &d->point[kept - 1] : NULL;

		if (!last || !one_place(last, &d->point[i], labelled))
			d->point[kept++] = d->point[i];
		else if (better(&d->point[i], last, lower))
			*last = d->point[i];
	}
	d->points = kept;
}

void plot_make_points(struct plot_data *d, struct plot_lines *l, const struct plot_query *q)
{
	const struct metric *m = metric_find(q->y);

	if (l->len)
		qsort_r(l->item, l->len, sizeof(*l->item), by_cell, l);
	for (size_t i = 0, to; i < l->len; i = to) {
		struct sum c;
		struct plot_point p;

		for (to = i + 1; to < l->len && !same_cell(l, &l->item[i], &l->item[to]);)
			to++;
		c = sum_of(l, i, to);
		p = point_of(d, &c, q);
		plot_add_point(d, &p);
	}
	plot_sort_points(d);
	if (!q->all)
		keep_best(d, m && m->better == METRIC_LOWER, q->label != NULL);
}

/* --- ratio of two choices --- */

int plot_ratio_parse(struct plot_ratio *r, const char *text, struct err *e)
{
	const char *eq = strchr(text, '='), *slash = eq ? strchr(eq, '/') : NULL;

	if (!slash || eq == text || slash == eq + 1 || !slash[1])
		return err_set(
		    e, -EINVAL,
		    "--ratio: '%s': wanted AXIS=ONE/OTHER, as ioengine=io_uring/libaio", text);
	(void)snprintf(r->axis, sizeof(r->axis), "%.*s", (int)(eq - text), text);
	(void)snprintf(r->of, sizeof(r->of), "%.*s", (int)(slash - eq - 1), eq + 1);
	(void)snprintf(r->over, sizeof(r->over), "%s", slash + 1);
	if (!axis_named(r->axis))
		return err_set(e, -EINVAL, "--ratio: '%s' is no axis (iosweep help axes)",
		               r->axis);
	return 0;
}

/* Each series of `over` divides the points of `of` at the same place; what has no partner is
 * left out. */
static void divide(struct plot_data *d, size_t of, size_t over)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->points; i++) {
		struct plot_point p = d->point[i];

		for (size_t k = 0; p.series == of && k < d->points; k++) {
			const struct plot_point *o = &d->point[k];

			if (o->series != over || o->panel != p.panel || o->x < p.x ||
			    o->x > p.x || !(o->y > 0))
				continue;
			p.y /= o->y;
			p.low = p.high = (double)NAN;
			p.doubted |= o->doubted;
			p.series = 0;
			d->point[kept++] = p;
			break;
		}
	}
	d->points = kept;
}

int plot_ratio_make(struct plot_data *d, const struct plot_ratio *r, const char *column,
                    struct err *e)
{
	char text[300];
	size_t of = plot_index(&d->series, r->of), over = plot_index(&d->series, r->over);

	if (of == d->series.len || over == d->series.len)
		return err_set(e, -ENODATA, "--ratio: no row with %s %s", r->axis,
		               of == d->series.len ? r->of : r->over);
	divide(d, of, over);
	strlist_fini(&d->series);
	d->series = (struct strlist){ 0 };
	strlist_addf(&d->series, "%s / %s", r->of, r->over);
	(void)snprintf(text, sizeof(text), "%.60s: %s %s / %s", column, r->axis, r->of,
	               r->over);
	(void)snprintf(d->y.text, sizeof(d->y.text), "%.120s", text);
	return 0;
}
