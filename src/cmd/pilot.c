#include "cmd/pilot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/row.h"
#include "cmd/session_wait.h"
#include "plan/effective.h"

/* Which end of the class: the nearer one in powers of two, the smaller in the middle. */
static unsigned end_of(const struct plan_class *c, uint64_t bs)
{
	double low = (double)c->bs[0], high = (double)c->bs[1], x = (double)bs;

	return c->pilots == 2 && x / low > high / x;
}

static const struct plan_class *class_of(const struct plan *p, const struct job *job)
{
	for (size_t i = 0; i < p->classes; i++) {
		const struct plan_class *c = &p->class[i];

		if (c->target == job->filename && c->ioengine == job->ioengine &&
		    c->rw == job->rw && c->direct == job->direct)
			return c;
	}
	return NULL;
}

struct pilot *pilot_of(const struct session *s, const struct job *job)
{
	const struct plan *p = s->prepared->plan;
	const struct plan_class *c = s->beside.pilot ? class_of(p, job) : NULL;

	return c ? &s->beside.pilot[2 * (c - p->class) + end_of(c, job->bs)] : NULL;
}

/* --- what the store knows --- */

struct ran { /* the last attempt */
	int64_t id;
	uint64_t attempt;
	bool ended, ok; /* ended: it has an outcome */
};

static const char ran_sql[] = "SELECT r.id, r.attempt, r.status NOT IN ('running', "
			      "'interrupted'), r.status = 'ok' FROM run r "
			      "JOIN combination c ON c.id = r.combination_id WHERE r.purpose = "
			      "'pilot' AND lower(hex(c.key)) = ? "
			      "ORDER BY r.attempt DESC LIMIT 1";

static struct ran find(const struct session *s, const struct plan_row *row)
{
	AUTO(rows_closep) struct rows *r = NULL;
	char hex[2 * KEY_BYTES + 1];

	if (rows_open(&r, s->store, ran_sql, NULL))
		return (struct ran){ 0 };
	rows_bind_text(r, 1, key_hex(&row->key, hex));
	if (rows_next(r, NULL) != 1)
		return (struct ran){ 0 };
	return (struct ran){ .id = rows_int(r, 0),
		             .attempt = (uint64_t)rows_int(r, 1),
		             .ended = rows_int(r, 2),
		             .ok = rows_int(r, 3) };
}

/* Completions per slot of a stored run, whole slots only. */
static struct stat_series load(const struct session *s, int64_t run, double *count)
{
	AUTO(rows_closep) struct rows *r = NULL;
	struct stat_series out = { .count = count, .precision = s->prepared->sweep->precision };

	if (rows_open(
		&r, s->store,
		"SELECT t_ms, max(len_ms), sum(ios) FROM interval WHERE run_id = ? AND op <> 3 "
		"GROUP BY t_ms ORDER BY t_ms",
		NULL))
		return out;
	rows_bind_int(r, 1, run);
	while (rows_next(r, NULL) == 1 && out.n < SERIES_MAX) {
		double length_s = rows_real(r, 1) / 1e3;

		if (!out.n)
			out.slot_s = length_s;
		if (length_s < out.slot_s * 0.99)
			break;
		count[out.n++] = rows_real(r, 2);
	}
	return out;
}

static void describe(const struct session *s, const struct stat_pilot *p, char *buf,
                     size_t size)
{
	char level[32];

	(void)snprintf(level, sizeof(level), "%.0f IOPS", p->level);
	if (!p->known)
		(void)snprintf(buf, size, "taught nothing: too short, or nothing completed");
	else if (p->refills)
		(void)snprintf(buf, size,
		               "%s after a faster start of %.1f s that came back after a pause "
		               "(a cache or "
		               "credit): no short run of its class is steady",
		               level, p->fast_s);
	else if (p->unsteady)
		(void)snprintf(buf, size, "%s, but it did not become steady", level);
	else
		(void)snprintf(
		    buf, size, "%s; runs of its class take at least %.0f s for +-%g %%%s%s",
		    level, p->shortest_s, 100 * s->prepared->sweep->precision,
		    p->warm_up_s > 0 ? ", after a longer ramp" : "",
		    p->fast_s > 0 ? "; a faster start was used up and did not come back" : "");
}

static void tell(struct session *s, int64_t run, const struct plan_row *row,
                 const struct stat_pilot *p)
{
	AUTO(rows_closep) struct rows *r = NULL;
	char text[600], what[320];

	if (rows_open(&r, s->store, "SELECT 1 FROM event WHERE run_id = ? AND code = 'pilot'",
	              NULL))
		return;
	rows_bind_int(r, 1, run);
	if (rows_next(r, NULL))
		return;
	describe(s, p, what, sizeof(what));
	(void)snprintf(text, sizeof(text), "%s of %.120s: %s", row->label, row->filename, what);
	(void)store_event(s->store, run, p->refills || p->unsteady ? "warning" : "info",
	                  "pilot", text, NULL);
}

static void learn(struct session *s, struct pilot *p, const struct plan_row *row,
                  const struct ran *run, const struct ran *again)
{
	struct stat_room *room = xcalloc(1, sizeof(*room));
	double *count = xcalloc(2 * (size_t)SERIES_MAX, sizeof(*count));
	struct stat_series pilot = load(s, run->id, count),
			   reprobe = load(s, again->ok ? again->id : 0, count + SERIES_MAX);

	if (!reprobe.n)
		reprobe.slot_s = pilot.slot_s;
	if (pilot.n)
		stat_pilot(&p->learnt, &pilot, &reprobe, room);
	p->stage = PILOT_OVER;
	tell(s, run->id, row, &p->learnt);
	free(count);
	free(room);
}

/* --- in turn --- */

/* The second run belongs to the first by its attempt; when it is missing both are done again,
 * for what it shows is how things are a moment later. */
static void look_up(struct session *s, struct pilot *p, uint64_t cell, struct plan_row *row)
{
	const struct plan *plan = s->prepared->plan;
	struct ran run, again;

	plan_long_cell(plan, cell, pilot_again_ns(plan->sweep), row);
	again = find(s, row);
	plan_long_cell(plan, cell, plan->sweep->pilot_ns, row);
	run = find(s, row);
	if (run.ok && again.ended && again.attempt >= run.attempt)
		learn(s, p, row, &run, &again);
	else if ((run.ended && !run.ok) || p->stage == PILOT_TO_LEARN ||
	         (p->stage == PILOT_TO_REPEAT && !run.ok))
		p->stage = PILOT_OVER; /* failed, or the store has not got it: it is held */
	else if (p->stage != PILOT_TO_REPEAT)
		p->stage = PILOT_TO_RUN;
	p->attempt = run.attempt;
	if (p->stage == PILOT_TO_RUN)
		p->attempt = 1 + (again.attempt > run.attempt ? again.attempt : run.attempt);
}

static bool store_before(struct session *s, struct outcome *before)
{
	return !before->open || !row_store(s, before, NULL);
}

bool pilot_before(struct session *s, const struct plan_row *row, struct outcome *o,
                  struct outcome *before)
{
	const struct plan *plan = s->prepared->plan;
	struct pilot *p = pilot_of(s, &row->job);
	const struct plan_class *c;
	uint64_t cell;

	if (!p || p->stage == PILOT_OVER)
		return false;
	if (!store_before(s, before))
		return false;
	c = class_of(plan, &row->job);
	cell = c->cell[end_of(c, row->job.bs)];
	look_up(s, p, cell, &o->row);
	if (p->stage == PILOT_OVER)
		return false;
	o->purpose = PURPOSE_PILOT;
	o->attempt = p->attempt;
	if (p->stage == PILOT_TO_RUN)
		return true;
	plan_long_cell(plan, cell, pilot_again_ns(plan->sweep), &o->row);
	if (job_simulated(&o->row.job))
		s->sim_rest_ns += pilot_pause_ns(plan->sweep);
	else
		session_rest(s, pilot_pause_ns(plan->sweep));
	return !session_stopping(s);
}

void pilot_ran(struct session *s, const struct outcome *o)
{
	const struct record *r = &o->record;
	struct pilot *p = r->purpose == PURPOSE_PILOT ? pilot_of(s, r->job) : NULL;

	if (!p)
		return;
	if (r->status == STATUS_INTERRUPTED)
		p->stage = PILOT_UNKNOWN;
	else if (r->status != STATUS_OK && p->stage == PILOT_TO_RUN)
		p->stage = PILOT_OVER;
	else
		p->stage = p->stage == PILOT_TO_RUN ? PILOT_TO_REPEAT : PILOT_TO_LEARN;
}
