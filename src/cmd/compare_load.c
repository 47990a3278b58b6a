#include "cmd/compare_load.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/compare_facts_json.h"
#include "cmd/query.h"
#include "model/axis.h"
#include "model/metrics.h"

#define AXIS_LIMIT 64 /* columns that are joined on */
#define CLASS_AXIS "rw"

/* Columns of the results that are axes, with what stands for the rest of them, and the op when
 * the metric is one of each op. */
struct column {
	char name[64];
	bool ordered;
	bool ignored;
};

struct columns {
	struct column item[AXIS_LIMIT];
	size_t len;
};

/* One row of either side, as texts. */
struct line {
	char *value[AXIS_LIMIT]; /* of the columns that are not ignored; NULL otherwise */
	struct compare_point point;
};

struct lines {
	struct line *item;
	size_t len;
};

struct side {
	int which;
	struct text select;   /* SQL ... */
	struct strlist bound; /* ... and the values of its '?' */
};

struct load { /* under way */
	struct compare_data *d;
	const struct compare_query *q;
	struct columns columns;
	struct strlist words; /* of `options` that may differ */
	struct lines lines;
};

static void lines_fini(struct lines *l)
{
	for (size_t i = 0; i < l->len; i++)
		for (size_t c = 0; c < AXIS_LIMIT; c++)
			free(l->item[i].value[c]);
	free(l->item);
}

static void add_column(struct columns *c, const char *name, bool ordered)
{
	for (size_t i = 0; i < c->len; i++)
		if (!strcmp(c->item[i].name, name))
			return;
	if (c->len == AXIS_LIMIT)
		return;
	(void)snprintf(c->item[c->len].name, sizeof(c->item[0].name), "%s", name);
	c->item[c->len].ordered = ordered;
	c->item[c->len++].ignored = false;
}

static bool ordered(const struct axis *a)
{
	return a->kind != AXIS_ENUM && a->kind != AXIS_TEXT;
}

/* Axes with a column of their own in both; the others are words in `options`. */
static void find_columns(struct columns *c, bool each_op)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (axes[i].column)
			add_column(c, axes[i].name, ordered(&axes[i]));
	add_column(c, "options", false);
	if (each_op)
		add_column(c, "op", false);
}

/* Is there such a column? */
static bool column_ignore(struct columns *c, const char *name)
{
	for (size_t i = 0; i < c->len; i++)
		if (!strcmp(c->item[i].name, name)) {
			c->item[i].ignored = true;
			return true;
		}
	return false;
}

/* --- which rows --- */

/* "ioengine=libaio" as SQL; the value is bound by the caller. An axis without a column is a
 * word of `options`. */
static int add_select(struct load *l, struct side *side, const char *pair, struct err *e)
{
	struct store *store = l->q->store[side->which];
	const char *eq = strchr(pair, '=');
	AUTO(freep) char *name = xstrdup(pair);
	const struct axis *a;
	uint64_t v;

	if (eq)
		name[eq - pair] = '\0';
	a = axis_named(name);
	if (!eq || !a)
		return err_set(e, -EINVAL, "--%c: '%s': wanted AXIS=VALUE (iosweep help axes)",
		               "ab"[side->which], pair);
	if (!a->column)
		strlist_add(&l->words, name);
	if (!a->column && !query_has_column(store, name)) { /* not swept: a word of `options` */
		text_add(&side->select, " AND instr(' ' || options || ' ', ?) > 0");
		strlist_addf(&side->bound, " %s ", pair);
		return 0;
	}
	text_addf(&side->select, ordered(a) ? " AND %s = CAST(? AS NUMERIC)" : " AND %s = ?",
	          name);
	if (a->kind == AXIS_SIZE && !parse_size(eq + 1, &v))
		strlist_addf(&side->bound, "%" PRIu64, v);
	else
		strlist_add(&side->bound, eq + 1);
	(void)column_ignore(&l->columns, name);
	return 0;
}

static int add_ignored(struct load *l, struct err *e)
{
	const struct strlist *ignore = l->q->ignore;

	for (size_t i = 0; ignore && i < ignore->len; i++) {
		AUTO(freep) char *copy = xstrdup(ignore->item[i]);
		char *rest = copy, *name;

		while ((name = strsep(&rest, ", "))) {
			if (!*name || column_ignore(&l->columns, name))
				continue;
			if (axis_named(name))
				strlist_add(&l->words, name);
			else
				return err_set(e, -EINVAL,
				               "--ignore: '%s': no axis (iosweep help axes)",
				               name);
		}
	}
	return 0;
}

/* `options` without the words of axes that may differ. */
static char *without(const char *options, const struct strlist *words)
{
	struct text t = { 0 };
	AUTO(freep) char *copy = xstrdup(options);
	char *rest = copy, *one;

	while ((one = strsep(&rest, " "))) {
		size_t n = strcspn(one, "=");
		bool drop = !*one;

		for (size_t i = 0; i < words->len && !drop; i++)
			drop = strlen(words->item[i]) == n && !strncmp(words->item[i], one, n);
		if (!drop)
			text_addf(&t, "%s%s", t.len ? " " : "", one);
	}
	return t.s ? t.s : xstrdup("");
}

/* --- reading --- */

enum { R_RATE, R_HALF, R_DOUBTED, R_SENTINEL, R_COUNT };

static void build_query(struct text *sql, const struct load *l, bool half, const char *select)
{
	const struct columns *c = &l->columns;

	text_addf(sql, "SELECT max(%s), %s, max(doubts <> ''), max(purpose = 'sentinel')",
	          l->d->metric, half ? "max(" QUERY_HALF_WIDTH ")" : "NULL");
	for (size_t i = 0; i < c->len; i++) {
		text_add(sql, ", ");
		query_axis(sql, c->item[i].ignored ? "NULL" : c->item[i].name);
	}
	text_addf(sql,
	          " FROM all_runs WHERE status = 'ok' AND op <> 'sync'"
	          " AND (purpose = 'sentinel' OR run IN (SELECT run FROM results))%s",
	          select);
	query_where(sql, "AND", l->q->where);
	text_addf(sql, " GROUP BY run%s ORDER BY run", l->d->each_op ? ", op" : "");
}

static void take_line(struct load *l, const struct rows *r, int side)
{
	const struct columns *c = &l->columns;
	struct lines *lines = &l->lines;
	struct line line = { .point = { .side = side,
		                        .spread_only = rows_int(r, R_SENTINEL) != 0,
		                        .rate = rows_real(r, R_RATE),
		                        .half_width = rows_real(r, R_HALF) } };

	if (rows_int(r, R_DOUBTED)) {
		l->d->doubted += !line.point.spread_only;
		return;
	}
	for (size_t i = 0; i < c->len; i++) {
		const char *text = rows_text(r, R_COUNT + (int)i);

		if (!c->item[i].ignored)
			line.value[i] = strcmp(c->item[i].name, "options")
			                    ? xstrdup(text)
			                    : without(text, &l->words);
	}
	if (!(lines->len & (lines->len - 1)))
		lines->item = xrealloc(lines->item, lines->len ? 2 * lines->len : 1,
		                       sizeof(*lines->item));
	lines->item[lines->len++] = line;
}

static void side_fini(struct side *s)
{
	text_fini(&s->select);
	strlist_fini(&s->bound);
}

static int read_side(struct load *l, const struct side *side, struct err *e)
{
	struct store *store = l->q->store[side->which];
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *rows = NULL;
	int r;

	build_query(&sql, l, query_has_half_width(store, metric_find(l->d->metric)),
	            text_get(&side->select));
	r = rows_open(&rows, store, text_get(&sql), e);
	if (r)
		return r;
	for (size_t i = 0; i < side->bound.len; i++)
		rows_bind_text(rows, (int)i + 1, side->bound.item[i]);
	while ((r = rows_next(rows, e)) > 0)
		take_line(l, rows, side->which);
	return r;
}

/* --- joining --- */

/* A column that has one value in A and one other in B tells the sides apart, not the cells. */
static void ignore_constant(struct compare_data *d, struct columns *c, struct lines *l)
{
	for (size_t i = 0; i < c->len; i++) {
		const char *of[COMPARE_SIDES] = { NULL, NULL };
		bool constant = !c->item[i].ignored;

		for (size_t k = 0; k < l->len && constant; k++) {
			const char **seen = &of[l->item[k].point.side];

			constant = !*seen || !strcmp(*seen, l->item[k].value[i]);
			*seen = l->item[k].value[i];
		}
		if (!constant || !of[0] || !of[1] || !strcmp(of[0], of[1]))
			continue;
		strlist_addf(&d->note, "%s is not compared: %s in A, %s in B", c->item[i].name,
		             *of[0] ? of[0] : "nothing", *of[1] ? of[1] : "nothing");
		c->item[i].ignored = true;
	}
}

static int compare_texts(const char *a, const char *b, bool ordered)
{
	double x, y;

	if (!ordered)
		return strcmp(a, b);
	x = strtod(a, NULL);
	y = strtod(b, NULL);
	return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_number(const void *a, const void *b)
{
	return compare_texts(*(char *const *)a, *(char *const *)b, true);
}

/* The distinct values of column i, ascending. */
static void fill_axis(struct compare_axis *axis, const struct column *c, size_t i,
                      const struct lines *l)
{
	AUTO(freep) char **all = xcalloc(l->len + 1, sizeof(*all));

	axis->name = xstrdup(c->name);
	axis->ordered = c->ordered;
	for (size_t k = 0; k < l->len; k++)
		all[k] = l->item[k].value[i];
	qsort(all, l->len, sizeof(*all), by_text);
	for (size_t k = 0; k < l->len; k++)
		if (!k || strcmp(all[k], all[k - 1]) != 0)
			strlist_add(&axis->value, all[k]);
	if (axis->ordered && axis->value.len)
		qsort(axis->value.item, axis->value.len, sizeof(char *), by_number);
}

static uint32_t value_index(const struct compare_axis *axis, char *text)
{
	char **at = bsearch(&text, axis->value.item, axis->value.len, sizeof(char *),
	                    axis->ordered ? by_number : by_text);

	return at ? (uint32_t)(at - axis->value.item) : 0;
}

struct row { /* of either side, its values as numbers */
	uint32_t value[AXIS_LIMIT];
	const struct compare_point *point;
};

static int by_values(const void *pa, const void *pb)
{
	return memcmp(((const struct row *)pa)->value, ((const struct row *)pb)->value,
	              sizeof(((const struct row *)pa)->value));
}

/* Rows with equal values are one cell. */
static void number_cells(struct compare_data *d, struct row *row, size_t n, size_t class_axis)
{
	qsort(row, n, sizeof(*row), by_values);
	d->point = xcalloc(n + 1, sizeof(*d->point));
	d->value = xcalloc(n * d->axes + 1, sizeof(*d->value));
	for (size_t i = 0; i < n; i++) {
		struct compare_point *p = &d->point[d->points++];

		if (i && by_values(&row[i - 1], &row[i]) != 0)
			d->cells++;
		memcpy(&d->value[d->cells * d->axes], row[i].value,
		       d->axes * sizeof(*d->value));
		*p = *row[i].point;
		p->cell = d->cells;
		p->class = class_axis ? row[i].value[class_axis - 1] : 0;
	}
	d->cells += n > 0;
}

static void join(struct compare_data *d, const struct columns *c, const struct lines *l)
{
	AUTO(freep) struct row *row = xcalloc(l->len + 1, sizeof(*row));
	size_t class_axis = 0;

	d->axis = xcalloc(c->len + 1, sizeof(*d->axis));
	d->classes = 1;
	for (size_t i = 0; i < c->len; i++) {
		struct compare_axis *axis = &d->axis[d->axes];

		if (c->item[i].ignored)
			continue;
		fill_axis(axis, &c->item[i], i, l);
		for (size_t k = 0; k < l->len; k++)
			row[k].value[d->axes] = value_index(axis, l->item[k].value[i]);
		d->axes++;
		if (strcmp(axis->name, CLASS_AXIS) != 0 || !axis->value.len)
			continue;
		class_axis = d->axes;
		d->classes = axis->value.len;
	}
	for (size_t k = 0; k < l->len; k++)
		row[k].point = &l->item[k].point;
	number_cells(d, row, l->len, class_axis);
}

/* --- all of it --- */

static int set_metric(struct compare_data *d, const char *name, struct err *e)
{
	const struct metric *m = query_metric("metric", name ? name : "run_bw_mib_s", e);

	if (!m)
		return e->code;
	(void)snprintf(d->metric, sizeof(d->metric), "%s", m->name);
	d->unit = m->unit;
	d->lower = m->better == METRIC_LOWER;
	d->each_op = m->scope == METRIC_OP;
	return 0;
}

static void load_fini(struct load *l)
{
	lines_fini(&l->lines);
	strlist_fini(&l->words);
}

static int load_side(struct load *l, int which, struct err *e)
{
	AUTO(side_fini) struct side side = { .which = which };
	const struct strlist *select = l->q->select[which];

	for (size_t i = 0; select && i < select->len; i++) {
		int r = add_select(l, &side, select->item[i], e);

		if (r)
			return r;
	}
	return read_side(l, &side, e);
}

int compare_load(struct compare_data *d, const struct compare_query *q, struct err *e)
{
	AUTO(load_fini) struct load l = { .d = d, .q = q };
	int r = set_metric(d, q->metric, e);

	if (r)
		return r;
	find_columns(&l.columns, d->each_op);
	r = add_ignored(&l, e);
	for (int s = 0; s < COMPARE_SIDES && !r; s++)
		r = load_side(&l, s, e);
	if (!r && q->store[COMPARE_A] != q->store[COMPARE_B])
		r = compare_facts(&d->differs, q->store[COMPARE_A], q->store[COMPARE_B], e);
	if (r)
		return r;
	ignore_constant(d, &l.columns, &l.lines);
	join(d, &l.columns, &l.lines);
	return 0;
}

void compare_data_fini(struct compare_data *d)
{
	for (size_t i = 0; i < d->axes; i++) {
		free(d->axis[i].name);
		strlist_fini(&d->axis[i].value);
	}
	free(d->axis);
	free(d->value);
	free(d->point);
	strlist_fini(&d->note);
	strlist_fini(&d->differs);
}
