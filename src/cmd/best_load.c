#include "cmd/best_load.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/query.h"
#include "engine/engine.h"
#include "model/axis.h"
#include "model/flag.h"
#include "model/metrics.h"

/* Everything that is set but bs, numjobs, iodepth and ioengine, which are to be chosen. */
static const char *const conditions[] = { "filename",  "rw",        "direct",  "size",
	                                  "rwmixread", "ramp_time", "runtime", "options" };
#define CONDITIONS (sizeof(conditions) / sizeof(conditions[0]))

/* Columns of the results that tell rows apart besides the axes. */
static const char *const others[] = { "sweep", "host", "device", "fs", "tags", "options" };

static bool is_group_column(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(others[i], name))
			return true;
	return axis_named(name) != NULL;
}

/* --- the question --- */

static int set_columns(struct best_data *d, const struct rows *results, const char *by,
                       struct err *e)
{
	AUTO(freep) char *copy = xstrdup(by ? by : "");
	char *rest = copy, *name;

	for (size_t i = 0; !by && i < CONDITIONS; i++)
		strlist_add(&d->column, conditions[i]);
	while (by && (name = strsep(&rest, ", "))) {
		if (!*name || strlist_has(&d->column, name))
			continue;
		if (!is_group_column(name) || rows_find(results, name) < 0)
			return err_set(e, -EINVAL,
			               "--by: '%s': not an axis column of these results", name);
		strlist_add(&d->column, name);
	}
	if (!d->column.len)
		return err_set(e, -EINVAL, "--by: names no column");
	d->varies = xcalloc(d->column.len, sizeof(*d->varies));
	return 0;
}

/* "lat_p99_us<=2000" */
static int set_limit(struct best_data *d, const char *text, char *metric, size_t size,
                     struct err *e)
{
	const char *op = strpbrk(text, "<>");
	size_t n = op ? (size_t)(op - text) : 0;
	char *end = NULL;
	double v;

	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	(void)snprintf(metric, size, "%.*s", (int)n, text);
	if (!op || op[1] != '=' || !n)
		return err_set(e, -EINVAL,
		               "--limit: '%s': wanted METRIC<=NUMBER or METRIC>=NUMBER", text);
	if (!query_metric("limit", metric, e))
		return e->code;
	v = strtod(op + 2, &end);
	end += strspn(end, " ");
	if (end == op + 2 || *end || !isfinite(v))
		return err_set(e, -EINVAL, "--limit: '%s': '%s' is not a number", text, op + 2);
	d->ask.at_most[d->ask.limits] = *op == '<';
	d->ask.limit[d->ask.limits++] = v;
	strlist_addf(&d->limit, "%s%c=%.15g", metric, *op, v);
	return 0;
}

static int set_metric(struct best_data *d, const char *name, struct err *e)
{
	const struct metric *m = query_metric("metric", name, e);

	if (!m)
		return e->code;
	(void)snprintf(d->metric, sizeof(d->metric), "%s", name);
	d->unit = m->unit;
	d->ask.lower = m->better == METRIC_LOWER;
	return 0;
}

/* --- the rows --- */

enum { R_UNREAL, R_BS, R_NUMJOBS, R_IODEPTH, R_ENGINE, R_REST, R_DOUBTS, R_HELD, R_VALUES };

/* A value of the worst op by the direction that is asked for; NULL when one of them is not
 * known. */
static void add_worst(struct text *sql, const char *name, bool highest)
{
	text_addf(sql, ", CASE WHEN count(%s) = count(*) THEN %s(%s) END", name,
	          highest ? "max" : "min", name);
}

/* What differs within a group besides the choice, as "direct 0, size 1048576". */
static void add_rest(struct text *sql, const struct best_data *d)
{
	size_t n = 0;

	for (size_t i = 0; i < CONDITIONS; i++) {
		if (strlist_has(&d->column, conditions[i]))
			continue;
		text_addf(sql, "%s'%s%s ' || coalesce(%s, '')", n ? " || " : ", ",
		          n ? ", " : "", conditions[i], conditions[i]);
		n++;
	}
	if (!n)
		text_add(sql, ", ''");
}

/* The rate that was asked for and held, as "rate_iops=2000". */
static void add_held(struct text *sql, const struct rows *results)
{
	static const char *const rate[] = { "rate", "rate_iops" };

	text_addf(sql, ", CASE WHEN min(instr(' ' || notes || ' ', ' %s ')) > 0 THEN CASE",
	          flag_at(FLAG_rate_limited)->name);
	for (size_t i = 0; i < ARRAY_SIZE(rate); i++)
		if (rows_find(results, rate[i]) >= 0)
			text_addf(sql, " WHEN CAST(max(%s) AS TEXT) <> '0' THEN '%s=' || max(%s)",
			          rate[i], rate[i], rate[i]);
	text_add(sql, " WHEN 0 THEN '' END END");
}

static void add_values(struct text *sql, const struct best_data *d, bool half_width)
{
	static const char *const op[BEST_OPS] = { "read", "write", "trim" };
	static const char *const latency[] = { "lat_mean_us", "lat_p99_us" };

	add_worst(sql, d->metric, d->ask.lower);
	if (half_width)
		add_worst(sql, QUERY_HALF_WIDTH, true);
	else
		text_add(sql, ", NULL");
	text_add(sql, ", max(run_bw_mib_s), max(run_iops), max(cpu_us_per_io)");
	for (size_t i = 0; i < ARRAY_SIZE(latency); i++)
		for (size_t k = 0; k < BEST_OPS; k++)
			text_addf(sql, ", max(CASE op WHEN '%s' THEN %s END)", op[k],
			          latency[i]);
}

static void add_limits(struct text *sql, const struct best_data *d, const struct rows *results)
{
	for (size_t i = 0; i < d->ask.limits; i++) {
		AUTO(freep) char *name = xstrdup(d->limit.item[i]);

		name[strcspn(name, "<>")] = '\0';
		add_worst(sql, name, d->ask.at_most[i]);
	}
	for (size_t i = 0; i < d->ask.limits; i++) {
		bool p99 = !strncmp(d->limit.item[i], "lat_p99_us<", 11);

		if (p99 && rows_find(results, "lat_p99_high_us") >= 0)
			add_worst(sql, "lat_p99_high_us", true);
		else
			text_add(sql, ", NULL");
	}
}

/* One row per run that is ok. What does no real I/O competes only with itself. */
static void build_query(struct text *sql, struct store *s, const struct best_data *d,
                        const struct rows *results, const char *from)
{
	text_add(sql, "SELECT ");
	for (size_t i = 0; i < d->column.len; i++) {
		query_axis(sql, d->column.item[i]);
		text_add(sql, ", ");
	}
	text_add(sql, "CASE WHEN ");
	query_unreal(sql);
	text_add(sql, " THEN ioengine END, bs, numjobs, iodepth, ioengine");
	add_rest(sql, d);
	text_add(sql, ", max(doubts)");
	add_held(sql, results);
	add_values(sql, d, query_has_half_width(s, metric_find(d->metric)));
	add_limits(sql, d, results);
	/* an imported run may not say them, and is no choice then */
	text_addf(sql, "%s AND bs + numjobs + iodepth IS NOT NULL GROUP BY run ORDER BY run",
	          from);
}

static const char *word(struct best_data *d, const char *text)
{
	/* The last words are the likeliest. */
	for (size_t i = d->word.len; i-- > 0;)
		if (!strcmp(d->word.item[i], text))
			return d->word.item[i];
	strlist_add(&d->word, text);
	return d->word.item[d->word.len - 1];
}

static int compare_title(const struct best_data *d, size_t group, const struct rows *r)
{
	const struct best_title *t = &d->title[group];
	int order = strcmp(t->unreal, rows_text(r, (int)d->column.len + R_UNREAL));

	for (size_t c = 0; !order && c < d->column.len; c++)
		order = strcmp(t->value[c], rows_text(r, (int)c));
	return order;
}

static bool is_simulated(const char *engine)
{
	for (uint64_t i = 0; i < ENGINE_COUNT; i++)
		if (!strcmp(engine_name(i), engine))
			return engine_ops(i)->caps & ENGINE_SIMULATED;
	return false;
}

/* A new group, the `at`-th in the order of titles. */
static size_t add_group(struct best_data *d, size_t at, const struct rows *r)
{
	const size_t group = d->groups++;
	struct best_title *t;

	if (!(group & (group - 1))) {
		d->title = xrealloc(d->title, group ? 2 * group : 1, sizeof(*d->title));
		d->by_title =
		    xrealloc(d->by_title, group ? 2 * group : 1, sizeof(*d->by_title));
	}
	t = &d->title[group];
	t->unreal = word(d, rows_text(r, (int)d->column.len + R_UNREAL));
	t->simulated = is_simulated(t->unreal);
	t->value = xcalloc(d->column.len, sizeof(char *));
	for (size_t c = 0; c < d->column.len; c++)
		t->value[c] = xstrdup(rows_text(r, (int)c));
	memmove(&d->by_title[at + 1], &d->by_title[at], (group - at) * sizeof(*d->by_title));
	d->by_title[at] = group;
	return group;
}

/* Numbered in the order of their first runs. */
static size_t group_of(struct best_data *d, const struct rows *r)
{
	size_t low = 0, high = d->groups;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = compare_title(d, d->by_title[middle], r);

		if (!order)
			return d->by_title[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return add_group(d, low, r);
}

static void add_point(struct best_data *d, const struct rows *r)
{
	int at = (int)d->column.len;
	struct best_point p = { .group = group_of(d, r),
		                .choice = { .bs = (uint64_t)rows_int(r, at + R_BS),
		                            .numjobs = (uint64_t)rows_int(r, at + R_NUMJOBS),
		                            .iodepth =
		                                (uint64_t)rows_int(r, at + R_IODEPTH) } };

	p.choice.engine = word(d, rows_text(r, at + R_ENGINE));
	p.choice.rest = word(d, rows_text(r, at + R_REST));
	p.doubts = word(d, rows_text(r, at + R_DOUBTS));
	p.held = word(d, rows_text(r, at + R_HELD));
	for (size_t v = 0; v < BEST_LIMIT; v++)
		p.value[v] = rows_real(r, at + R_VALUES + (int)v);
	for (size_t v = BEST_LIMIT; v < BEST_VALUES; v++)
		p.value[v] = (double)NAN;
	for (size_t l = 0; l < d->ask.limits; l++) {
		int column = at + R_VALUES + BEST_LIMIT + (int)l;

		p.value[BEST_LIMIT + l] = rows_real(r, column);
		p.value[BEST_FAR + l] = rows_real(r, column + (int)d->ask.limits);
	}
	if (!(d->points & (d->points - 1)))
		d->point = xrealloc(d->point, d->points ? 2 * d->points : 1, sizeof(*d->point));
	d->point[d->points++] = p;
}

static int load_rows(struct best_data *d, struct store *s, const char *sql, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = rows_open(&rows, s, sql, e);

	if (r)
		return r;
	while ((r = rows_next(rows, e)) > 0)
		add_point(d, rows);
	return r;
}

static int set_ask(struct best_data *d, const struct rows *results, const struct best_query *q,
                   struct err *e)
{
	char metric[64];
	int r;

	d->ask.within = q->within > 0 ? q->within : BEST_WITHIN;
	r = set_columns(d, results, q->by, e);
	if (!r)
		r = set_metric(d, q->metric ? q->metric : "run_bw_mib_s", e);
	if (!r && q->limit && q->limit->len > BEST_LIMITS)
		r = err_set(e, -EINVAL, "--limit: %d at most", BEST_LIMITS);
	for (size_t i = 0; !r && q->limit && i < q->limit->len; i++)
		r = set_limit(d, q->limit->item[i], metric, sizeof(metric), e);
	return r;
}

int best_load(struct best_data *d, struct store *s, const struct best_query *q, struct err *e)
{
	AUTO(rows_closep) struct rows *results = NULL;
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(text_fini) struct text from = { 0 };
	int r = rows_open(&results, s, "SELECT * FROM results LIMIT 0", e);

	if (!r)
		r = set_ask(d, results, q, e);
	if (r)
		return r;
	query_from(&from, q->where);
	r = query_varies(d->varies, s, &d->column, text_get(&from), e);
	if (r)
		return r;
	build_query(&sql, s, d, results, text_get(&from));
	return load_rows(d, s, text_get(&sql), e);
}

void best_data_fini(struct best_data *d)
{
	for (size_t i = 0; i < d->groups; i++) {
		for (size_t c = 0; c < d->column.len; c++)
			free(d->title[i].value[c]);
		free(d->title[i].value);
	}
	free(d->title);
	free(d->by_title);
	free(d->point);
	free(d->varies);
	strlist_fini(&d->column);
	strlist_fini(&d->limit);
	strlist_fini(&d->word);
}

const char *best_title_value(const struct best_data *d, size_t group, const char *column)
{
	for (size_t c = 0; c < d->column.len; c++)
		if (!strcmp(d->column.item[c], column))
			return d->title[group].value[c];
	return NULL;
}
