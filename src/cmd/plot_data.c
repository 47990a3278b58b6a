#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/plot_lines.h"
#include "cmd/query.h"

/* Characters that fit, of a name in the title, in the legend, over a panel and under a bar. */
#define TITLE_NAMES  60
#define SERIES_NAMES 40
#define PANEL_NAMES  48
#define X_NAMES      28
#define WHERE        90 /* of a condition in the subtitle */

/* --- scales and texts --- */

static enum plot_scale scale_of(const char *column, double low, double high, bool y)
{
	const struct axis *a = axis_named(column);

	if (!plot_is_number(column))
		return SCALE_TEXT;
	if (a &&
	    (a->kind == AXIS_SIZE || !strcmp(column, "iodepth") ||
	     !strcmp(column, "numjobs")) &&
	    low > 0)
		return SCALE_LOG2;
	/* what spans decades; bandwidth and shares are read from 0 */
	if (low > 0 && high / low > (y ? 30 : 100) && strcmp(column, "bw_mib_s") != 0 &&
	    strcmp(column, "run_bw_mib_s") != 0)
		return SCALE_LOG10;
	return SCALE_LINEAR;
}

static void range_of(const struct plot_data *d, bool x, double *low, double *high)
{
	*low = (double)INFINITY;
	*high = -(double)INFINITY;
	for (size_t i = 0; i < d->points; i++) {
		double v = x ? d->point[i].x : d->point[i].y;

		*low = fmin(*low, v);
		*high = fmax(*high, v);
	}
}

static bool is_size(const char *column)
{
	const struct axis *a = axis_named(column);

	return a && a->kind == AXIS_SIZE;
}

static void set_scales(struct plot_data *d, const struct plot_query *q)
{
	double low, high;

	range_of(d, false, &low, &high);
	d->y.scale = d->kind == PLOT_BARS ? SCALE_LINEAR : scale_of(q->y, low, high, true);
	if (q->ratio)
		d->y.scale = SCALE_LINEAR;
	if (d->x.scale == SCALE_TEXT)
		return;
	range_of(d, true, &low, &high);
	d->x.scale = scale_of(q->x, low, high, false);
	d->x.bytes = is_size(q->x);
}

/* x by names instead of by numbers: the values, in order, evenly spaced. */
static int name_x(struct plot_data *d, struct plot_lines *l, const struct plot_query *q,
                  struct err *e)
{
	int r;

	if (d->x.scale == SCALE_TEXT)
		return 0;
	r = plot_collect(&d->x.value, l, &(struct plot_names){ N_X, PLOT_GRID, "x", q->x }, e);
	for (size_t i = 0; i < d->points; i++) {
		struct plot_point *p = &d->point[i];
		char x[32];

		(void)snprintf(x, sizeof(x), "%.15g", p->x);
		for (size_t k = 0; k < d->x.value.len; k++)
			if (!plot_compare_names(d->x.value.item[k], x)) {
				p->x = (double)k;
				break;
			}
	}
	plot_humanize(&d->x.value, q->x);
	d->x.scale = SCALE_TEXT;
	return r;
}

/* Rows and columns of a heat map; the colour is what y was. */
static int make_grid(struct plot_data *d, struct plot_lines *l, const struct plot_query *q,
                     struct err *e)
{
	struct strlist none = { 0 };
	int r = name_x(d, l, q, e);

	for (size_t i = 0; i < d->points; i++) {
		struct plot_point *p = &d->point[i];

		p->low = p->y; /* the colour */
		p->y = (double)p->series;
		p->high = (double)NAN;
		p->series = 0;
	}
	d->z = d->y;
	d->y = (struct plot_axis){ .scale = SCALE_TEXT, .value = d->series };
	plot_axis_text(&d->y, q->series);
	plot_humanize(&d->y.value, q->series);
	d->series = none;
	strlist_add(&d->series, "");
	return r;
}

static void add_values(struct text *t, struct store *s, const char *column, const char *where)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	AUTO(strlist_fini) struct strlist l = { 0 };

	text_addf(&sql, "SELECT DISTINCT CAST(%s AS TEXT)", column);
	query_from(&sql, where);
	text_addf(&sql, " ORDER BY %s LIMIT 9", column);
	if (rows_open(&r, s, text_get(&sql), NULL))
		return;
	while (rows_next(r, NULL) > 0)
		strlist_add(&l, rows_text(r, 0));
	plot_humanize(&l, column);
	text_addf(t, " %s (", column);
	for (size_t i = 0; i < l.len; i++)
		text_addf(t, "%s%s", i ? ", " : "", i < 8 ? l.item[i] : "...");
	text_add(t, ")");
}

/* "where rw = 'randread'" */
static void add_where(struct text *t, const char *where)
{
	AUTO(strlist_fini) struct strlist l = { 0 };

	if (!where || !*where)
		return;
	strlist_add(&l, where);
	plot_shorten(&l, WHERE);
	text_addf(t, "where %s", l.item[0]);
}

/* "where bs = 4096; the highest over numjobs (1, 4), ioengine (io_uring, libaio)" */
static void set_subtitle(struct plot_data *d, struct store *s, const struct plot_lines *l,
                         const struct plot_query *q, bool lower)
{
	struct text t = { 0 };
	size_t n = 0;

	add_where(&t, q->chosen);
	for (size_t i = 0; i < l->vary.len; i++) {
		if (plot_names_column(q, l->vary.item[i]))
			continue;
		text_add(&t, !n && t.len ? "; " : "");
		text_add(&t, n++      ? ","
		             : q->all ? "each of"
		             : lower  ? "the lowest over"
		                      : "the highest over");
		add_values(&t, s, l->vary.item[i], q->where);
	}
	d->subtitle = t.s ? t.s : xstrdup("");
}

static int count_rest(struct store *s, const char *where, int64_t *runs, int64_t *bad,
                      struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error;

	text_add(&sql, "SELECT count(DISTINCT CASE WHEN status = 'ok' THEN run END), "
	               "count(DISTINCT CASE WHEN status <> 'ok' THEN run END)"
	               " FROM results");
	rows_where(&sql, "WHERE", where);
	error = rows_open(&r, s, text_get(&sql), e);
	if (!error)
		error = rows_next(r, e);
	if (error > 0) {
		*runs = rows_int(r, 0);
		*bad = rows_int(r, 1);
	}
	return error < 0 ? error : 0;
}

static int set_texts(struct plot_data *d, struct store *s, const char *source,
                     const struct plot_query *q, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(strlist_fini) struct strlist names = { 0 };
	struct text title = { 0 }, footer = { 0 };
	const char *base = strrchr(source, '/');
	int64_t runs = 0, bad = 0;
	size_t doubted = 0;
	int error;

	text_add(
	    &sql,
	    "SELECT min(sweep), group_concat(DISTINCT filename), count(DISTINCT filename), "
	    "group_concat(DISTINCT CASE WHEN device <> '' THEN device END),"
	    " min(substr(started_utc, 1, 10))");
	query_from(&sql, q->where);
	error = rows_open(&r, s, text_get(&sql), e);
	if (!error)
		error = rows_next(r, e);
	if (error >= 0)
		error = count_rest(s, q->where, &runs, &bad, e);
	if (error)
		return error;
	for (size_t i = 0; i < d->points; i++)
		doubted += d->point[i].doubted;
	if (rows_int(r, 2) > 1 && strlen(rows_text(r, 1)) > TITLE_NAMES)
		strlist_addf(&names, "%" PRId64 " targets", rows_int(r, 2));
	else
		strlist_add(&names, rows_text(r, 1));
	plot_shorten(&names, TITLE_NAMES);
	text_addf(&title, "%s: %s", rows_text(r, 0), names.item[0]);
	text_addf(&footer,
	          "%s%s%s%s%s: %" PRId64 " run%s, %" PRId64
	          " not ok and left out; %zu of %zu points in doubt (hollow)",
	          base ? base + 1 : source, *rows_text(r, 4) ? ", " : "", rows_text(r, 4),
	          *rows_text(r, 3) ? ", " : "", rows_text(r, 3), runs, runs == 1 ? "" : "s", bad, doubted, d->points);
	d->title = title.s;
	d->footer = footer.s;
	return 0;
}

/* Several points for one x are no course: no line leads from one to the next. */
static enum plot_kind usual_kind(const struct plot_query *q, const struct plot_lines *l)
{
	if (!plot_is_number(q->x))
		return PLOT_BARS;
	for (size_t i = 0; q->all && i < l->vary.len; i++)
		if (!plot_names_column(q, l->vary.item[i]))
			return PLOT_POINTS;
	return PLOT_LINES;
}

static bool has_error_bars(const struct plot_data *d)
{
	for (size_t i = 0; i < d->points && d->kind != PLOT_HEATMAP; i++)
		if (!isnan(d->point[i].low))
			return true;
	return false;
}

static char *note_of(const struct plot_data *d, const struct plot_lines *l,
                     const struct metric *y)
{
	struct text t = { 0 };

	if (has_error_bars(d))
		text_add(&t, "error bars: 95 % of the mean, by repeats (three or more) or by "
		             "the run's own interval");
	if (l->mixed && y && y->scope == METRIC_OP && !metric_is_rate(y))
		text_addf(&t, "%smixed runs: the worse of their reads and writes",
		          t.len ? "; " : "");
	return t.s ? t.s : xstrdup("");
}

static int check(struct store *s, const struct plot_query *q, struct err *e)
{
	int r = 0;

	if (!q->x || !q->y)
		return err_set(e, -EINVAL, "--x and --y are needed");
	r = plot_check_column(s, "x", q->x, false, e);
	if (!r)
		r = plot_check_column(s, "y", q->y, true, e);
	if (!r)
		r = plot_check_column(s, "series", q->series, false, e);
	if (!r)
		r = plot_check_column(s, "panel", q->panel, false, e);
	if (!r)
		r = plot_check_column(s, "label", q->label, false, e);
	if (!r && q->kind_given && q->kind == PLOT_HEATMAP && !q->series)
		r = err_set(e, -EINVAL,
		            "a heat map needs --series: its rows; --y is its colour");
	return r;
}

static int fill(struct plot_data *d, struct plot_lines *l, const struct plot_query *q,
                struct err *e)
{
	size_t rows = q->kind == PLOT_HEATMAP ? PLOT_GRID : PLOT_SERIES;
	int r = plot_collect(
	    &d->panel, l, &(struct plot_names){ N_PANEL, PLOT_PANELS, "panel", q->panel }, e);

	if (!r)
		r = plot_collect(&d->series, l,
		                 &(struct plot_names){ N_SERIES, rows, "series", q->series },
		                 e);
	if (!r && d->x.scale == SCALE_TEXT)
		r = plot_collect(&d->x.value, l,
		                 &(struct plot_names){ N_X, PLOT_GRID, "x", q->x }, e);
	if (r)
		return r;
	plot_make_points(d, l, q);
	set_scales(d, q);
	return 0;
}

/* 4096 as 4k, and no longer than fits. */
static void set_names(struct plot_data *d, const struct plot_query *q)
{
	plot_humanize(&d->series, q->series);
	plot_humanize(&d->panel, q->panel);
	plot_humanize(&d->x.value, q->x);
	plot_shorten(&d->series, SERIES_NAMES);
	plot_shorten(&d->panel, PANEL_NAMES);
	plot_shorten(&d->x.value, X_NAMES);
	plot_shorten(&d->y.value, X_NAMES);
}

/* What is inside the runs. */
static int load_inside(struct plot_data *d, struct store *s, const char *source,
                       const struct plot_query *q, struct err *e)
{
	struct text subtitle = { 0 };
	int r;

	d->kind = q->kind_given ? q->kind : PLOT_LINES;
	r = plot_load_inside(d, s, q, e);
	if (r)
		return r;
	set_names(d, q);
	(void)snprintf(d->series_name, sizeof(d->series_name), "%s",
	               q->series ? q->series : "");
	(void)snprintf(d->panel_name, sizeof(d->panel_name), "%s", q->panel ? q->panel : "");
	add_where(&subtitle, q->chosen);
	d->subtitle = subtitle.s ? subtitle.s : xstrdup("");
	d->note = xstrdup("");
	return set_texts(d, s, source, q, e);
}

static int read_rows(struct plot_lines *l, struct store *s, const struct plot_query *q,
                     struct err *e)
{
	int r = check(s, q, e);

	if (!r)
		r = plot_lines_vary(&l->vary, s, q->where, e);
	if (!r)
		r = plot_lines_read(l, s, q, e);
	if (!r && !l->len)
		r = err_set(e, -ENODATA, "no row to draw: none that is ok %shas %s",
		            q->where ? "matches --where and " : "", q->y);
	return r;
}

int plot_load(struct plot_data *d, struct store *s, const char *source,
              const struct plot_query *asked, struct err *e)
{
	AUTO(plot_lines_fini) struct plot_lines l = { 0 };
	struct plot_query q = *asked;
	struct plot_ratio ratio = { 0 };
	const struct metric *m;
	int r = q.ratio ? plot_ratio_parse(&ratio, q.ratio, e) : 0;

	if (!r && plot_is_inside(&q))
		return load_inside(d, s, source, &q, e);
	if (!r && q.ratio && q.series && strcmp(q.series, ratio.axis) != 0)
		r = err_set(e, -EINVAL,
		            "--ratio: its axis stands for --series: name '%s' by --panel",
		            q.series);
	if (q.ratio)
		q.series = ratio.axis;
	if (!r)
		r = read_rows(&l, s, &q, e);
	if (r)
		return r;
	m = metric_find(q.y);
	d->kind = q.kind_given ? q.kind : usual_kind(&q, &l);
	d->x.scale = plot_is_number(q.x) ? SCALE_LINEAR : SCALE_TEXT;
	plot_axis_text(&d->x, q.x);
	plot_axis_text(&d->y, q.y);
	r = fill(d, &l, &q, e);
	if (!r && q.ratio)
		r = plot_ratio_make(d, &ratio, q.y, e);
	if (!r && d->kind == PLOT_HEATMAP)
		r = make_grid(d, &l, &q, e);
	if (!r && d->kind == PLOT_BARS)
		r = name_x(d, &l, &q, e);
	if (r)
		return r;
	set_names(d, &q);
	(void)snprintf(d->series_name, sizeof(d->series_name), "%s",
	               q.series && !q.ratio && d->kind != PLOT_HEATMAP ? q.series : "");
	(void)snprintf(d->panel_name, sizeof(d->panel_name), "%s", q.panel ? q.panel : "");
	(void)snprintf(d->label_name, sizeof(d->label_name), "%s", q.label ? q.label : "");
	r = plot_lines_asked(d, s, &q, e);
	if (r)
		return r;
	set_subtitle(d, s, &l, &q, m && m->better == METRIC_LOWER);
	d->note = note_of(d, &l, m);
	return set_texts(d, s, source, &q, e);
}

void plot_data_fini(struct plot_data *d)
{
	strlist_fini(&d->x.value);
	strlist_fini(&d->y.value);
	strlist_fini(&d->panel);
	strlist_fini(&d->series);
	free(d->point);
	free(d->ask);
	free(d->title);
	free(d->subtitle);
	free(d->note);
	free(d->footer);
}
