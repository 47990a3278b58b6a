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
#include "cmd/compare_join.h"
#include "cmd/query.h"
#include "model/axis.h"
#include "model/flag.h"
#include "model/metrics.h"

struct side {
	int which;
	struct text select;   /* SQL ... */
	struct strlist bound; /* ... and the values of its '?' */
};

struct load { /* under way */
	struct compare_data *d;
	const struct compare_query *q;
	struct compare_columns columns;
	struct strlist words; /* of `options` that may differ */
	struct compare_lines lines;
};

static void add_column(struct compare_columns *c, const char *name, bool ordered)
{
	c->item[c->len++] = (struct compare_column){ .name = name, .ordered = ordered };
}

static bool ordered(const struct axis *a)
{
	return a->kind != AXIS_ENUM && a->kind != AXIS_TEXT;
}

/* Axes that have a column in every sweep; the others are words in `options`. */
static void find_columns(struct compare_columns *c, bool each_op)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (axes[i].column)
			add_column(c, axes[i].name, ordered(&axes[i]));
	add_column(c, "options", false);
	if (each_op)
		add_column(c, "op", false);
}

/* Is there such a column? */
static bool column_ignore(struct compare_columns *c, const char *name)
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

enum { R_RATE, R_HALF, R_DOUBTED, R_SENTINEL, R_COMPLETION, R_COUNT };

static void build_query(struct text *sql, const struct load *l, bool half, const char *select)
{
	const struct compare_columns *c = &l->columns;

	text_addf(sql,
	          "SELECT max(%s), %s, max(doubts <> ''), max(purpose = 'sentinel'),"
	          " max(instr(' ' || notes || ' ', ' %s ') > 0)",
	          l->d->metric, half ? "max(" QUERY_HALF_WIDTH ")" : "NULL",
	          flag_at(FLAG_clat_percentiles)->name);
	for (size_t i = 0; i < c->len; i++) {
		text_add(sql, ", ");
		query_axis(sql, c->item[i].ignored ? "NULL" : c->item[i].name);
	}
	text_addf(sql,
	          " FROM all_runs WHERE status = 'ok' AND op <> 'sync'"
	          " AND (purpose = 'sentinel' OR run IN (SELECT run FROM results))%s",
	          select);
	rows_where(sql, "AND", l->q->where);
	text_addf(sql, " GROUP BY run%s ORDER BY run", l->d->each_op ? ", op" : "");
}

static void count_kind(struct compare_data *d, const struct compare_point *p, bool completion)
{
	struct compare_kinds *k = &d->kinds[p->side];

	if (!d->percentile || p->spread_only || isnan(p->rate))
		return;
	k->rows++;
	k->completion += completion;
}

static void take_line(struct load *l, const struct rows *r, int side)
{
	const struct compare_columns *c = &l->columns;
	struct compare_lines *lines = &l->lines;
	struct compare_line line = { .point = { .side = side,
		                                .spread_only = rows_int(r, R_SENTINEL) != 0,
		                                .rate = rows_real(r, R_RATE),
		                                .half_width = rows_real(r, R_HALF) } };

	if (rows_int(r, R_DOUBTED)) {
		l->d->doubted += !line.point.spread_only;
		return;
	}
	count_kind(l->d, &line.point, rows_int(r, R_COMPLETION) != 0);
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
	d->percentile = metric_is_lat_percentile(m);
	return 0;
}

static void load_fini(struct load *l)
{
	compare_lines_fini(&l->lines);
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

bool compare_alike(const struct compare_data *d)
{
	const struct compare_kinds *a = &d->kinds[COMPARE_A], *b = &d->kinds[COMPARE_B];

	return (!a->completion && !b->completion) ||
	       (a->completion == a->rows && b->completion == b->rows);
}

static const char *kind_text(const struct compare_kinds *k)
{
	return !k->completion ? "the whole latency (lat)"
	       : k->completion == k->rows
	           ? "the completion latency (clat), without the submission"
	           : "either, some rows lat and some clat";
}

/* Before anything else that is worth knowing. */
static void note_kinds(struct compare_data *d)
{
	if (!compare_alike(d))
		strlist_addf(
		    &d->note, "%s is not comparable: in A it is of %s, in B of %s (%s)",
		    d->metric, kind_text(&d->kinds[COMPARE_A]), kind_text(&d->kinds[COMPARE_B]),
		    flag_at(FLAG_clat_percentiles)->name);
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
	note_kinds(d);
	compare_join(d, &l.columns, &l.lines);
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
