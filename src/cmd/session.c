#include "cmd/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/preflight.h"
#include "cmd/row.h"
#include "cmd/session_wait.h"
#include "cmd/written.h"

static int compare_state(const void *a, const void *b)
{
	const struct store_state *x = a, *y = b;
	int d = memcmp(x->key, y->key, KEY_BYTES);

	if (d)
		return d;
	return x->repeat < y->repeat ? -1 : x->repeat > y->repeat;
}

const struct store_state *session_state(const struct session *s, const struct plan_row *row)
{
	struct store_state want = { .repeat = row->repeat };

	if (!s->states)
		return NULL;
	memcpy(want.key, row->key.bytes, KEY_BYTES);
	return bsearch(&want, s->state, s->states, sizeof(want), compare_state);
}

bool session_final(const struct session *s, const struct store_state *st)
{
	return st && st->status != STATUS_INTERRUPTED && st->status != STATUS_RUNNING &&
	       !st->given_up && !s->retry[st->status];
}

/* A row that an earlier call finished: it counts at the end as if this one had. */
static void count_final(struct session *s, const struct plan_row *row, enum run_status status)
{
	s->progress.done++;
	s->failed += status == STATUS_FAILED || status == STATUS_TIMEOUT;
	if (status != STATUS_SKIPPED)
		return;
	s->skipped++;
	s->skipped_by_machine += row->skip.by_machine || !row->skip.skipped;
}

void session_count_doubted(struct session *s)
{
	AUTO(rows_closep) struct rows *r = NULL;

	if (!rows_open(&r, s->store,
	               "SELECT count(DISTINCT run) FROM results WHERE doubts <> ''", NULL) &&
	    rows_next(r, NULL) == 1)
		s->progress.doubted = (uint64_t)rows_int(r, 0);
}

/* What is done and what is to do, for the ETA and the exit code. */
static void count_ahead(struct session *s)
{
	const struct plan *p = s->prepared->plan;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	double rows_s = p->estimate_s - p->sentinel_s - p->pilot_s; /* without those beside */

	for (uint64_t i = 0; i < p->runs; i++) {
		const struct store_state *st;
		uint64_t ns;

		plan_row(p, i, row);
		st = session_state(s, row);
		if (session_final(s, st)) {
			count_final(s, row, st->status);
			continue;
		}
		if (row->skip.skipped)
			continue;
		ns = plan_row_ns(p, row);
		s->progress.plan_left_ns += ns;
		s->progress.unknown_left += ns == 0;
	}
	if (rows_s > 0)
		s->progress.plan_left_ns = (uint64_t)((double)s->progress.plan_left_ns *
		                                      p->estimate_s / rows_s);
	s->progress.failed = s->failed;
	session_count_doubted(s);
}

static int final_code(const struct session *s)
{
	if (s->store_failed)
		return EXIT_STORE;
	if (s->signal)
		return 128 + s->signal;
	if (s->out_of_time)
		return EXIT_UNTIL;
	if (s->failed || s->skipped_by_machine || (s->options->strict && s->skipped))
		return EXIT_ROWS;
	return EXIT_OK;
}

static bool must_end(const struct session *s)
{
	return s->signal || s->store_failed || s->out_of_time;
}

/* What comes before row i of the plan. Returns whose turn it is then. */
static unsigned beside_row(struct session *s, uint64_t i, struct outcome *o, unsigned turn)
{
	while (!must_end(s) && beside_before(s, i, &o[turn], &o[1 - turn])) {
		(void)row_do(s, &o[turn], &o[1 - turn], false);
		if (o[turn].open)
			turn = 1 - turn;
		session_take_signals(s);
	}
	return turn;
}

int session_run(struct session *s)
{
	struct outcome *o = xcalloc(2, sizeof(*o));
	const struct plan *p = s->prepared->plan;
	unsigned turn = 0;
	uint8_t *later; /* a bit for each run that was put off */

	if (s->states)
		qsort(s->state, s->states, sizeof(*s->state), compare_state);
	progress_init(&s->progress, s->options, p->runs);
	wear_begin(s);
	wear_record_drives(s, "before");
	/* Knowing the ETA of a plan nobody resumed needs no second walk over it. */
	if (s->states) {
		count_ahead(s);
	} else {
		s->progress.plan_left_ns =
		    (uint64_t)((p->estimate_s - p->absent_s - p->simulated_s) * 1e9);
		s->progress.unknown_left = p->unbounded ? p->runs - p->skipped : 0;
	}
	beside_begin(s);
	written_begin(s);
	session_preflight(s);
	later = xcalloc((p->runs + 7) / 8, 1);
	for (int pass = 0; pass < 2; pass++)
		for (uint64_t i = 0; i < p->runs && !must_end(s); i++) {
			if (pass && !(later[i / 8] >> i % 8 & 1))
				continue;
			turn = beside_row(s, i, o, turn);
			if (must_end(s))
				break;
			plan_row(p, i, &o[turn].row);
			if (row_do(s, &o[turn], &o[1 - turn], pass) > 0)
				later[i / 8] |= (uint8_t)(1U << i % 8);
			if (o[turn].open)
				turn = 1 - turn;
			session_take_signals(s);
			session_look_at_clock(s);
		}
	free(later);
	if (!s->store_failed)
		(void)row_store(s, &o[1 - turn], NULL);
	row_settle(s, &o[turn]);
	if (!s->store_failed)
		(void)beside_end(s);
	progress_clear(&s->progress);
	free(o);
	return final_code(s);
}
