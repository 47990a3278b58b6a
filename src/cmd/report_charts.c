/* cmd/report_charts.c: the standard charts, a set for each target and other condition. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/charts.h"
#include "cmd/html.h"
#include "cmd/query.h"
#include "cmd/report.h"
#include "cmd/report_svg.h"
#include "sink/cell.h"

#define POINTS_MAX 500 /* rows of the table of one chart */

struct drawing { /* under way */
	struct text *t;
	const struct report *r;
	const struct report_side *side;
	unsigned drawn;
	bool pictures; /* gnuplot is there, as far as is known */
};

/* --- one chart --- */

static void add_value(struct text *t, const struct plot_axis *a, double v)
{
	AUTO(text_fini) struct text value = { 0 };
	char size[32];

	if (a->scale == SCALE_TEXT)
		text_add(&value, a->value.item[(size_t)v]);
	else if (a->bytes)
		text_add(&value, print_size(size, sizeof(size), (uint64_t)v));
	else
		cell_add_real(&value, v, '.');
	html_element(t, "td", " class=\"n\"", text_get(&value));
}

static const struct plot_axis *value_axis(const struct plot_data *d)
{
	return d->kind == PLOT_HEATMAP ? &d->z : &d->y;
}

static double value_of(const struct plot_data *d, const struct plot_point *p)
{
	return d->kind == PLOT_HEATMAP ? p->low : p->y;
}

/* "IOPS by depth: run_iops against iodepth, 2 panels by rw, 36 points from 1000 to 80000." */
static void add_sentence(struct text *out, const char *title, const struct plot_data *d)
{
	double low = (double)INFINITY, high = -(double)INFINITY;

	for (size_t i = 0; i < d->points; i++) {
		low = fmin(low, value_of(d, &d->point[i]));
		high = fmax(high, value_of(d, &d->point[i]));
	}
	text_addf(out, "%s: %s against %s", title, value_axis(d)->text, d->x.text);
	if (d->kind == PLOT_HEATMAP)
		text_addf(out, " and %s", d->y.text);
	if (*d->panel_name)
		text_addf(out, ", %zu panels by %s", d->panel.len, d->panel_name);
	if (*d->series_name)
		text_addf(out, ", %zu lines by %s", d->series.len, d->series_name);
	text_addf(out, ", %zu points from ", d->points);
	cell_add_real(out, low, '.');
	text_add(out, " to ");
	cell_add_real(out, high, '.');
	text_add(out, ".");
}

static void add_heading(struct text *t, const char *name, bool number)
{
	html_element(t, "th", number ? " scope=\"col\" class=\"n\"" : " scope=\"col\"", name);
}

static void add_point(struct text *t, const struct plot_data *d, const struct plot_point *p)
{
	text_add(t, "<tr>");
	if (*d->panel_name)
		html_element(t, "td", "", d->panel.item[p->panel]);
	if (*d->series_name)
		html_element(t, "td", "", d->series.item[p->series]);
	if (*d->label_name)
		html_element(t, "td", "", p->label);
	add_value(t, &d->x, p->x);
	if (d->kind == PLOT_HEATMAP)
		add_value(t, &d->y, p->y);
	add_value(t, value_axis(d), value_of(d, p));
	text_addf(t, "<td>%s</td></tr>\n", p->doubted ? "in doubt" : "");
}

static void add_numbers(struct text *t, const struct plot_data *d, const char *title, bool open)
{
	text_addf(t, "<details%s><summary>The numbers of this chart</summary>\n",
	          open ? " open" : "");
	text_add(t, "<div class=\"wide\"><table>\n<caption>");
	html_add(t, title);
	if (*d->subtitle) {
		text_add(t, ": ");
		html_add(t, d->subtitle);
	}
	text_add(t, "</caption>\n<thead><tr>");
	if (*d->panel_name)
		add_heading(t, d->panel_name, false);
	if (*d->series_name)
		add_heading(t, d->series_name, false);
	if (*d->label_name)
		add_heading(t, d->label_name, false);
	add_heading(t, d->x.text, true);
	if (d->kind == PLOT_HEATMAP)
		add_heading(t, d->y.text, true);
	add_heading(t, value_axis(d)->text, true);
	add_heading(t, "", false);
	text_add(t, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < d->points && i < POINTS_MAX; i++)
		add_point(t, d, &d->point[i]);
	text_add(t, "</tbody></table></div>\n");
	if (d->points > POINTS_MAX)
		text_addf(t, "<p>The first %d of %zu points.</p>\n", POINTS_MAX, d->points);
	text_add(t, "</details>\n");
}

static int add_picture(struct drawing *g, struct plot_data *d, const char *title, struct err *e)
{
	AUTO(text_fini) struct text sentence = { 0 };
	struct err why = { 0 };
	int error;

	if (!g->pictures)
		return 0;
	add_sentence(&sentence, title, d);
	error = report_svg(g->t, d, text_get(&sentence), ++g->drawn, &why);
	if (!error)
		return 0;
	if (error != -ENOENT)
		return err_set(e, error, "%s", why.text);
	g->pictures = false;
	text_add(g->t, "<p class=\"warn\"><strong>No pictures:</strong> ");
	html_add(g->t, why.text);
	text_add(g->t, ". The charts are tables here.</p>\n");
	return 0;
}

static int add_chart(struct drawing *g, const char *title, const struct plot_query *q,
                     struct err *e)
{
	AUTO(plot_data_fini) struct plot_data d = { 0 };
	struct plot_query query = *q;
	struct err why = { 0 };
	int error;

	query.chosen = g->r->where; /* the headings say the condition of the set */
	error = plot_load(&d, g->side->store, g->side->path, &query, &why);
	if (error == -ENODATA) /* not measured: no chart */
		return 0;
	if (error == -EINVAL) {
		text_addf(g->t, "<p>%s: not drawn: ", title);
		html_add(g->t, why.text);
		text_add(g->t, " (<code>iosweep plot</code>).</p>\n");
		return 0;
	}
	if (error)
		return err_set(e, error, "%s", why.text);
	text_add(g->t, "<figure>\n");
	html_element(g->t, "figcaption", "", title);
	error = add_picture(g, &d, title, e);
	add_numbers(g->t, &d, title, !g->pictures);
	text_add(g->t, "</figure>\n");
	return error;
}

static int add_set(struct drawing *g, const char *where, struct err *e)
{
	AUTO(charts_fini) struct charts charts = { 0 };
	struct chart_axes vary;
	int error = chart_axes_load(&vary, g->side->store, where, e);

	if (error)
		return error;
	charts_choose(&charts, &vary, where);
	for (size_t i = 0; i < charts.n && !error; i++)
		error = add_chart(g, charts.chart[i].title, &charts.chart[i].query, e);
	return error;
}

/* --- the sets: what `best` gives one answer for, but for the pattern --- */

static void add_literal(struct text *sql, const char *s)
{
	text_add(sql, "'");
	for (; *s; s++)
		text_addf(sql, *s == '\'' ? "''" : "%c", *s);
	text_add(sql, "'");
}

static bool same_set(const struct best_data *d, size_t a, size_t b)
{
	if (strcmp(d->title[a].unreal, d->title[b].unreal) != 0)
		return false;
	for (size_t c = 0; c < d->column.len; c++)
		if (d->varies[c] && strcmp(d->column.item[c], "rw") != 0 &&
		    strcmp(d->title[a].value[c], d->title[b].value[c]) != 0)
			return false;
	return true;
}

static void set_where(struct text *where, struct text *title, const struct best_data *d,
                      size_t group)
{
	const struct best_title *of = &d->title[group];
	char value[1024];
	uint64_t bytes;

	text_add(where, *of->unreal ? "ioengine = " : "NOT ");
	if (*of->unreal) {
		add_literal(where, of->unreal);
		text_add(title, of->simulated ? "simulated" : "no I/O");
	} else {
		query_unreal(where);
	}
	for (size_t c = 0; c < d->column.len; c++) {
		const char *name = d->column.item[c];

		if (!d->varies[c] || !strcmp(name, "rw"))
			continue;
		text_add(where, " AND coalesce(CAST(");
		query_axis(where, name);
		text_add(where, " AS TEXT), '') = ");
		add_literal(where, of->value[c]);
		(void)snprintf(value, sizeof(value), "%s",
		               *of->value[c] ? of->value[c] : "none");
		if (!strcmp(name, "size") && !parse_u64(value, &bytes))
			(void)print_size(value, sizeof(value), bytes);
		text_addf(title, "%s%s %s", title->len ? ", " : "", name, value);
	}
}

/* The first group of each set; returns how many. */
static size_t list_sets(size_t *first, const struct best_data *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->groups; i++) {
		size_t k = 0;

		while (k < n && !same_set(d, i, first[k]))
			k++;
		if (k == n)
			first[n++] = i;
	}
	return n;
}

static int add_sets(struct drawing *g, const struct best_data *d, struct err *e)
{
	AUTO(freep) size_t *first = xcalloc(d->groups + 1, sizeof(*first));
	size_t sets = list_sets(first, d);
	int error = 0;

	for (size_t i = 0; i < sets && i < REPORT_SETS && !error; i++) {
		AUTO(text_fini) struct text where = { 0 };
		AUTO(text_fini) struct text title = { 0 };

		set_where(&where, &title, d, first[i]);
		rows_where(&where, "AND", g->r->where);
		if (sets > 1)
			html_element(g->t, "h4", "", text_get(&title));
		error = add_set(g, text_get(&where), e);
	}
	if (sets > REPORT_SETS)
		text_addf(
		    g->t,
		    "<p>%zu more conditions have no charts here; <code>iosweep plot DB --where "
		    "...</code> draws them.</p>\n",
		    sets - REPORT_SETS);
	return error;
}

int report_charts(struct text *t, const struct report *r, struct err *e)
{
	struct drawing g = { .t = t, .r = r, .pictures = true };
	int error = 0;

	text_add(t, "<section id=\"charts\">\n<h2>Charts</h2>\n<p class=\"soft\">Runs in doubt "
	            "are hollow, and never stand where a clean one could.</p>\n");
	for (size_t i = 0; i < r->sides && !error; i++) {
		g.side = &r->side[i];
		report_side_title(t, r, g.side);
		error = add_sets(&g, &g.side->best, e);
		if (!g.side->best.groups)
			text_add(t, "<p>Nothing to draw: no run is ok.</p>\n");
	}
	text_add(t, "</section>\n");
	return error;
}
