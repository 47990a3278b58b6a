#include "run/early.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "run/lane.h"

#define MARGIN_NS                                                                              \
	(20 * MSEC) /* from the decision to the stop, so that every job hears of it            \
	             */

void early_set_up(struct early *e, struct run *run, const struct run_spec *spec)
{
	uint64_t total = run->ramp_ns + run->runtime_ns;
	struct stat_stopping *s = &e->stopping;

	e->run = run;
	e->ended = false;
	/* a rate that was asked for says nothing of how steady the device is */
	e->on = spec->precision > 0 && spec->job.time_based && !job_paced(&spec->job);
	if (!e->on)
		return;
	e->pilot = spec->pilot;
	stat_stopping_init(s, &e->pilot, spec->precision, (double)total / 1e9);
	s->discard_s = fmax(s->discard_s, (double)run->ramp_ns / 1e9);
	s->cap_s = (double)total / 1e9 - s->discard_s;
	s->look_s = fmin(s->look_s, s->cap_s);
	run->ramp_ns = (uint64_t)(s->discard_s * 1e9);
	run->runtime_ns = total - run->ramp_ns;
}

void early_begin(struct early *e, struct lane *const lane[], unsigned lanes, uint64_t from_ns)
{
	e->lane = lane;
	e->lanes = lanes;
	e->from_ns = e->next_ns = from_ns;
	e->seen_ns = 0;
	e->n = 0;
}

static uint64_t published(const struct early *e)
{
	uint64_t ios = 0;

	for (unsigned i = 0; i < e->lanes; i++)
		ios += atomic_load_explicit(&e->lane[i]->progress.ios, memory_order_relaxed);
	return ios;
}

/* Enough is known: stop where a slot ends. */
static void stop(struct early *e, uint64_t now_ns)
{
	uint64_t slot = e->run->slot_ns, slots = (now_ns + MARGIN_NS - e->from_ns) / slot + 1;

	e->ended = true;
	e->next_ns = NO_END;
	atomic_store_explicit(&e->run->stop_at_ns, e->from_ns + slots * slot,
	                      memory_order_relaxed);
}

/* However narrow its interval, a short run of such a class is not to be trusted. */
static bool unsteady(const struct early *e)
{
	return e->pilot.known && e->pilot.unsteady;
}

static void look(struct early *e, uint64_t now_ns)
{
	double slot_s = (double)e->run->slot_ns / 1e9;
	struct stat_series series = { .count = e->count,
		                      .n = e->n,
		                      .slot_s = slot_s,
		                      .precision = e->stopping.precision };
	struct verdict v;

	if (unsteady(e))
		return;
	/* the cap is looked at when all is counted exactly */
	if (e->n * slot_s < e->stopping.look_s - slot_s / 2 ||
	    e->stopping.look_s >= e->stopping.cap_s)
		return;
	e->last = e->stopping;
	stat_judge(&v, &series, e->room);
	if (stat_look(&e->stopping, &v) == STAT_STOP_PRECISION)
		stop(e, now_ns);
}

void early_tick(struct early *e, uint64_t now_ns)
{
	uint64_t slot = e->run->slot_ns, ios = published(e), due;
	double rate;

	if (e->seen_ns) {
		due = (now_ns - e->from_ns) / slot;
		rate = (double)(ios - e->seen_ios) / (double)(now_ns - e->seen_ns);
		while (e->n < due &&
		       e->n < SERIES_MAX) /* several when the coordinator was held up */
			e->count[e->n++] = rate * (double)slot;
	}
	e->seen_ns = now_ns;
	e->seen_ios = ios;
	e->next_ns = e->from_ns + ((now_ns - e->from_ns) / slot + 1) * slot;
	look(e, now_ns);
}

static void apply_floor(struct op_verdict *v, double floor)
{
	if (v->judged && v->half_width < floor)
		v->half_width = floor;
}

void early_end(const struct early *e, struct sample *out)
{
	static const enum stop_reason reason[] = {
		[STAT_GO_ON] = STOPPED_CAP,
		[STAT_STOP_PRECISION] = STOPPED_PRECISION,
		[STAT_STOP_CAP] = STOPPED_CAP,
		[STAT_STOP_CAP_UNSTEADY] = STOPPED_CAP_UNSTEADY,
	};
	struct stat_stopping s = e->ended ? e->last : e->stopping;
	enum stat_stop how;

	if (!e->on)
		return;
	if (!e->ended)
		s.look_s = s.cap_s;
	how = stat_look(&s, &out->verdict);
	for (int op = 0; op < OP_COUNT; op++)
		apply_floor(&out->op[op].verdict, stat_pilot_floor(s.pilot, s.look_s));
	if (!e->ended)
		out->verdict.seen &= ~VERDICT_NO_PILOT;
	if (e->ended && !out->first_error.error && out->window_ns)
		out->stop_reason = STOPPED_PRECISION;
	else if (out->stop_reason == STOPPED_RUNTIME)
		out->stop_reason = unsteady(e) ? STOPPED_CAP_UNSTEADY : reason[how];
}
