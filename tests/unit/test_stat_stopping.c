/* What pilots teach, and when a run may end early. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "stat/stopping.h"
#include "stat/tail.h"
#include "support/behaviour.h"

static struct stat_room room;
static double course[1200], again[80];

static void learn(struct stat_pilot *p)
{
	struct stat_series
	    pilot = { .count = course, .n = 1200, .slot_s = 0.1, .precision = 0.02 },
	    probe = { .count = again, .n = 80, .slot_s = 0.1, .precision = 0.02 };

	stat_pilot(p, &pilot, &probe, &room);
}

/* White noise of 1 %, the first `head` slots times `factor`; the re-probe times `probe`. */
static void noise(unsigned head, double factor, double probe)
{
	struct rng r;

	rng_seed(&r, 4);
	for (unsigned i = 0; i < 1200; i++)
		course[i] = (1000 + behaviour_gauss(&r, 10)) * (i < head ? factor : 1);
	for (unsigned i = 0; i < 80; i++)
		again[i] = (1000 + behaviour_gauss(&r, 10)) * probe;
}

static void a_quiet_pilot_allows_the_first_look(void **state)
{
	struct stat_pilot p;

	(void)state;
	noise(0, 1, 1);
	learn(&p);
	assert_true(p.known && !p.unsteady && !p.refills && !p.spent);
	assert_true(p.warm_up_s == 0 && p.fast_s == 0 && p.shortest_s == 6);
	assert_true(fabs(p.level - 10000) < 20);
	/* the mean of 60 slots has a standard deviation of 1 % / sqrt(60) */
	assert_true(p.spread[0] > 0.0008 && p.spread[0] < 0.0018);
	assert_true(stat_pilot_floor(&p, 7.9) == 2 * p.spread[0]);
	assert_true(stat_pilot_floor(&p, 8) == 2 * p.spread[1]);
	assert_true(stat_pilot_floor(&p, 100) == 2 * p.spread[STAT_LOOKS - 1]);
	assert_true(fabs(stat_pilot_expects(&p, 30) - 2 * p.half_width) < 0.02 * p.half_width);
	assert_true(stat_pilot_floor(NULL, 30) == 0 && stat_pilot_expects(NULL, 30) == 0);
}

static void heads_of_pilots(void **state)
{
	static const struct {
		unsigned head; /* slots; the first ten are never looked at */
		double factor, probe;
		double warm_up_s, fast_s;
		bool spent, refills;
	} cases[] = {
		{ 60, 0.7, 1, 5, 0, false, false },  /* slow start */
		{ 60, 2, 1, 0, 5, true, false },     /* credits are gone */
		{ 60, 2, 2, 0, 5, false, true },     /* and are back after a pause */
		{ 60, 1.01, 1, 0, 0, false, false }, /* too little to say */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct stat_pilot p;

		noise(cases[i].head, cases[i].factor, cases[i].probe);
		learn(&p);
		if (fabs(p.warm_up_s - cases[i].warm_up_s) > 0.5 ||
		    fabs(p.fast_s - cases[i].fast_s) > 0.5)
			fail_msg("case %zu: slow for %g s, fast for %g s", i, p.warm_up_s, p.fast_s);
		assert_int_equal(p.spent, cases[i].spent);
		assert_int_equal(p.refills, cases[i].refills);
		assert_false(p.unsteady);
	}
}

static void a_pilot_that_drifts_is_unsteady(void **state)
{
	struct stat_series none = { .count = again, .n = 0, .slot_s = 0.1, .precision = 0.02 },
			   pilot = {
				   .count = course, .n = 1200, .slot_s = 0.1, .precision = 0.02
			   };
	struct stat_pilot p;

	(void)state;
	noise(0, 1, 1);
	for (unsigned i = 0; i < 1200; i++)
		course[i] *= 1 - 0.0003 * i; /* -36 % */
	learn(&p);
	assert_true(p.unsteady);
	assert_true(p.shortest_s == 34);
	noise(200, 2, 1);
	stat_pilot(&p, &pilot, &none, &room);
	assert_true(p.refills); /* nothing shows that it does not */
	pilot.n = 100;
	stat_pilot(&p, &pilot, &none, &room);
	assert_false(p.known);
}

/* Lengths of data at which a run is looked at. */
static void looks_are_few_and_end_at_the_cap(void **state)
{
	static const struct {
		double total, warm_up, shortest, discard, looks[12];
	} cases[] = {
		{ 35, 0, 6, 1, { 6, 8, 11, 15, 20, 27, 34 } },
		{ 35, 4, 6, 5, { 6, 8, 11, 15, 20, 27, 30 } },
		{ 35, 60, 6, 10, { 6, 8, 11, 15, 20, 25 } },
		{ 35, 0, 20, 1, { 20, 27, 34 } },
		{ 35, 0, 34, 1, { 34 } },
		{ 100, 0, 6, 1, { 6, 8, 11, 15, 20, 27, 34, 46, 62, 83, 99 } },
		{ 7, 0, 34, 1, { 6 } },
		{ 4, 0, 6, 1, { 3 } },
		{ 1, 0, 6, 0.5, { 0.5 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct stat_pilot p = { .known = true,
			                .warm_up_s = cases[i].warm_up,
			                .shortest_s = cases[i].shortest };
		struct stat_stopping s;
		enum stat_stop stop = STAT_GO_ON;

		stat_stopping_init(&s, &p, 0.02, cases[i].total);
		assert_true(s.discard_s == cases[i].discard);
		for (unsigned k = 0; stop == STAT_GO_ON; k++) {
			struct verdict v = { .judged = false };

			assert_true(s.look_s == cases[i].looks[k]);
			stop = stat_look(&s, &v);
			assert_int_equal(stop == STAT_GO_ON, cases[i].looks[k + 1] > 0);
		}
		assert_int_equal(stop, STAT_STOP_CAP);
	}
}

static struct verdict fine(void)
{
	return (struct verdict){ .judged = true, .values = 12, .half_width = 0.01 };
}

static void nothing_may_speak_against_it(void **state)
{
	static const struct stat_pilot
	    quiet = { .known = true, .shortest_s = 6 },
	    refills = { .known = true, .shortest_s = 6, .refills = true },
	    scatters = { .known = true, .shortest_s = 6, .spread = { 0.011 } },
	    stalls = { .known = true, .shortest_s = 6, .stall_lost = 0.011 };
	static const struct {
		const struct stat_pilot *pilot;
		struct verdict v;
		enum stat_stop stop;
	} cases[] = {
		{ &quiet, { .half_width = 0.0196 }, STAT_STOP_PRECISION },
		{ &quiet, { .half_width = 0.0197 }, STAT_GO_ON },
		{ &quiet, { .values = 9 }, STAT_GO_ON },
		{ &quiet, { .drift = -0.021, .drift_t = -2.1 }, STAT_GO_ON },
		{ &quiet, { .drift = -0.021, .drift_t = -1.9 }, STAT_STOP_PRECISION },
		{ &quiet, { .drift = 0.019, .drift_t = 9 }, STAT_STOP_PRECISION },
		{ &quiet, { .stalls = 1 }, STAT_GO_ON },
		{ &quiet, { .stalls = 4 }, STAT_GO_ON },
		{ &quiet, { .stalls = 5 }, STAT_STOP_PRECISION },
		{ &quiet, { .seen = VERDICT_WARMING }, STAT_GO_ON },
		{ &quiet, { .seen = VERDICT_DRIFT }, STAT_GO_ON },
		{ &quiet, { .seen = VERDICT_BIMODAL }, STAT_GO_ON },
		{ &quiet, { .seen = VERDICT_UNSETTLED }, STAT_GO_ON },
		{ &quiet, { .seen = VERDICT_EXCURSION }, STAT_GO_ON },
		{ &quiet, { .seen = VERDICT_FAST_START }, STAT_GO_ON },
		{ &quiet, { .seen = VERDICT_PLATEAU }, STAT_STOP_PRECISION },
		{ &refills, { .half_width = 0.001 }, STAT_GO_ON },
		{ &scatters, { .half_width = 0.001 }, STAT_GO_ON },
		{ &stalls, { .half_width = 0.001 }, STAT_STOP_PRECISION }, /* with that doubt */
		{ NULL, { .half_width = 0.001 }, STAT_GO_ON },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct verdict v = cases[i].v;
		struct stat_stopping s;

		v.judged = true;
		if (!v.values)
			v.values = 12;
		stat_stopping_init(&s, cases[i].pilot, 0.02, 35);
		if (stat_look(&s, &v) != cases[i].stop)
			fail_msg("case %zu", i);
	}
}

static void without_a_pilot_two_looks_in_a_row(void **state)
{
	struct stat_stopping s;
	struct verdict v = fine();

	(void)state;
	stat_stopping_init(&s, NULL, 0.02, 35);
	assert_int_equal(stat_look(&s, &v), STAT_GO_ON);
	assert_true(v.seen & VERDICT_NO_PILOT);
	v = (struct verdict){ .judged = true, .values = 12, .half_width = 0.03 };
	assert_int_equal(stat_look(&s, &v), STAT_GO_ON);
	v = fine();
	assert_int_equal(stat_look(&s, &v), STAT_GO_ON);
	v = fine();
	assert_int_equal(stat_look(&s, &v), STAT_STOP_PRECISION);
	assert_true(s.look_s == 15);
}

static void the_cap_says_whether_it_was_steady(void **state)
{
	static const struct {
		struct stat_pilot pilot;
		unsigned seen;
		enum stat_stop stop;
		unsigned adds;
	} cases[] = {
		{ { .known = true }, 0, STAT_STOP_CAP, VERDICT_WIDE },
		{ { .known = true }, VERDICT_BIMODAL, STAT_STOP_CAP_UNSTEADY, VERDICT_WIDE },
		{ { .known = true, .unsteady = true },
		  0,
		  STAT_STOP_CAP_UNSTEADY,
		  VERDICT_WIDE | VERDICT_PILOT_UNSTEADY },
		{ { .known = true, .half_width = 0.01, .rest_s = 119 },
		  0,
		  STAT_STOP_CAP_UNSTEADY,
		  VERDICT_WIDE | VERDICT_PILOT_UNSTEADY },
		{ { .known = true, .half_width = 0.007, .rest_s = 119 },
		  0,
		  STAT_STOP_CAP,
		  VERDICT_WIDE },
		{ { .known = false, .unsteady = true }, 0, STAT_STOP_CAP, VERDICT_NO_PILOT },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct verdict v = {
			.judged = true, .values = 50, .half_width = 0.03, .seen = cases[i].seen
		};
		struct stat_stopping s;

		stat_stopping_init(&s, &cases[i].pilot, 0.02, 35);
		s.look_s = s.cap_s;
		if (stat_look(&s, &v) != cases[i].stop ||
		    v.seen != (cases[i].seen | cases[i].adds))
			fail_msg("case %zu: 0x%x", i, v.seen);
	}
}

/* Seven of a hundred thousand in each batch, or all of them in one. */
static void clumps_widen_the_tail(void **state)
{
	uint64_t above[20], all[20];
	double even, clumped;

	(void)state;
	for (int i = 0; i < 20; i++) {
		above[i] = 10 + (unsigned)i % 2;
		all[i] = 1000;
	}
	even = stat_share_half_width(above, all, 20, 0.99, 0.95);
	assert_true(fabs(even - 1.959963984540054 * sqrt(0.99 * 0.01 / 20000)) < 1e-12);
	assert_true(stat_tail_resolved(0.99, even));
	memset(above, 0, sizeof(above));
	above[7] = 200;
	clumped = stat_share_half_width(above, all, 20, 0.99, 0.95);
	/* one batch of 20 at 0.2: standard error 0.01, t(19) = 2.093, correlation 1 / 20 + r1 <
	 * 0 */
	assert_true(clumped > 0.0208 && clumped < 0.022);
	assert_false(stat_tail_resolved(0.99, clumped));
	for (int i = 0; i < 20; i++) { /* twice the rate, twice the slow ones */
		above[i] = i < 10 ? 10 : 20;
		all[i] = i < 10 ? 1000 : 2000;
	}
	assert_true(fabs(stat_share_half_width(above, all, 20, 0.99, 0.95) -
	                 1.959963984540054 * sqrt(0.99 * 0.01 / 30000)) < 1e-12);
	memset(all, 0, sizeof(all));
	assert_true(stat_share_half_width(above, all, 20, 0.99, 0.95) == 1);
	assert_true(stat_tail_resolved(0.99, 0.00499999) && !stat_tail_resolved(0.99, 0.0051));
}

TEST_MAIN(cmocka_unit_test(a_quiet_pilot_allows_the_first_look),
          cmocka_unit_test(heads_of_pilots), cmocka_unit_test(a_pilot_that_drifts_is_unsteady),
          cmocka_unit_test(looks_are_few_and_end_at_the_cap),
          cmocka_unit_test(nothing_may_speak_against_it),
          cmocka_unit_test(without_a_pilot_two_looks_in_a_row),
          cmocka_unit_test(the_cap_says_whether_it_was_steady),
          cmocka_unit_test(clumps_widen_the_tail))
