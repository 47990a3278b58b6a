#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/plot_lines.h"
#include "cmd/query.h"

/* --- columns --- */

bool plot_is_number(const char *name)
{
	const struct axis *a = axis_named(name);
	const struct metric *m = metric_find(name);

	if (m)
		return m->kind != METRIC_TEXT;
	/* values for each direction are pairs, and 0 of a rate is none */
	return a ? a->kind != AXIS_ENUM && a->kind != AXIS_TEXT && !a->directions
	         : !strcmp(name, "run") || !strcmp(name, "repeat");
}

/* Of both directions of a mixed pattern together. */
static const char *of_run(const char *name)
{
	return !strcmp(name, "iops")       ? "run_iops"
	       : !strcmp(name, "bw_mib_s") ? "run_bw_mib_s"
	                                   : name;
}

bool plot_names_column(const struct plot_query *q, const char *column)
{
	const char *name[] = { q->x, q->series, q->panel, q->label };

	for (size_t i = 0; i < ARRAY_SIZE(name); i++)
		if (name[i] && !strcmp(name[i], column))
			return true;
	return false;
}

int plot_check_column(struct store *s, const char *option, const char *name, bool number,
                      struct err *e)
{
	if (name && !query_has_column(s, name))
		return err_set(
		    e, -EINVAL,
		    "--%s: '%s' is no column (iosweep help metrics, iosweep help axes)", option,
		    name);
	if (name && number && !plot_is_number(name))
		return err_set(e, -EINVAL, "--%s: '%s' is no number", option, name);
	return 0;
}

/* --- reading --- */

void plot_lines_fini(struct plot_lines *l)
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

int plot_lines_vary(struct strlist *out, struct store *s, const char *where, struct err *e)
{
	AUTO(rows_closep) struct rows *all = NULL;
	AUTO(strlist_fini) struct strlist names = { 0 };
	AUTO(text_fini) struct text from = { 0 };
	bool varies[AXIS_COUNT] = { false };
	int error = rows_open(&all, s, "SELECT * FROM results LIMIT 0", e);

	for (int i = 0; !error && i < rows_columns(all); i++)
		if (axis_named(rows_name(all, i)))
			strlist_add(&names, rows_name(all, i));
	query_from(&from, where);
	if (!error)
		error = query_varies(varies, s, &names, text_get(&from), e);
	for (size_t i = 0; !error && i < names.len && out->len < PLOT_CELL; i++)
		if (varies[i])
			strlist_add(out, names.item[i]);
	return error;
}

/* each_op: a row for each direction of a run, with its own values. */
static void add_value(struct text *sql, const char *name, bool each_op)
{
	const struct metric *m = metric_find(name);

	if (!m || each_op)
		text_addf(sql, ", %s", name);
	else /* of a mixed run's directions the worse one, where it is not of the run */
		text_addf(sql, ", %s(%s)", m->better == METRIC_LOWER ? "max" : "min",
		          of_run(name));
}

int plot_lines_read(struct plot_lines *l, struct store *s, const struct plot_query *q,
                    struct err *e)
{
	const char *name[N_COUNT] = { q->panel, q->series, q->label, q->x };
	bool each_op = plot_names_column(q, "op");
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error, at;

	text_add(&sql, "SELECT max(doubts <> ''), count(*)");
	add_value(&sql, q->y, each_op);
	text_add(&sql, query_has_half_width(s, metric_find(q->y)) ? ", max(" QUERY_HALF_WIDTH
	                                                            ")"
	                                                          : ", NULL");
	for (size_t i = 0; i < N_COUNT; i++) {
		if (name[i])
			add_value(&sql, name[i], each_op);
		else
			text_add(&sql, ", NULL");
	}
	for (size_t i = 0; i < l->vary.len; i++)
		text_addf(&sql, ", %s", l->vary.item[i]);
	query_from(&sql, q->where);
	text_addf(&sql, " GROUP BY run%s ORDER BY run", each_op ? ", op" : "");
	error = rows_open(&r, s, text_get(&sql), e);
	if (error)
		return error;
	while ((error = rows_next(r, e)) > 0) {
		struct plot_line line = { .doubted = rows_int(r, 0) != 0,
			                  .y = rows_real(r, 2),
			                  .half = rows_real(r, 3),
			                  .x = rows_real(r, 4 + N_X) };

		if (isnan(line.y) || (plot_is_number(q->x) && isnan(line.x)))
			continue;
		l->mixed |= rows_int(r, 1) > 1;
		at = 4;
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

int plot_lines_asked(struct plot_data *d, struct store *s, const struct plot_query *q,
                     struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error;

	if (d->kind != PLOT_LINES || !axis_named(q->x) || q->label)
		return 0;
	text_addf(&sql, "SELECT DISTINCT %s FROM results WHERE %s IS NOT NULL", q->x, q->x);
	rows_where(&sql, "AND", q->where);
	error = rows_open(&r, s, text_get(&sql), e);
	while (!error && (error = rows_next(r, e)) > 0) {
		if (!(d->asked & (d->asked - 1)))
			d->ask = xrealloc(d->ask, d->asked ? 2 * d->asked : 1, sizeof(*d->ask));
		d->ask[d->asked++] = rows_real(r, 0);
		error = 0;
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

void plot_sort_names(struct strlist *l, const char *column)
{
	const struct axis *a = column ? axis_named(column) : NULL;

	if (l->len)
		qsort(l->item, l->len, sizeof(char *), by_name);
	if (a && a->choice)
		sort_choices(l, a);
}

int plot_collect(struct strlist *out, const struct plot_lines *l, const struct plot_names *w,
                 struct err *e)
{
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
	plot_sort_names(out, w->column);
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
	const struct axis *a = column ? axis_named(column) : NULL;
	uint64_t v;
	char buf[32];

	for (size_t i = 0; a && (a->kind == AXIS_SIZE || a->directions) && i < l->len; i++)
		if (!parse_u64(l->item[i], &v) && (!v || a->kind == AXIS_SIZE)) {
			free(l->item[i]);
			l->item[i] = xstrdup(!v && a->directions
			                         ? "no limit"
			                         : print_size(buf, sizeof(buf), v));
		}
}

static const char *skip_characters(const char *s, size_t n)
{
	while (*s && n--)
		do
			s++;
		while ((*s & 0xc0) == 0x80); /* UTF-8: what continues a character */
	return s;
}

/* The start and the end, with "..." between. */
static char *shortened(const char *s, size_t most)
{
	size_t characters = 0, head = (most - 3) / 3;
	char *out;

	for (const char *p = s; *p; p = skip_characters(p, 1))
		characters++;
	if (characters <= most)
		return xstrdup(s);
	if (asprintf(&out, "%.*s...%s", (int)(skip_characters(s, head) - s), s,
	             skip_characters(s, characters - (most - 3 - head))) < 0)
		abort();
	return out;
}

void plot_shorten(struct strlist *l, size_t most)
{
	AUTO(strlist_fini) struct strlist fits = { 0 };
	struct strlist whole = *l;

	for (size_t i = 0; i < l->len; i++) {
		AUTO(freep) char *name = shortened(l->item[i], most);

		if (strlist_has(&fits, name))
			return;
		strlist_add(&fits, name);
	}
	*l = fits;
	fits = whole;
}

void plot_axis_text(struct plot_axis *a, const char *name)
{
	const struct metric *m = metric_find(name);
	const struct axis *x = axis_named(name);
	const char *unit = m                           ? m->unit
	                   : x && x->kind == AXIS_SIZE ? "bytes"
	                   : x && x->kind == AXIS_TIME ? "s"
	                                               : NULL;
	bool bare = !unit || !strcmp(unit, "1");

	(void)snprintf(a->text, sizeof(a->text), "%s%s%s%s", name, bare ? "" : " (",
	               bare ? "" : unit, bare ? "" : ")");
}
