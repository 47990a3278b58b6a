#include "cmd/charts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/plot_lines.h"
#include "cmd/query.h"

/* --- what varies --- */

static void add_counts(struct text *sql, const struct strlist *vary)
{
	text_add(sql, "SELECT min(bs)");
	for (size_t i = 0; i < vary->len; i++) {
		text_add(sql, ", count(DISTINCT ");
		query_axis(sql, vary->item[i]);
		text_add(sql, ")");
	}
}

int chart_axes_load(struct chart_axes *a, struct store *s, const char *where, struct err *e)
{
	AUTO(strlist_fini) struct strlist vary = { 0 };
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error = plot_lines_vary(&vary, s, where, e);

	*a = (struct chart_axes){ 0 };
	if (error)
		return error;
	add_counts(&sql, &vary);
	query_from(&sql, where);
	error = rows_open(&r, s, text_get(&sql), e);
	if (!error)
		error = rows_next(r, e);
	if (error <= 0)
		return error;
	a->smallest_bs = (uint64_t)rows_int(r, 0);
	for (size_t i = 0; i < vary.len; i++)
		a->values[axis_named(vary.item[i]) - axes] = (size_t)rows_int(r, (int)i + 1);
	return 0;
}

bool chart_axes_vary(const struct chart_axes *a)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (a->values[i])
			return true;
	return false;
}

/* --- what is drawn over what --- */

static bool fits(const struct chart_axes *a, size_t axis, size_t most)
{
	return a->values[axis] && a->values[axis] <= most;
}

static bool is(const char *name, size_t axis)
{
	return name && !strcmp(name, axes[axis].name);
}

/* The first of n axes that varies, of at most so many values, and is none of two columns. */
static const char *first_of(const struct chart_axes *a, const enum axis_id *axis, size_t n,
                            size_t most, const char *const but[2])
{
	for (size_t i = 0; i < n; i++)
		if (fits(a, axis[i], most) && !is(but[0], axis[i]) && !is(but[1], axis[i]))
			return axes[axis[i]].name;
	return NULL;
}

static const char *choose_x(const struct chart_axes *a)
{
	static const enum axis_id usual[] = { AXIS_bs, AXIS_iodepth, AXIS_numjobs, AXIS_size,
		                              AXIS_rwmixread };
	static const char *const all[2];
	const char *x = first_of(a, usual, ARRAY_SIZE(usual), SIZE_MAX, all);

	for (size_t i = 0; !x && i < AXIS_COUNT; i++)
		if (a->values[i] && axes[i].kind != AXIS_BOOL && plot_is_number(axes[i].name))
			x = axes[i].name;
	if (!x && fits(a, AXIS_rw, PLOT_GRID))
		x = axes[AXIS_rw].name;
	for (size_t i = 0; !x && i < AXIS_COUNT; i++)
		if (a->values[i])
			x = axes[i].name;
	return x ? x : axes[AXIS_rw].name;
}

/* The columns that most of the charts share. */
static struct plot_query choose_columns(const struct chart_axes *a, const char *where)
{
	static const enum axis_id line[] = { AXIS_iodepth, AXIS_numjobs, AXIS_ioengine };
	static const enum axis_id panel[] = { AXIS_rw, AXIS_filename, AXIS_ioengine,
		                              AXIS_direct };
	struct plot_query q = { .x = choose_x(a), .where = where };

	q.series = first_of(a, line, ARRAY_SIZE(line), PLOT_SERIES,
	                    (const char *const[2]){ q.x, NULL });
	q.panel = first_of(a, panel, ARRAY_SIZE(panel), PLOT_PANELS,
	                   (const char *const[2]){ q.x, q.series });
	return q;
}

static struct chart *add(struct charts *c, const char *title, const struct plot_query *q,
                         const char *y)
{
	struct chart *chart = &c->chart[c->n++];

	*chart = (struct chart){ .query = *q };
	chart->query.y = y;
	(void)snprintf(chart->title, sizeof(chart->title), "%s", title);
	return chart;
}

static void add_map(struct charts *c, const struct chart_axes *a, const struct plot_query *q)
{
	struct chart *map;

	if (!fits(a, AXIS_bs, PLOT_GRID) || !fits(a, AXIS_iodepth, PLOT_GRID))
		return;
	map = add(c, "I/Os per second by block size and depth", q, "run_iops");
	map->query.x = "iodepth";
	map->query.series = "bs";
	map->query.kind = PLOT_HEATMAP;
	map->query.kind_given = true;
}

/* Latency against throughput, with the depth written at the points: of the smallest bs. */
static void add_knee(struct charts *c, const struct chart_axes *a, const struct plot_query *q)
{
	struct text where = { 0 };
	struct chart *knee;
	char size[32];

	if (!fits(a, AXIS_iodepth, PLOT_GRID))
		return;
	knee = add(c, "", q, "lat_p99_us");
	(void)snprintf(knee->title, sizeof(knee->title), "Latency against throughput, bs %s",
	               print_size(size, sizeof(size), a->smallest_bs));
	text_addf(&where, "bs = %" PRIu64, a->smallest_bs);
	rows_where(&where, "AND", q->where);
	knee->where = where.s;
	knee->query.where = knee->where;
	knee->query.x = "run_iops";
	knee->query.series = fits(a, AXIS_numjobs, PLOT_SERIES) ? "numjobs" : NULL;
	knee->query.label = "iodepth";
}

/* It is the engine that tells. */
static void add_cpu(struct charts *c, const struct chart_axes *a, const struct plot_query *q)
{
	struct chart *cpu = add(c, "CPU time per I/O", q, "cpu_us_per_io");

	if (!fits(a, AXIS_ioengine, PLOT_SERIES) || is(q->x, AXIS_ioengine))
		return;
	cpu->query.series = "ioengine";
	if (is(q->panel, AXIS_ioengine))
		cpu->query.panel = NULL;
}

void charts_choose(struct charts *c, const struct chart_axes *a, const char *where)
{
	struct plot_query q = choose_columns(a, where);

	c->n = 0;
	/* Block size tells of bandwidth, all else of I/Os. */
	if (is(q.x, AXIS_bs))
		(void)add(c, "Bandwidth", &q, "run_bw_mib_s");
	else
		(void)add(c, "I/Os per second", &q, "run_iops");
	add_map(c, a, &q);
	(void)add(c, "p99 latency", &q, "lat_p99_us");
	add_knee(c, a, &q);
	add_cpu(c, a, &q);
}

void charts_fini(struct charts *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->chart[i].where);
}
