#include "cmd/show_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/draw.h"
#include "cmd/export_query.h"
#include "cmd/flag_words.h"
#include "cmd/show_op.h"
#include "cmd/show_value.h"
#include "model/flag.h"
#include "model/imported.h"
#include "model/metrics.h"
#include "sink/cell.h"
#include "sink/interval.h"

#define MOMENTS 4

struct course {
	struct draw_course draw[2]; /* the rate, and the mean latency in us */
	double value[2][DRAW_COLUMNS];
	size_t per_column; /* intervals behind one column */
	double seconds;
};

/* Several intervals make one column where there are more of them than columns. */
static int load_course(struct course *c, struct store *s, int64_t run_id, int64_t op,
                       struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	size_t columns = 0;
	int64_t n;
	int rc = interval_count(&n, s, run_id, op, e);

	*c = (struct course){ .per_column = ((size_t)n + DRAW_COLUMNS - 1) / DRAW_COLUMNS };
	if (rc || n < 2)
		return rc;
	rc = interval_course(&r, s, run_id, op, (int64_t)c->per_column, e);
	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1 && columns < DRAW_COLUMNS) {
		c->value[0][columns] = rows_real(r, INTERVAL_RATE);
		c->value[1][columns++] = rows_real(r, INTERVAL_LATENCY);
		c->seconds += rows_real(r, INTERVAL_LENGTH);
	}
	for (int i = 0; i < 2; i++)
		c->draw[i] = (struct draw_course){ .value = c->value[i],
			                           .n = columns,
			                           .seconds = c->seconds,
			                           .print = i ? show_us : show_count };
	return rc < 0 ? rc : 0;
}

/* Where in the window, by the sentences of the doubts: they alone know. */
static size_t find_moments(struct draw_moment *m, size_t max, const char *why)
{
	static const struct {
		const char *flag, *before, *text;
	} known[] = {
		{ "stalls", FLAG_FROM_SECOND, "stalls: the longest" },
		{ "drift", FLAG_IN_THE_FIRST, "drift: another rate from here" },
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(known) && n < max; i++) {
		AUTO(text_fini) struct text line = { 0 };
		const char *at;
		char *behind;

		flag_reason(&line, why, known[i].flag, strlen(known[i].flag));
		at = strstr(text_get(&line), known[i].before);
		if (!at)
			continue;
		at += strlen(known[i].before);
		m[n].text = known[i].text;
		m[n].at_s = strtod(at, &behind);
		n += behind != at;
	}
	return n;
}

static int load_moments(struct draw_moment *m, size_t *n, struct store *s, int64_t run_id,
                        struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, "SELECT why FROM run WHERE id = ?", e);

	*n = 0;
	if (rc)
		return rc;
	rows_bind_int(r, 1, run_id);
	rc = rows_next(r, e);
	if (rc == 1)
		*n = find_moments(m, MOMENTS, rows_text(r, 0));
	return rc < 0 ? rc : 0;
}

static void add_course(struct text *t, const struct draw_style *st, const struct course *c,
                       uint64_t op)
{
	static const char *const what[] = { "IOPS", "mean latency (usec)" };
	char per[64] = "";

	if (c->per_column > 1)
		(void)snprintf(per, sizeof(per), ", %zu intervals to a column", c->per_column);
	for (int i = 0; i < 2; i++) {
		text_addf(t, "\n  %s: %s over the window%s\n", row_op_name(op), what[i], per);
		draw_course(t, st, &c->draw[i]);
	}
}

int show_inside(struct store *s, int64_t run_id, struct err *e)
{
	const struct draw_style st = draw_style_of(stdout);
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	AUTO(freep) struct course *c = xcalloc(1, sizeof(*c));
	AUTO(text_fini) struct text t = { 0 };
	struct draw_moment moment[MOMENTS];
	size_t moments;
	int rc = load_moments(moment, &moments, s, run_id, e);

	for (uint64_t op = 0; op < ROW_OPS && !rc; op++) {
		rc = show_histogram(h, s, run_id, (int64_t)op, e);
		if (!rc && h->n) {
			text_addf(&t,
			          "\n  %s: latency, from each value to the next; %" PRIu64
			          " I/Os\n",
			          row_op_name(op), h->n);
			draw_histogram(&t, &st, h);
		}
		if (!rc)
			rc = load_course(c, s, run_id, (int64_t)op, e);
		if (rc || !c->draw[0].n || !h->n)
			continue;
		c->draw[0].moment = moment;
		c->draw[0].moments = moments;
		add_course(&t, &st, c, op);
	}
	if (!rc)
		(void)fputs(text_get(&t), stdout);
	return rc;
}

static int add_shape(struct text *t, struct store *s, const struct export_query *q,
                     const char *id, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	size_t ignored;
	int rc = export_sql(&sql, s, q, &ignored, e);

	if (!rc)
		rc = rows_open(&r, s, text_get(&sql), e);
	if (rc)
		return rc;
	rows_bind_text(r, 1, id);
	return json_add_rows(t, q->shape == EXPORT_INTERVALS ? "intervals" : "histograms", r, e);
}

int show_inside_json(struct text *t, struct store *s, const char *runs, const char *id,
                     struct err *e)
{
	AUTO(text_fini) struct text where = { 0 };
	struct export_query q = { .shape = EXPORT_INTERVALS, .attempts = true };
	int r;

	text_addf(&where, "run IN (%s)", runs);
	q.where = text_get(&where);
	r = add_shape(t, s, &q, id, e);
	q.shape = EXPORT_HISTOGRAMS;
	return r ? r : add_shape(t, s, &q, id, e);
}
