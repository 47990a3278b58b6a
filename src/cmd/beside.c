#include "cmd/beside.h"

#include <errno.h>
#include <stdlib.h>

#include "cmd/hang.h"
#include "cmd/night.h"
#include "cmd/pilot.h"
#include "cmd/preflight.h"
#include "cmd/row.h"
#include "cmd/sentinel.h"
#include "cmd/session_set.h"
#include "cmd/session_wait.h"
#include "cmd/streak.h"

void beside_begin(struct session *s)
{
	const struct plan *p = s->prepared->plan;
	struct beside *b = &s->beside;

	if (p->blocks) {
		b->sentinel = xcalloc(p->blocks, sizeof(*b->sentinel));
		sentinel_begin(s);
	}
	if (p->classes)
		b->pilot = xcalloc(2 * p->classes, sizeof(*b->pilot));
}

void beside_fini(struct session *s)
{
	free(s->beside.sentinel);
	free(s->beside.pilot);
}

/* Only a row that is sure to run is worth a run beside it. */
static bool will_run(struct session *s, const struct plan_row *row)
{
	const struct session_target *t = session_target_of(s, row->job.filename);
	char text[600];

	if (row->skip.skipped || session_final(s, session_state(s, row)) ||
	    t->state == TARGET_FAILED || hang_suspected(s, row->job.filename))
		return false;
	return !wear_forbids(s, &row->job, 0, text, sizeof(text)) &&
	       !streak_over(s, &row->job, text, sizeof(text)) &&
	       !preflight_verdict(s, &row->job, text, sizeof(text));
}

static int trouble(struct session *s, const struct err *e)
{
	s->store_failed = true;
	progress_clear(&s->progress);
	complain("results could not be stored: %s", e->text);
	return -EIO;
}

/* The sentinel that ran last is looked at as soon as it is stored. */
static void judge(struct session *s, struct outcome *before)
{
	if (before->open && row_store(s, before, NULL))
		return;
	if (store_pending(s->store)) /* another program holds the database: later */
		return;
	s->beside.judge = 0;
	(void)night_look(s, NULL); /* what cannot be stored now is, by the look at the end */
}

/* A sentinel goes by the pilot of its class as the rows do: that comes first. *row is used up.
 */
static bool sentinel_turn(struct session *s, struct plan_row *row, struct outcome *o,
                          struct outcome *before)
{
	uint64_t attempt;

	if (session_stopping(s) || !sentinel_before(s, row, o))
		return false;
	*row = o->row;
	attempt = o->attempt;
	if (pilot_before(s, row, o, before))
		return true;
	o->row = *row;
	o->purpose = PURPOSE_SENTINEL;
	o->attempt = attempt;
	return !session_stopping(s);
}

bool beside_before(struct session *s, uint64_t i, struct outcome *o, struct outcome *before)
{
	bool found = false;
	struct plan_row *row;

	o->purpose = PURPOSE_GRID;
	if (!s->beside.sentinel && !s->beside.pilot)
		return false;
	if (s->beside.judge)
		judge(s, before);
	row = xcalloc(1, sizeof(*row));
	plan_row(s->prepared->plan, i, row);
	if (!s->store_failed && will_run(s, row))
		found = pilot_before(s, row, o, before) || sentinel_turn(s, row, o, before);
	free(row);
	return found;
}

void beside_ran(struct session *s, const struct outcome *o)
{
	sentinel_ran(s, o);
	pilot_ran(s, o);
}

int beside_end(struct session *s)
{
	struct err e = { 0 };

	if (night_look(s, &e) || night_spread(s, &e) ||
	    store_step(s->store, NULL, NULL, true, &e))
		return trouble(s, &e);
	return 0;
}

void beside_spec(const struct session *s, const struct outcome *o, struct run_spec *spec)
{
	enum purpose purpose = o->record.purpose;
	const struct pilot *p;

	if (purpose != PURPOSE_GRID && purpose != PURPOSE_SENTINEL)
		return;
	spec->precision = s->prepared->sweep->precision;
	p = pilot_of(s, o->record.job);
	if (p)
		spec->pilot = p->learnt;
}
