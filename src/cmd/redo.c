#include "cmd/redo.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"

static int compare_run(const void *a, const void *b)
{
	const struct store_state *x = a, *y = b;

	return x->run_id < y->run_id ? -1 : x->run_id > y->run_id;
}

static struct store_state *state_of(const struct session *s, int64_t run)
{
	const struct store_state want = { .run_id = run };

	return s->states ? bsearch(&want, s->state, s->states, sizeof(want), compare_run)
	                 : NULL;
}

/* A row for each op: one that matches is enough. */
static int mark(struct session *s, struct rows *r, uint64_t *marked, struct err *e)
{
	int rc;

	while ((rc = rows_next(r, e)) == 1) {
		struct store_state *st = state_of(s, rows_int(r, 0));

		if (!st || st->status == STATUS_INTERRUPTED || rows_null(r, 1) ||
		    !(rows_real(r, 1) < 0 || rows_real(r, 1) > 0))
			continue;
		st->status = STATUS_INTERRUPTED;
		++*marked;
	}
	return rc;
}

/* It stands in brackets where it is used: "a) OR (b" is an expression only there. */
static int check_alone(struct session *s, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int rc;

	text_addf(&sql, "SELECT %s\n FROM results", s->options->redo);
	rc = rows_open(&r, s->store, sql.s, e);
	if (!rc && rows_columns(r) != 1)
		rc = err_set(e, -EINVAL, "one SQL expression is expected");
	return rc;
}

/* The last column proves that the text is one expression and nothing behind it. */
static int query(struct session *s, uint64_t *marked, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = check_alone(s, e);

	if (rc)
		return rc;
	text_addf(&sql, "SELECT run, (%s\n), 1 FROM results", s->options->redo);
	rc = rows_open(&r, s->store, sql.s, e);
	if (rc)
		return rc;
	if (rows_columns(r) != 3)
		return err_set(e, -EINVAL, "one SQL expression is expected");
	return mark(s, r, marked, e);
}

int redo_mark(struct session *s)
{
	struct err e = { 0 };
	uint64_t marked = 0;
	int r;

	if (!s->options->redo)
		return EXIT_OK;
	if (s->states)
		qsort(s->state, s->states, sizeof(*s->state), compare_run);
	rows_bound(s->store, true);
	r = query(s, &marked, &e);
	rows_bound(s->store, false);
	if (r) {
		complain("--redo: '%.400s': %s", s->options->redo, e.text);
		return EXIT_USAGE;
	}
	if (!s->options->quiet)
		(void)fprintf(stderr, "to be measured again: %" PRIu64 " runs\n", marked);
	return EXIT_OK;
}

void redo_add(struct text *where, const struct session *s)
{
	if (!s->options->redo)
		return;
	text_add(where, " AND run NOT IN (SELECT run FROM results");
	rows_where(where, "WHERE", s->options->redo);
	text_add(where, ")");
}
