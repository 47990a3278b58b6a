#include "cmd/precondition.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/outcome.h"
#include "cmd/precondition_private.h"
#include "cmd/session_set.h"
#include "plan/effective.h"

#define PROBE_NS SEC
#define NEAR     0.03
#define ALIKE    5 /* probes that a baseline is made of */

static int probe(struct conditioner *c, enum purpose purpose, uint64_t number)
{
	struct job job;

	condition_job(c, &job);
	job.rw = RW_RANDREAD;
	job.time_based = 1;
	job.runtime = PROBE_NS;
	condition_finish_job(c, &job, c->p->random_bs);
	return condition_run(c, &job, purpose, number);
}

/* Do they all lie within 3 % of their mean? */
static bool alike(const double *rate, unsigned n, double *mean)
{
	double low = rate[0], high = rate[0];

	*mean = 0;
	for (unsigned i = 0; i < n; i++) {
		low = fmin(low, rate[i]);
		high = fmax(high, rate[i]);
		*mean += rate[i] / n;
	}
	return high - low <= NEAR * *mean;
}

/* Probes in a row that agree: a device that still tidies up may look settled for a moment. */
static int baseline(struct conditioner *c)
{
	double rate[ALIKE];
	uint64_t spent = 0;

	for (unsigned n = 0;; n++) {
		int r = probe(c, PURPOSE_BASELINE, n + 1);

		if (r)
			return r;
		rate[n % ALIKE] = c->past.iops;
		spent += PROBE_NS + CONDITION_WAIT_NS;
		if (alike(rate, n + 1 < ALIKE ? n + 1 : ALIKE, &c->t->condition.baseline) &&
		    n + 1 >= ALIKE)
			return 0;
		if (spent >= c->p->settle_ns && n + 1 >= ALIKE)
			return 0;
		if (c->ran)
			condition_wait(c);
	}
}

static int settle(struct conditioner *c)
{
	struct conditioning *is = &c->t->condition;
	uint64_t patience = is->tired ? 0 : c->p->settle_ns, spent = 0;
	int r;

	for (;;) {
		r = probe(c, PURPOSE_SETTLE, ++is->probes);
		if (r)
			return r;
		is->dirty = is->tired = !(c->past.iops >= (1 - NEAR) * is->baseline);
		is->reads[0] = '\0';
		if (!is->dirty)
			return 0;
		spent += PROBE_NS + CONDITION_WAIT_NS;
		if (spent >= patience)
			break;
		condition_wait(c);
	}
	(void)snprintf(is->reads, sizeof(is->reads),
	               "not settled after writes: a probe read %.0f IOPS, its baseline is %.0f",
	               c->past.iops, is->baseline);
	(void)store_event(c->s->store, 0, "warning", "settle", is->reads, NULL);
	return 0;
}

/* --- the calls of a session --- */

static bool reads_only(const struct job *job)
{
	return !rw_writes(job->rw);
}

static bool settles(const struct session *s, const struct plan_row *row,
                    const struct conditioning *is)
{
	return s->prepared->sweep->precondition.settle_ns && reads_only(&row->job) &&
	       is->dirty && is->baseline > 0;
}

static bool concerns(const struct session *s, const struct job *job)
{
	return s->prepared->sweep->precondition.given &&
	       (job_has_target(job) || job_simulated(job));
}

bool precondition_due(const struct session *s, const struct plan_row *row)
{
	if (!concerns(s, &row->job))
		return false;
	for (unsigned k = 0; k < session_members(s, row->job.filename); k++) {
		const struct conditioning *is =
		    &session_member(s, row->job.filename, k)->condition;

		if (!is->done || settles(s, row, is))
			return true;
	}
	return false;
}

/* Numbers of probes that an earlier call made must not be used again, and what it wrote may
 * still be felt. */
static void take_over(struct conditioner *c)
{
	AUTO(rows_closep) struct rows *r = NULL;

	if (condition_simulated(c) || !c->s->states ||
	    rows_open(
		&r, c->s->store,
		"SELECT max(r.repeat) FROM run r JOIN combination c ON c.id = r.combination_id"
		" WHERE r.purpose = 'settle' AND c.filename = ?",
		NULL))
		return;
	rows_bind_text(r, 1, c->t->info.filename);
	if (rows_next(r, NULL) == 1)
		c->t->condition.probes = (uint64_t)rows_int(r, 0);
	c->t->condition.dirty = true;
}

static int condition(struct conditioner *c)
{
	struct conditioning *is = &c->t->condition;
	int r = condition_passes(c);

	if (!r)
		r = condition_rounds(c);
	if (precondition_fills(c->s->prepared) && !r) {
		c->t->info.unwritten = false;
		c->t->info.zero_pct = 0;
	}
	take_over(c);
	if (r >= 0 && c->p->settle_ns &&
	    (condition_simulated(c) || c->s->prepared->plan->need[c->index].reads))
		r = baseline(c);
	is->done = r >= 0;
	return r;
}

static int run_target(struct session *s, const struct plan_row *row, size_t target,
                      struct outcome *o)
{
	struct conditioner c = { .s = s,
		                 .o = o,
		                 .index = target,
		                 .t = &s->target[target],
		                 .p = &s->prepared->sweep->precondition };
	int r = 0;

	if (!c.t->condition.done)
		r = condition(&c);
	if (r >= 0 && settles(s, row, &c.t->condition))
		r = settle(&c);
	return r;
}

int precondition_run(struct session *s, const struct plan_row *row)
{
	AUTO(freep) struct outcome *o = xcalloc(1, sizeof(*o));
	int r = 0;

	for (unsigned k = 0; k < session_members(s, row->job.filename) && r >= 0; k++)
		r = run_target(s, row,
		               world_member(&s->prepared->world, row->job.filename, k), o);
	return r == -EIO ? r : 0;
}

static void add_doubt(struct outcome *o, const char *why)
{
	size_t n = strlen(o->doubts.why);

	if (!*why || !o->record.sample)
		return;
	o->record.flags |= FLAG_BIT(unsettled);
	(void)snprintf(o->doubts.why + n, sizeof(o->doubts.why) - n, "%sunsettled: %s",
	               n ? "\n" : "", why);
}

void precondition_note(struct session *s, struct outcome *o)
{
	if (!concerns(s, &o->row.job))
		return;
	for (unsigned k = 0; k < session_members(s, o->row.job.filename); k++) {
		struct conditioning *is =
		    &session_member(s, o->row.job.filename, k)->condition;

		if (!reads_only(&o->row.job)) {
			is->dirty = true;
			is->tired = false;
		}
		add_doubt(o, *is->always || !reads_only(&o->row.job) ? is->always : is->reads);
	}
}
