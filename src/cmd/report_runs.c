/* cmd/report_runs.c: the inside of runs for the script: histograms and courses, of the most
 * interesting runs first and within a budget. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "cmd/report.h"
#include "cmd/show_op.h"
#include "model/hist.h"
#include "model/imported.h"
#include "sink/cell.h"
#include "sink/interval.h"

#define BAR    16  /* buckets of a histogram in one bar: 8 bars for each doubling */
#define COURSE 300 /* points of a course */

/* [[from us, to us, I/Os], ...]; a bar of nothing is left out. */
static void add_bars(struct text *t, const struct hist *h)
{
	bool any = false;

	text_add(t, "\"h\":[");
	for (unsigned i = 0; i < HIST_BUCKETS; i += BAR) {
		uint64_t n = 0;

		for (unsigned k = i; k < i + BAR; k++)
			n += h->bucket[k];
		if (!n)
			continue;
		text_add(t, any ? ",[" : "[");
		any = true;
		cell_add_real(t, (double)hist_low(i) / 1000, '.');
		text_add(t, ",");
		cell_add_real(t, (double)(hist_high(i + BAR - 1) + 1) / 1000, '.');
		text_addf(t, ",%" PRIu64 "]", n);
	}
	text_add(t, "]");
}

/* [[middle s, IOPS, mean latency us], ...]: neighbours are one point where there are too many.
 */
static int add_course(struct text *t, struct store *s, int64_t run, int64_t op, struct err *e)
{
	static const int column[] = { INTERVAL_MIDDLE, INTERVAL_RATE, INTERVAL_LATENCY };
	AUTO(rows_closep) struct rows *r = NULL;
	bool any = false;
	int64_t n;
	int error = interval_count(&n, s, run, op, e);

	if (!error)
		error = interval_course(&r, s, run, op, 1 + n / COURSE, e);
	if (error)
		return error;
	text_add(t, ",\"s\":[");
	while ((error = rows_next(r, e)) > 0) {
		text_add(t, any ? ",[" : "[");
		any = true;
		for (size_t i = 0; i < ARRAY_SIZE(column); i++) {
			if (i)
				text_add(t, ",");
			if (rows_null(r, column[i]))
				text_add(t, "null");
			else
				cell_add_real(t, rows_real(r, column[i]), '.');
		}
		text_add(t, "]");
	}
	text_add(t, "]");
	return error;
}

/* "12":{"read":{"h":..,"s":..}} */
static int add_run(struct text *t, const struct report_side *side, int64_t run, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	bool any = false;
	int error =
	    rows_open(&r, side->store, "SELECT op FROM result WHERE run_id = ? ORDER BY op", e);

	if (error)
		return error;
	rows_bind_int(r, 1, run);
	text_addf(t, "\"%s%" PRId64 "\":{", side->name, run);
	while ((error = rows_next(r, e)) > 0) {
		int64_t op = rows_int(r, 0);
		const char *name = row_op_name((uint64_t)op);

		if (!name) /* a file that was tampered with */
			continue;
		text_addf(t, "%s\"%s\":{", any ? "," : "", name);
		any = true;
		error = show_histogram(h, side->store, run, op, e);
		if (error < 0)
			return err_wrap(e, "histogram of run %" PRId64, run);
		add_bars(t, h);
		error = add_course(t, side->store, run, op, e);
		if (error < 0)
			return error;
		text_add(t, "}");
	}
	text_add(t, "}");
	return error;
}

/* Of each target and pattern the fastest first, by bandwidth and by IOPS, those in doubt beside
 * those that are not. */
static void interest_sql(struct text *sql, const char *where)
{
	text_add(
	    sql,
	    "SELECT run FROM (SELECT run, row_number() OVER (PARTITION BY filename, rw, doubts "
	    "<> '' ORDER BY run_bw_mib_s DESC) AS a, row_number() OVER (PARTITION BY filename, "
	    "rw, doubts <> '' ORDER BY run_iops DESC) AS b FROM results WHERE op IS NOT NULL");
	rows_where(sql, "AND", where);
	text_addf(sql, ") GROUP BY run ORDER BY min(min(a, b)), run LIMIT %d", REPORT_RUNS);
}

static int add_side(struct text *t, const struct report *r, const struct report_side *side,
                    size_t *held, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *runs = NULL;
	size_t begun = t->len;
	int error;

	interest_sql(&sql, r->where);
	error = rows_open(&runs, side->store, text_get(&sql), e);
	while (!error && t->len - begun < REPORT_INSIDE / r->sides &&
	       (error = rows_next(runs, e)) > 0) {
		text_add(t, (*held)++ ? ",\n" : "\n");
		error = add_run(t, side, rows_int(runs, 0), e);
	}
	return error < 0 ? error : 0;
}

int report_runs_data(struct text *t, const struct report *r, struct err *e)
{
	size_t held = 0;
	int error = 0;

	text_add(t, "{\"runs\":{");
	for (size_t i = 0; i < r->sides && !error; i++)
		error = add_side(t, r, &r->side[i], &held, e);
	text_addf(t, "\n},\"held\":%zu,\"db\":{", held);
	for (size_t i = 0; i < r->sides; i++) {
		text_add(t, i ? "," : "");
		json_add_string(t, r->side[i].name);
		text_add(t, ":");
		json_add_string(t, r->side[i].path);
	}
	text_add(t, "}}");
	return error;
}
