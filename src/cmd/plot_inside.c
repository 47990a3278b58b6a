/* cmd/plot_inside.c: pictures of the inside of runs: latency by percentile from their
 * histograms, and their course from their intervals. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/plot_lines.h"
#include "cmd/query.h"
#include "model/hist.h"
#include "model/imported.h"
#include "sink/interval.h"

static bool is_named(const struct plot_query *q, const char *column)
{
	return (q->series && !strcmp(q->series, column)) ||
	       (q->panel && !strcmp(q->panel, column));
}

/* One line is one choice: what else varies must be named or chosen. */
static int check_single(struct store *s, const struct plot_query *q, struct err *e)
{
	AUTO(strlist_fini) struct strlist vary = { 0 };
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error = plot_lines_vary(&vary, s, q->where, e);

	for (size_t i = 0; !error && i < vary.len; i++)
		if (!is_named(q, vary.item[i]))
			error = err_set(e, -EINVAL,
			                "--x %s: %s has several values: name it by --series or "
			                "--panel, or choose by --where",
			                q->x, vary.item[i]);
	if (error)
		return error;
	text_add(&sql, "SELECT max(n) FROM (SELECT count(DISTINCT op) AS n");
	query_from(&sql, q->where);
	text_addf(&sql, " GROUP BY %s, %s)", q->series ? q->series : "''",
	          q->panel ? q->panel : "''");
	error = rows_open(&r, s, text_get(&sql), e);
	if (!error)
		error = rows_next(r, e);
	if (error > 0 && rows_int(r, 0) > 1 && !is_named(q, "op"))
		return err_set(
		    e, -EINVAL,
		    "--x %s: rows have several ops: --series op, or choose by --where", q->x);
	return error < 0 ? error : 0;
}

static void add_runs(struct text *sql, const struct plot_query *q, const char *series)
{
	text_add(sql, "WITH r AS (SELECT run, op AS op_word, ");
	row_op_sql_number(sql, "op");
	text_addf(sql,
	          " AS op_number, CAST(%s AS TEXT) AS panel, %s AS series, doubts <> '' AS "
	          "doubted",
	          q->panel ? q->panel : "''", series);
	query_from(sql, q->where);
	text_add(sql, ")");
}

static size_t place(struct strlist *l, const char *name)
{
	size_t i = plot_index(l, name);

	if (i == l->len)
		strlist_add(l, name);
	return i;
}

/* Rows come by panel and series. */
static int take(struct plot_data *d, const struct rows *r, struct plot_point *p, struct err *e)
{
	p->panel = place(&d->panel, rows_text(r, 0));
	p->series = place(&d->series, rows_text(r, 1));
	p->doubted = rows_int(r, 2) != 0;
	p->low = p->high = (double)NAN;
	if (d->series.len > PLOT_SERIES || d->panel.len > PLOT_PANELS)
		return err_set(e, -EINVAL,
		               "more than %d series or %d panels: choose some by --where",
		               PLOT_SERIES, PLOT_PANELS);
	return 0;
}

/* The names of panels or series in their order instead of as they came. */
static void sort_names(struct plot_data *d, struct strlist *names, const char *column,
                       bool panel)
{
	const char *came[PLOT_PANELS + PLOT_SERIES];

	for (size_t i = 0; i < names->len; i++)
		came[i] = names->item[i];
	plot_sort_names(names, column);
	for (size_t i = 0; i < d->points; i++) {
		size_t *at = panel ? &d->point[i].panel : &d->point[i].series;

		*at = plot_index(names, came[*at]);
	}
}

/* Runs of one line are repeats: their histograms add up. */
static int load_percentiles(struct plot_data *d, struct store *s, const struct plot_query *q,
                            struct err *e)
{
	AUTO(text_fini) struct text series = { 0 };
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	double total = 0, below = 0;
	int error;

	text_addf(&series, "CAST(%s AS TEXT)", q->series ? q->series : "''");
	add_runs(&sql, q, text_get(&series));
	text_addf(
	    &sql,
	    ", bucket(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM bucket WHERE i < %d)"
	    " SELECT panel, series, max(doubted), i, sum(hist_ios(data, i)),"
	    " sum(sum(hist_ios(data, i))) OVER (PARTITION BY panel, series), hist_high_ns(i) / "
	    "1000.0"
	    " FROM r CROSS JOIN histogram ON run_id = run AND op = op_number CROSS JOIN bucket"
	    " WHERE hist_ios(data, i) > 0 GROUP BY panel, series, i ORDER BY panel, series, i",
	    HIST_BUCKETS - 1);
	error = rows_open(&r, s, text_get(&sql), e);
	while (!error && (error = rows_next(r, e)) > 0) {
		struct plot_point p = { 0 },
				  *last = d->points ? &d->point[d->points - 1] : NULL;

		error = take(d, r, &p, e);
		if (error)
			return error;
		if (!last || last->panel != p.panel || last->series != p.series)
			below = 0;
		total = rows_real(r, 5);
		below += rows_real(r, 4);
		p.x = p.order = -log10(
		    1 - (below - 0.5) / total); /* the last I/O lies beyond what n tells */
		p.y = rows_real(r, 6);
		plot_add_point(d, &p);
	}
	d->x.scale = SCALE_NINES;
	d->y.scale = SCALE_LOG10;
	(void)snprintf(d->x.text, sizeof(d->x.text), "percentile of I/Os");
	(void)snprintf(d->y.text, sizeof(d->y.text), "latency (us)");
	return error;
}

static const char *course_of(const char *y)
{
	static const struct {
		const char *name, *sql;
	} known[] = {
		{ "iops", INTERVAL_IOPS },
		{ "bw_mib_s", INTERVAL_BW_MIB_S },
		{ "lat_mean_us", INTERVAL_LAT_MEAN_US },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, y))
			return known[i].sql;
	return NULL;
}

/* Of a mixed pattern a run has two lines. */
static void add_run_name(struct text *sql)
{
	text_add(sql, "'run ' || run || ' ' || label || CASE WHEN ");
	query_mixed(sql);
	text_add(sql, " THEN ' ' || op ELSE '' END");
}

/* Each run is a line of its own. */
static int load_course(struct plot_data *d, struct store *s, const struct plot_query *q,
                       struct err *e)
{
	AUTO(text_fini) struct text series = { 0 };
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error;

	if (!course_of(q->y))
		return err_set(e, -EINVAL, "--x time: --y '%s': iops, bw_mib_s or lat_mean_us",
		               q->y);
	if (q->series)
		text_addf(&series, "%s || ', run ' || run", q->series);
	else
		add_run_name(&series);
	add_runs(&sql, q, text_get(&series));
	text_addf(&sql,
	          " SELECT panel, series, doubted, (t_ms + len_ms / 2) / 1000.0, %s FROM r "
	          "JOIN interval ON run_id = run AND op = op_number"
	          " ORDER BY panel, run, op_number, t_ms",
	          course_of(q->y));
	error = rows_open(&r, s, text_get(&sql), e);
	while (!error && (error = rows_next(r, e)) > 0) {
		struct plot_point p = { .x = rows_real(r, 3),
			                .order = rows_real(r, 3),
			                .y = rows_real(r, 4) };

		error = take(d, r, &p, e);
		if (error)
			return error;
		plot_add_point(d, &p);
	}
	(void)snprintf(d->x.text, sizeof(d->x.text), "time in the window (s)");
	plot_axis_text(&d->y, q->y);
	return error;
}

bool plot_is_inside(const struct plot_query *q)
{
	return q->x && (!strcmp(q->x, "percentile") || !strcmp(q->x, "time"));
}

int plot_load_inside(struct plot_data *d, struct store *s, const struct plot_query *q,
                     struct err *e)
{
	bool percentiles = !strcmp(q->x, "percentile");
	int r = 0;

	if (q->ratio || q->label ||
	    (q->kind_given && q->kind != PLOT_LINES && q->kind != PLOT_POINTS))
		return err_set(e, -EINVAL,
		               "--x %s: lines or points only, without --label and --ratio",
		               q->x);
	if (!percentiles && !q->y)
		return err_set(e, -EINVAL, "--x time needs --y iops, bw_mib_s or lat_mean_us");
	if (q->series)
		r = plot_check_column(s, "series", q->series, false, e);
	if (!r && q->panel)
		r = plot_check_column(s, "panel", q->panel, false, e);
	if (!r && percentiles)
		r = check_single(s, q, e);
	if (!r)
		r = percentiles ? load_percentiles(d, s, q, e) : load_course(d, s, q, e);
	if (!r && !d->points)
		r = err_set(e, -ENODATA, "no row to draw");
	if (!r) {
		sort_names(d, &d->panel, q->panel, true);
		if (percentiles) /* the course is by runs */
			sort_names(d, &d->series, q->series, false);
	}
	plot_sort_points(d);
	return r;
}
