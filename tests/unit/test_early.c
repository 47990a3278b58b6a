/* run/early.h: runs that end when they are precise enough, on simulated time, and its
 * arithmetic. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "run/early.h"
#include "run/lane.h"
#include "support/core_bench.h"

static struct run_spec spec_for(const struct bench *b, uint64_t ramp_ns, uint64_t runtime_ns)
{
	struct run_spec s = bench_spec(b, ENGINE_SIM, RW_RANDREAD);

	s.job.time_based = 1;
	s.job.ramp_time = ramp_ns;
	s.job.runtime = runtime_ns;
	s.job.numjobs = 3;
	s.region_bytes = s.target_bytes = s.sim.size_bytes;
	s.sim.service[OP_READ] =
	    (struct sim_service){ .base_ns = 300 * USEC, .spread = SIM_LOGNORMAL, .cv = 0.3 };
	s.sim.servers = 3;
	s.precision = 0.02;
	return s;
}

static void run_in_window(struct bench *b, const struct run_spec *spec, double seconds)
{
	uint64_t ios = 0;

	assert_int_equal(bench_run(b, spec), 0);
	assert_int_equal(b->sample->window_ns, (uint64_t)(seconds * 10 + 0.5) * 100 * MSEC);
	assert_int_equal(b->sample->together_ns,
	                 b->sample->window_ns); /* one moment for all jobs */
	for (uint32_t i = 0; i < b->sample->slots; i++)
		ios += b->sample->slot[i].ios[OP_READ];
	assert_int_equal(ios, b->sample->op[OP_READ].ios);
}

static void two_looks_without_a_pilot(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_for(b, 2 * SEC, 30 * SEC);

	run_in_window(b, &spec, 8.1); /* looks at 6 and 8, ends with the next slot */
	spec.job.numjobs = 1;
	run_in_window(b, &spec, 8.1);
	assert_int_equal(b->sample->stop_reason, STOPPED_PRECISION);
	assert_true(b->sample->verdict.seen & VERDICT_NO_PILOT);
	assert_true(b->sample->verdict.half_width < 0.02);
	assert_true(b->sample->op[OP_READ].verdict.half_width > 0);
}

static struct stat_pilot quiet_pilot(void)
{
	struct stat_pilot p = {
		.known = true, .shortest_s = 6, .half_width = 0.001, .rest_s = 100
	};

	for (int i = 0; i < STAT_LOOKS; i++)
		p.spread[i] = 0.004;
	return p;
}

static void one_look_with_a_pilot(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_for(b, 2 * SEC, 30 * SEC);

	spec.pilot = quiet_pilot();
	run_in_window(b, &spec, 6.1);
	assert_int_equal(b->sample->stop_reason, STOPPED_PRECISION);
	assert_false(b->sample->verdict.seen & VERDICT_NO_PILOT);
	/* not below what windows so long differed by in the pilot */
	assert_float_equal(b->sample->verdict.half_width, 0.008, 1e-9);
	assert_float_equal(b->sample->op[OP_READ].verdict.half_width, 0.008, 1e-9);
}

static void pilot_puts_the_first_look_off(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_for(b, 2 * SEC, 30 * SEC);

	spec.pilot = quiet_pilot();
	spec.pilot.shortest_s = 15;
	run_in_window(b, &spec, 15.1);
	assert_int_equal(b->sample->stop_reason, STOPPED_PRECISION);
}

/* The ramp is the user's, one second or what the pilot says, whichever is longest; ramp and
 * window are never longer together than what was asked for. */
static void ramp_and_cap(void **state)
{
	static const struct {
		uint64_t ramp_ns, runtime_ns;
		double warm_up_s, cap_s;
		const char *ramp; /* in words, when it is not what was asked for */
	} cases[] = {
		{ 2 * SEC, 5 * SEC, 0, 5, NULL },
		{ 0, 5 * SEC, 0, 4, " ramp_s=1 " },
		{ 500 * MSEC, 5 * SEC, 0, 4.5, " ramp_s=1 " },
		{ 2 * SEC, 5 * SEC, 2, 4, " ramp_s=3 " },
		{ 6 * SEC, 5 * SEC, 2, 5, NULL },
		{ 0, 1 * SEC, 0, 0.5, " ramp_s=0.5 " },
		{ 0, 20 * SEC, 30, 10, " ramp_s=10 " },
	};
	struct bench *b = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_spec spec = spec_for(b, cases[i].ramp_ns, cases[i].runtime_ns);

		spec.pilot = quiet_pilot();
		spec.pilot.warm_up_s = cases[i].warm_up_s;
		spec.pilot.shortest_s = 34;
		run_in_window(b, &spec, cases[i].cap_s);
		assert_true(b->sample->ramp_ios > 0);
		assert_non_null(
		    strstr(b->sample->effective, cases[i].ramp ? cases[i].ramp : " clock="));
		assert_int_equal(!strstr(b->sample->effective, "ramp_s"), !cases[i].ramp);
		if (cases[i].cap_s >= 5)
			assert_true(b->sample->stop_reason == STOPPED_CAP ||
			            b->sample->stop_reason == STOPPED_PRECISION);
	}
}

static void unsteady_device_runs_to_the_cap(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_for(b, 2 * SEC, 20 * SEC);

	spec.sim.wave.shape = SIM_SQUARE;
	spec.sim.wave.period_ns = 8 * SEC;
	spec.sim.wave.amplitude = 0.3;
	run_in_window(b, &spec, 20);
	assert_int_equal(b->sample->stop_reason, STOPPED_CAP_UNSTEADY);
	assert_false(b->sample->verdict.seen & VERDICT_NO_PILOT);
}

static void distrusted_class_never_ends_early(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_for(b, 2 * SEC, 12 * SEC);

	for (int i = 0; i < 2; i++) {
		spec.pilot = quiet_pilot();
		spec.pilot.refills = i == 0;
		spec.pilot.unsteady = i == 1;
		run_in_window(b, &spec, 12);
		assert_int_equal(b->sample->stop_reason, STOPPED_CAP_UNSTEADY);
		assert_true(b->sample->verdict.seen &
		            (i ? VERDICT_PILOT_UNSTEADY : VERDICT_PILOT_REFILLS));
	}
}

static void off_and_bound_by_size_are_as_ever(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_for(b, 1 * SEC, 10 * SEC);

	spec.precision = 0;
	run_in_window(b, &spec, 10);
	assert_int_equal(b->sample->stop_reason, STOPPED_RUNTIME);
	spec.precision = 0.02;
	spec.job.time_based = 0;
	spec.job.runtime = AXIS_UNSET;
	spec.job.ramp_time = 0;
	spec.region_bytes = 4096 * 3000;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->stop_reason, STOPPED_SIZE);
}

/* --- the slots that the coordinator fills --- */

struct clockwork {
	struct run run;
	struct early early;
	struct stat_room room;
	struct lane *lane[2];
	_Atomic uint32_t pending;
};

static int clockwork_setup(void **state)
{
	struct clockwork *c = aligned_alloc(CACHE_LINE, sizeof(*c));

	if (!c)
		return -1;
	memset(c, 0, sizeof(*c));
	c->early.room = &c->room;
	c->run.slot_ns = 100 * MSEC;
	c->run.ramp_ns = SEC;
	c->run.runtime_ns = 30 * SEC;
	for (unsigned i = 0; i < 2; i++)
		c->lane[i] = lane_new(i, &c->run, &c->pending);
	*state = c;
	return !c->lane[0] || !c->lane[1];
}

static int clockwork_teardown(void **state)
{
	struct clockwork *c = *state;

	for (unsigned i = 0; i < 2; i++)
		lane_free(c->lane[i]);
	free(c);
	return 0;
}

static void tick(struct clockwork *c, uint64_t now_ns, uint64_t ios)
{
	atomic_store(&c->lane[0]->progress.ios, ios / 2);
	atomic_store(&c->lane[1]->progress.ios, ios - ios / 2);
	early_tick(&c->early, now_ns);
}

static void late_ticks_fill_slots_by_the_time_that_passed(void **state)
{
	struct run_spec spec = { .precision = 0.02, .job = { .time_based = 1 } };
	struct clockwork *c = *state;
	struct early *e = &c->early;

	early_set_up(e, &c->run, &spec);
	early_begin(e, c->lane, 2, 5 * SEC);
	assert_false(early_due(e, 5 * SEC - 1));
	assert_true(early_due(e, 5 * SEC));
	tick(c, 5 * SEC + MSEC, 700); /* the ramp's are in no slot */
	assert_int_equal(e->n, 0);
	assert_int_equal(e->next_ns, 5 * SEC + 100 * MSEC);
	tick(c, 5 * SEC + 101 * MSEC, 1700);
	assert_int_equal(e->n, 1);
	assert_float_equal(e->count[0], 1000, 1e-6);
	tick(c, 5 * SEC + 421 * MSEC, 3300); /* 320 ms later: three slots at 500 per 100 ms */
	assert_int_equal(e->n, 4);
	assert_float_equal(e->count[1], 500, 1e-6);
	assert_float_equal(e->count[3], 500, 1e-6);
	assert_int_equal(e->next_ns, 5 * SEC + 500 * MSEC);
}

static void stop_is_a_slots_end_that_all_can_still_meet(void **state)
{
	static const struct {
		uint64_t late_ns, slots;
	} cases[] = { { 0, 61 }, { 79 * MSEC, 61 }, { 81 * MSEC, 62 } };
	struct run_spec spec = { .precision = 0.02, .job = { .time_based = 1 } };
	struct clockwork *c = *state;
	uint64_t ios;

	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		spec.pilot = quiet_pilot();
		c->run.ramp_ns = SEC;
		c->run.runtime_ns = 30 * SEC;
		atomic_store(&c->run.stop_at_ns, NO_END);
		early_set_up(&c->early, &c->run, &spec);
		early_begin(&c->early, c->lane, 2, 5 * SEC);
		ios = 0;
		for (unsigned i = 0; i < 60; i++, ios += 1000 + i % 3)
			tick(c, 5 * SEC + i * 100 * MSEC, ios);
		assert_false(c->early.ended);
		tick(c, 11 * SEC + cases[k].late_ns, ios);
		assert_true(c->early.ended);
		assert_int_equal(atomic_load(&c->run.stop_at_ns),
		                 5 * SEC + cases[k].slots * 100 * MSEC);
		assert_false(early_due(&c->early, 100 * SEC));
	}
}

#define ON_CORE(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
#define ALONE(f)   cmocka_unit_test_setup_teardown(f, clockwork_setup, clockwork_teardown)

TEST_MAIN(ON_CORE(two_looks_without_a_pilot), ON_CORE(one_look_with_a_pilot),
          ON_CORE(pilot_puts_the_first_look_off), ON_CORE(ramp_and_cap),
          ON_CORE(unsteady_device_runs_to_the_cap), ON_CORE(distrusted_class_never_ends_early),
          ON_CORE(off_and_bound_by_size_are_as_ever),
          ALONE(late_ticks_fill_slots_by_the_time_that_passed),
          ALONE(stop_is_a_slots_end_that_all_can_still_meet))
