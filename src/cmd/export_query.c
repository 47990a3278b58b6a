#include "cmd/export_query.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/query.h"
#include "fio/job_stored.h"
#include "model/hist.h"
#include "model/imported.h"
#include "model/metrics.h"
#include "sink/csv.h"
#include "sink/interval.h"

#define PIVOT_COLUMNS 1000 /* of the matrix: SQLite takes 2000 */

/* --- one row per run --- */

/* *ops: those that have rows, as bits 1 << op. */
static int find_ops(unsigned *ops, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int error = rows_open(&r, s, "SELECT DISTINCT op FROM results WHERE op IS NOT NULL", e);

	*ops = 0;
	while (!error && (error = rows_next(r, e)) > 0) {
		*ops |= 1U << row_op_find(rows_text(r, 0));
		error = 0;
	}
	return error;
}

/* *several: has a run more than one row? Grouping takes as long as reading. Asked of the table,
 * which is small beside the view: a run that the view leaves out may only cause it in vain. */
static int find_several(bool *several, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int error = rows_open(
	    &r, s, "SELECT 1 FROM result GROUP BY run_id HAVING count(*) > 1 LIMIT 1", e);

	if (!error)
		error = rows_next(r, e);
	*several = error > 0;
	return error < 0 ? error : 0;
}

static void add_op(struct text *sql, const struct rows *r, const char *op, bool several)
{
	for (int i = 0; i < rows_columns(r); i++) {
		const char *name = rows_name(r, i);
		const struct metric *m = metric_find(name);

		if (m && m->scope == METRIC_OP)
			text_addf(sql, ", %s(CASE op WHEN '%s' THEN %s END) AS %s_%s",
			          several ? "max" : "", op, name, op, name);
	}
}

static int add_wide(struct text *sql, struct store *s, const char *where, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	unsigned ops;
	bool several;
	int error = find_ops(&ops, s, e);
	size_t n = 0;

	if (!error)
		error = find_several(&several, s, e);
	if (!error)
		error = rows_open(&r, s, "SELECT * FROM results LIMIT 0", e);
	if (error)
		return error;
	text_add(sql, "SELECT ");
	for (int i = 0; i < rows_columns(r); i++) {
		const char *name = rows_name(r, i);
		const struct metric *m = metric_find(name);

		if (strcmp(name, "op") != 0 && (!m || m->scope == METRIC_RUN))
			text_addf(sql, "%s%s", n++ ? ", " : "", name);
	}
	for (unsigned op = 0; op < ROW_OPS; op++)
		if (ops & 1U << op)
			add_op(sql, r, row_op_name(op), several);
	text_add(sql, " FROM results");
	rows_where(sql, "WHERE", where);
	text_addf(sql, "%s ORDER BY run", several ? " GROUP BY run" : "");
	return 0;
}

/* --- a matrix --- */

struct pivot {
	char row[64], column[64], value[64];
};

static int split(struct pivot *p, const char *text, struct err *e)
{
	char *to[] = { p->row, p->column, p->value };
	const char *from = text;

	for (size_t i = 0; i < ARRAY_SIZE(to); i++) {
		size_t n = strcspn(from, ",");

		if (!n || n >= sizeof(p->row) || (from[n] == ',') != (i < 2))
			return err_set(
			    e, -EINVAL,
			    "--pivot: '%s': wanted ROW,COLUMN,VALUE as bs,iodepth,bw_mib_s",
			    text);
		(void)snprintf(to[i], sizeof(p->row), "%.*s", (int)n, from);
		from += n + 1;
	}
	return 0;
}

static int check_column(struct store *s, const char *name, struct err *e)
{
	if (query_has_column(s, name))
		return 0;
	return err_set(e, -EINVAL, "--pivot: '%s' is no column (iosweep help metrics)", name);
}

static void add_clean(struct text *sql, const char *where, bool doubted)
{
	query_from(sql, where);
	text_addf(sql, " AND doubts %s ''", doubted ? "<>" : "=");
}

static int count_doubted(struct store *s, const char *where, size_t *n, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error;

	text_add(&sql, "SELECT count(DISTINCT run)");
	add_clean(&sql, where, true);
	error = rows_open(&r, s, text_get(&sql), e);
	if (!error)
		error = rows_next(r, e);
	if (error > 0)
		*n = (size_t)rows_int(r, 0);
	return error < 0 ? error : 0;
}

/* Of several rows in a field the best one stands there. */
static int add_pivot(struct text *sql, struct store *s, const struct export_query *q,
                     struct err *e)
{
	struct pivot p = { 0 };
	AUTO(text_fini) struct text values = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	const struct metric *m;
	size_t n = 0;
	int error = split(&p, q->pivot, e);

	for (size_t i = 0; !error && i < 3; i++)
		error = check_column(s, i == 0 ? p.row : i == 1 ? p.column : p.value, e);
	if (error)
		return error;
	m = metric_find(p.value);
	text_addf(&values, "SELECT DISTINCT quote(%s), CAST(%s AS TEXT)", p.column, p.column);
	add_clean(&values, q->where, false);
	text_addf(&values, " ORDER BY %s", p.column);
	error = rows_open(&r, s, text_get(&values), e);
	if (error)
		return error;
	text_addf(sql, "SELECT %s AS \"%s\\%s\"", p.row, p.row, p.column);
	while ((error = rows_next(r, e)) > 0) {
		if (++n > PIVOT_COLUMNS)
			return err_set(
			    e, -EINVAL,
			    "--pivot: %s has more than %d values: choose some by --where",
			    p.column, PIVOT_COLUMNS);
		text_addf(sql, ", %s(CASE WHEN %s IS %s THEN %s END) AS \"",
		          m && m->better == METRIC_LOWER ? "min" : "max", p.column,
		          rows_text(r, 0), p.value);
		for (const char *c = rows_text(r, 1); *c;
		     c++) /* a name in quotes doubles them */
			text_addf(sql, *c == '"' ? "\"\"" : "%c", *c);
		text_add(sql, "\"");
	}
	add_clean(sql, q->where, false);
	text_addf(sql, " GROUP BY %s ORDER BY %s", p.row, p.row);
	return error;
}

/* --- inside of runs --- */

static void add_chosen(struct text *sql, const struct export_query *q)
{
	text_add(sql,
	         "WITH chosen AS (SELECT run, combination, label, filename, op AS op_word, ");
	row_op_sql_number(sql, "op");
	text_addf(sql, " AS op_number FROM %s", q->attempts ? "all_runs" : "results");
	rows_where(sql, "WHERE", q->where);
	text_add(sql, ")");
}

static void add_intervals(struct text *sql, const struct export_query *q)
{
	add_chosen(sql, q);
	text_add(sql, " SELECT run, combination, label, filename, op_word AS op, t_ms / 1000.0 "
	              "AS t_s, len_ms / 1000.0 AS len_s, ios,"
	              " bytes, " INTERVAL_IOPS " AS iops, " INTERVAL_BW_MIB_S
	              " AS bw_mib_s, " INTERVAL_LAT_MEAN_US " AS lat_mean_us"
	              " FROM chosen JOIN interval ON run_id = run AND op = op_number ORDER BY "
	              "run, op_number, t_ms");
}

static void add_histograms(struct text *sql, const struct export_query *q)
{
	add_chosen(sql, q);
	text_addf(sql,
	          ", bucket(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM bucket WHERE i < %d)"
	          " SELECT run, combination, label, filename, op_word AS op, hist_low_ns(i) / "
	          "1000.0 AS low_us,"
	          " (hist_high_ns(i) + 1) / 1000.0 AS high_us, hist_ios(data, i) AS ios"
	          " FROM chosen CROSS JOIN histogram ON run_id = run AND op = op_number"
	          " CROSS JOIN bucket" /* in this order: one histogram after the other */
	          " WHERE hist_ios(data, i) > 0 ORDER BY run, op_number, i",
	          HIST_BUCKETS - 1);
}

int export_sql(struct text *sql, struct store *s, const struct export_query *q,
               size_t *left_out, struct err *e)
{
	int r;

	*left_out = 0;
	switch (q->shape) {
	case EXPORT_ROWS:
		csv_select(sql, q->where);
		return 0;
	case EXPORT_WIDE:
		return add_wide(sql, s, q->where, e);
	case EXPORT_PIVOT:
		r = add_pivot(sql, s, q, e);
		return r ? r : count_doubted(s, q->where, left_out, e);
	case EXPORT_INTERVALS:
		add_intervals(sql, q);
		return 0;
	case EXPORT_HISTOGRAMS:
		add_histograms(sql, q);
		return 0;
	case EXPORT_DOCUMENTS: /* asks by itself */
		return 0;
	case EXPORT_JOBS:
		fio_stored_sql(sql, q->attempts ? "all_runs" : "results", q->where);
		return 0;
	}
	return 0;
}
