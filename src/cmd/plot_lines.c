#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/plot_lines.h"

/* --- columns --- */

const struct metric *plot_metric(const char *name)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (!strcmp(metric_at(i)->name, name))
			return metric_at(i);
	return NULL;
}

const struct axis *plot_axis(const char *name)
{
	const struct axis *a = axis_find(name);

	return a && !strcmp(a->name, name) ? a : NULL;
}

bool plot_is_number(const char *name)
{
	const struct axis *a = plot_axis(name);
	const struct metric *m = plot_metric(name);

	if (m)
		return m->kind != METRIC_TEXT;
	return a ? a->kind != AXIS_ENUM && a->kind != AXIS_TEXT
	         : !strcmp(name, "run") || !strcmp(name, "repeat");
}

/* Of both directions of a mixed pattern together. */
static const char *of_run(const char *name)
{
	return !strcmp(name, "iops")       ? "run_iops"
	       : !strcmp(name, "bw_mib_s") ? "run_bw_mib_s"
	                                   : name;
}

static bool has_column(struct store *s, const char *name)
{
	AUTO(rows_closep) struct rows *r = NULL;

	if (rows_open(&r, s, "SELECT * FROM results LIMIT 0", NULL))
		return false;
	for (int i = 0; i < rows_columns(r); i++)
		if (!strcmp(rows_name(r, i), name))
			return true;
	return false;
}

int plot_check_column(struct store *s, const char *option, const char *name, bool number,
                      struct err *e)
{
	if (name && !has_column(s, name))
		return err_set(
		    e, -EINVAL,
		    "--%s: '%s' is no column (iosweep help metrics, iosweep help axes)", option,
		    name);
	if (name && number && !plot_is_number(name))
		return err_set(e, -EINVAL, "--%s: '%s' is no number", option, name);
	return 0;
}

/* --- reading --- */

void lines_fini(struct lines *l)
{
	for (size_t i = 0; i < l->len; i++) {
		for (size_t c = 0; c < PLOT_CELL; c++)
			free(l->item[i].cell[c]);
		for (size_t n = 0; n < N_COUNT; n++)
			free(l->item[i].name[n]);
	}
	free(l->item);
	strlist_fini(&l->vary);
}

void plot_from(struct text *sql, const char *where)
{
	text_add(sql, " FROM results WHERE status = 'ok' AND op <> 'sync'");
	if (where) /* the line end closes a comment in the condition */
		text_addf(sql, " AND (%s\n)", where);
}

/* The axes that have more than one value among these rows; what belongs to a mixed pattern only
 * counts there. */
int lines_vary(struct strlist *out, struct store *s, const char *where, struct err *e)
{
	AUTO(rows_closep) struct rows *all = NULL;
	AUTO(rows_closep) struct rows *r = NULL;
	AUTO(strlist_fini) struct strlist names = { 0 };
	AUTO(text_fini) struct text sql = { 0 };
	int error = rows_open(&all, s, "SELECT * FROM results LIMIT 0", e);

	for (int i = 0; !error && i < rows_columns(all); i++)
		if (plot_axis(rows_name(all, i)))
			strlist_add(&names, rows_name(all, i));
	for (size_t i = 0; i < names.len; i++) {
		bool mixed = !strcmp(names.item[i], "rwmixread");

		text_addf(&sql, "%s count(DISTINCT %s%s%s)", i ? "," : "SELECT",
		          mixed ? "CASE WHEN rw IN ('rw','randrw') THEN " : "", names.item[i],
		          mixed ? " END" : "");
	}
	plot_from(&sql, where);
	if (!error)
		error = rows_open(&r, s, text_get(&sql), e);
	if (!error)
		error = rows_next(r, e);
	for (size_t i = 0; error > 0 && i < names.len && out->len < PLOT_CELL; i++)
		if (rows_int(r, (int)i) > 1)
			strlist_add(out, names.item[i]);
	return error < 0 ? error : 0;
}

static void add_value(struct text *sql, const char *name)
{
	const struct metric *m = plot_metric(name);

	if (!m)
		text_addf(sql, ", %s", name);
	else /* of a mixed run's directions the worse one, where it is not of the run */
		text_addf(sql, ", %s(%s)", m->better == METRIC_LOWER ? "max" : "min",
		          of_run(name));
}

int lines_read(struct lines *l, struct store *s, const struct plot_query *q, struct err *e)
{
	const char *name[N_COUNT] = { q->panel, q->series, q->label, q->x };
	const struct metric *m = plot_metric(q->y);
	bool rate =
	    m && m->unit &&
	    (!strcmp(m->unit, "1/s") || !strcmp(m->unit, "MiB/s") || !strcmp(m->unit, "MB/s"));
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error, at;

	text_add(&sql, "SELECT max(doubts <> '')");
	add_value(&sql, q->y);
	text_add(&sql, rate && has_column(s, "iops_half_width_pct")
	                   ? ", max(iops_half_width_pct) / 100.0"
	                   : ", NULL");
	for (size_t i = 0; i < N_COUNT; i++) {
		if (name[i])
			add_value(&sql, name[i]);
		else
			text_add(&sql, ", NULL");
	}
	for (size_t i = 0; i < l->vary.len; i++)
		text_addf(&sql, ", %s", l->vary.item[i]);
	plot_from(&sql, q->where);
	text_add(&sql, " GROUP BY run ORDER BY run");
	error = rows_open(&r, s, text_get(&sql), e);
	if (error)
		return error;
	while ((error = rows_next(r, e)) > 0) {
		struct line line = { .doubted = rows_int(r, 0) != 0,
			             .y = rows_real(r, 1),
			             .half = rows_real(r, 2),
			             .x = rows_real(r, 3 + N_X) };

		if (isnan(line.y) || (plot_is_number(q->x) && isnan(line.x)))
			continue;
		at = 3;
		for (size_t i = 0; i < N_COUNT; i++)
			line.name[i] = xstrdup(rows_text(r, at++));
		for (size_t i = 0; i < l->vary.len; i++)
			line.cell[i] = xstrdup(rows_text(r, at++));
		if (!(l->len & (l->len - 1)))
			l->item = xrealloc(l->item, l->len ? 2 * l->len : 1, sizeof(*l->item));
		l->item[l->len++] = line;
	}
	return error;
}

/* --- names of panels, series and values of x --- */

int plot_compare_names(const char *a, const char *b)
{
	char *end_a, *end_b;
	double x = strtod(a, &end_a), y = strtod(b, &end_b);

	if (*a && *b && !*end_a && !*end_b)
		return (x > y) - (x < y);
	return strcmp(a, b);
}

static int by_name(const void *a, const void *b)
{
	return plot_compare_names(*(char *const *)a, *(char *const *)b);
}

/* Patterns and engines in the order in which they are always named. */
static void sort_choices(struct strlist *l, const struct axis *a)
{
	size_t done = 0;

	for (uint64_t v = 0; a->choice(v); v++)
		for (size_t i = done; i < l->len; i++)
			if (!strcmp(l->item[i], a->choice(v))) {
				char *found = l->item[i];

				l->item[i] = l->item[done];
				l->item[done++] = found;
				break;
			}
}

int plot_collect(struct strlist *out, const struct lines *l, const struct plot_names *w,
                 struct err *e)
{
	const struct axis *a = w->column ? plot_axis(w->column) : NULL;

	for (size_t i = 0; i < l->len; i++) {
		const char *name = l->item[i].name[w->which];

		if (strlist_has(out, name))
			continue;
		if (out->len == w->limit)
			return err_set(e, -EINVAL,
			               "--%s: more than %zu values: choose some by --where",
			               w->option, w->limit);
		strlist_add(out, name);
	}
	if (out->len)
		qsort(out->item, out->len, sizeof(char *), by_name);
	if (a && a->choice)
		sort_choices(out, a);
	return 0;
}

size_t plot_index(const struct strlist *l, const char *name)
{
	size_t i = 0;

	while (i < l->len && strcmp(l->item[i], name) != 0)
		i++;
	return i;
}

/* "4096" of a size as 4k. */
void plot_humanize(struct strlist *l, const char *column)
{
	const struct axis *a = column ? plot_axis(column) : NULL;
	uint64_t v;
	char buf[32];

	for (size_t i = 0; a && a->kind == AXIS_SIZE && i < l->len; i++)
		if (!parse_u64(l->item[i], &v)) {
			free(l->item[i]);
			l->item[i] = xstrdup(print_size(buf, sizeof(buf), v));
		}
}

void plot_axis_text(struct plot_axis *a, const char *name)
{
	const struct metric *m = plot_metric(name);
	const struct axis *x = plot_axis(name);
	const char *unit = m                           ? m->unit
	                   : x && x->kind == AXIS_SIZE ? "bytes"
	                   : x && x->kind == AXIS_TIME ? "s"
	                                               : "";

	(void)snprintf(a->text, sizeof(a->text), "%s%s%s%s", name,
	               *unit && strcmp(unit, "1") != 0 ? " (" : "",
	               strcmp(unit, "1") != 0 ? unit : "",
	               *unit && strcmp(unit, "1") != 0 ? ")" : "");
}
