/* plan/cells.h: which cells become sentinels and pilots, and the time they take. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "plan/plan.h"
#include "support/fixture.h"

struct test {
	struct sweep *sweep;
	struct world world;
	struct plan *plan;
	struct err e;
};

static int setup(void **state)
{
	struct test *t = xcalloc(1, sizeof(*t));

	t->sweep = fixture_sweep();
	fixture_world(&t->world, t->sweep);
	fixture_axis(t->sweep, AXIS_ioengine, VALUES(ENGINE_LIBAIO));
	fixture_axis(t->sweep, AXIS_rw, VALUES(RW_RANDREAD, RW_RANDWRITE));
	fixture_axis(t->sweep, AXIS_bs, VALUES(4096, 16384, 65536));
	fixture_axis(t->sweep, AXIS_iodepth, VALUES(1, 8));
	fixture_axis(t->sweep, AXIS_numjobs, VALUES(1, 2));
	fixture_axis(t->sweep, AXIS_ramp_time, VALUES(2 * SEC));
	fixture_axis(t->sweep, AXIS_runtime, VALUES(28 * SEC));
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct test *t = *state;

	plan_free(t->plan);
	sweep_free(t->sweep);
	fixture_world_fini(&t->world);
	free(t);
	return 0;
}

static void make(struct test *t)
{
	assert_int_equal(plan_new(&t->plan, t->sweep, &t->world, PLAN_MAX_DEFAULT, &t->e), 0);
}

/* 24 rows of 30 s: 12 min. */
static void short_sweeps_have_no_sentinels(void **state)
{
	struct test *t = *state;

	make(t);
	assert_int_equal(t->plan->blocks, 0);
	assert_int_equal(t->plan->sentinels, 0);
	assert_true(t->plan->estimate_s == 720 && t->plan->expected_s == 720);
}

static void long_ones_do(void **state)
{
	struct test *t = *state;
	struct plan_row row;
	struct job job;

	t->sweep->repeats = 6; /* 72 min: one per block and one more after half an hour of it */
	make(t);
	assert_int_equal(t->plan->blocks, 2);
	assert_int_equal(t->plan->sentinels, 4);
	assert_true(t->plan->sentinel_s == 120);
	assert_true(t->plan->estimate_s == 6 * 720 + 120);
	assert_true(t->plan->write_s == 3 * 720 + 60);
	assert_int_equal(t->plan->block[0].rw, RW_RANDREAD);
	assert_int_equal(t->plan->block[1].rw, RW_RANDWRITE);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(t->plan->block[i].cells, 12);
		plan_cell(t->plan, t->plan->block[i].cell, &row);
		assert_true(plan_runs(t->plan, t->plan->block[i].cell, &job));
		assert_int_equal(row.repeat, 1);
		assert_int_equal(row.job.rw, t->plan->block[i].rw);
		assert_int_equal(row.job.bs, 16384); /* the middle one in listed order */
	}
}

static void long_is_more_than_an_hour(void **state)
{
	struct test *t = *state;

	t->sweep->repeats = 5; /* an hour exactly */
	make(t);
	assert_int_equal(t->plan->blocks, 0);
}

static void an_interval_is_for_any_length(void **state)
{
	struct test *t = *state;

	t->sweep->sentinel_long = false;
	t->sweep->sentinel_ns = 60 * SEC; /* 6 min a block */
	make(t);
	assert_int_equal(t->plan->sentinels, 2 * (1 + 6));
	assert_true(t->plan->estimate_s == 720 + 14 * 30);
}

static void never(void **state)
{
	struct test *t = *state;

	t->sweep->repeats = 100;
	t->sweep->sentinel_long = false;
	t->sweep->sentinel_ns = 0;
	make(t);
	assert_int_equal(t->plan->blocks, 0);
	assert_true(t->plan->estimate_s == 72000);
}

static void skipped_rows_are_no_cells(void **state)
{
	struct test *t = *state;

	t->sweep->sentinel_long = false;
	fixture_axis(t->sweep, AXIS_size, VALUES(16384)); /* 64k does not fit */
	make(t);
	assert_int_equal(t->plan->skipped, 8);
	assert_int_equal(t->plan->block[0].cells, 8);
}

/* A steady run takes ramp + 6 s with a pilot, + 8 s without; a shorter one what it takes. */
static void expected_time(void **state)
{
	static const struct {
		bool pilot;
		uint64_t ramp_ns, runtime_ns;
		double each_s;
	} cases[] = {
		{ false, 2 * SEC, 28 * SEC, 10 },   { true, 2 * SEC, 28 * SEC, 8 },
		{ false, 5 * SEC, 4 * SEC, 9 },     { true, 0, 28 * SEC, 7 },
		{ true, 500 * MSEC, 3 * SEC, 3.5 },
	};
	struct test *t = *state;

	t->sweep->precision = 0.02;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		t->sweep->pilot = cases[i].pilot;
		fixture_axis(t->sweep, AXIS_ramp_time, VALUES(cases[i].ramp_ns));
		fixture_axis(t->sweep, AXIS_runtime, VALUES(cases[i].runtime_ns));
		make(t);
		assert_true(
		    fabs(t->plan->expected_s - t->plan->pilot_s - 24 * cases[i].each_s) < 1e-6);
		plan_free(t->plan);
	}
	t->plan = NULL;
}

static void pilots(void **state)
{
	struct test *t = *state;
	const struct plan_class *c;
	struct plan_row row, again;

	t->sweep->precision = 0.02;
	t->sweep->pilot = true;
	make(t);
	assert_int_equal(t->plan->classes, 2);
	assert_int_equal(t->plan->pilots, 4);
	assert_true(t->plan->pilot_s == 4 * (120 + 5 + 8));
	assert_true(t->plan->estimate_s == 720 + 532);
	c = &t->plan->class[0];
	assert_int_equal(c->bs[0], 4096);
	assert_int_equal(c->bs[1], 65536);
	for (unsigned end = 0; end < 2; end++) {
		plan_long_cell(t->plan, c->cell[end], t->sweep->pilot_ns, &row);
		assert_int_equal(row.job.bs, c->bs[end]);
		assert_int_equal(row.job.numjobs * row.job.iodepth, 16);
		assert_int_equal(row.job.runtime, 120 * SEC);
		assert_int_equal(row.job.ramp_time, 0);
		assert_string_equal(row.label, end ? "randread_64k_2_8" : "randread_4k_2_8");
		plan_long_cell(t->plan, c->cell[end], pilot_again_ns(t->sweep), &again);
		assert_int_equal(again.job.runtime, 8 * SEC);
		assert_string_not_equal(row.key.id, again.key.id);
		plan_cell(t->plan, c->cell[end], &again);
		assert_string_not_equal(row.key.id, again.key.id);
	}
}

static void one_block_size_has_one_pilot(void **state)
{
	struct test *t = *state;

	t->sweep->precision = 0.02;
	t->sweep->pilot = true;
	t->sweep->pilot_ns = 24 * SEC;
	fixture_axis(t->sweep, AXIS_bs, VALUES(4096));
	fixture_axis(t->sweep, AXIS_direct, VALUES(0, 1));
	make(t);
	assert_int_equal(t->plan->classes, 4); /* direct makes a class of its own */
	assert_int_equal(t->plan->pilots, 4);
	assert_true(fabs(t->plan->pilot_s - 4 * (24 + 1 + 1.6)) < 1e-9);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

TEST_MAIN(TEST(short_sweeps_have_no_sentinels), TEST(long_ones_do),
          TEST(long_is_more_than_an_hour), TEST(an_interval_is_for_any_length), TEST(never),
          TEST(skipped_rows_are_no_cells), TEST(expected_time), TEST(pilots),
          TEST(one_block_size_has_one_pilot))
