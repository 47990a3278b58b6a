/* What runs and layouts cost, as far as it was seen: what --until and --for decide by. */
#include "support/test.h"

#include "base/clock.h"
#include "base/units.h"
#include "cmd/deadline.h"

static const struct sweep sweep = { .pause_ns = 3 * SEC };
static const struct plan plan = { .sweep = &sweep };

static struct plan_row row(uint64_t rw, uint64_t direct, uint64_t runtime)
{
	struct plan_row r = { .repeat = 1 };

	r.job = (struct job){ .ioengine = ENGINE_PSYNC,
		              .rw = rw,
		              .direct = direct,
		              .time_based = 1,
		              .ramp_time = 2 * SEC,
		              .runtime = runtime };
	return r;
}

static void runs(void **state)
{
	struct plan_row reads = row(RW_RANDREAD, 1, 10 * SEC),
			writes = row(RW_RANDWRITE, 0, 10 * SEC);
	struct costs c = { 0 };

	(void)state;
	/* nothing seen: a little for the drain, and for a flush as long as the window; no pause
	 */
	assert_int_equal(costs_row_ns(&c, &plan, &reads), 12200 * MSEC);
	assert_int_equal(costs_row_ns(&c, &plan, &writes), 22 * SEC);
	/* the longest seen, of each kind by itself */
	costs_run(&c, &plan, &reads, 13 * SEC);
	costs_run(&c, &plan, &reads, 12500 * MSEC);
	assert_int_equal(costs_row_ns(&c, &plan, &reads), 13 * SEC);
	assert_int_equal(costs_row_ns(&c, &plan, &writes), 22 * SEC);
	costs_run(&c, &plan, &writes, 16 * SEC);
	costs_run(&c, &plan, &writes, 11 * SEC);
	assert_int_equal(costs_row_ns(&c, &plan, &reads), 13 * SEC);
	assert_int_equal(costs_row_ns(&c, &plan, &writes), 16 * SEC);
}

/* No engine without a target flushes. */
static void null_runs(void **state)
{
	struct plan_row writes = row(RW_RANDWRITE, 0, 10 * SEC);
	struct costs c = { 0 };

	(void)state;
	writes.job.ioengine = ENGINE_NULL;
	assert_int_equal(costs_row_ns(&c, &plan, &writes), 12200 * MSEC);
}

static void sized(void **state)
{
	struct plan_row r = row(RW_READ, 1, AXIS_UNSET);
	struct costs c = { 0 };

	(void)state;
	r.job.time_based = 0;
	r.job.ramp_time = 0;
	assert_int_equal(costs_row_ns(&c, &plan, &r), 0);
	costs_run(&c, &plan, &r, 40 * SEC);
	costs_run(&c, &plan, &r, 30 * SEC);
	assert_int_equal(costs_row_ns(&c, &plan, &r), 40 * SEC);
}

static void layouts(void **state)
{
	struct costs c = { 0 };

	(void)state;
	assert_int_equal(costs_layout_ns(&c, 1000000000), 2 * SEC); /* at 500 MB/s */
	costs_layout(&c, MIB, SEC);                                 /* too small to tell */
	assert_int_equal(costs_layout_ns(&c, 1000000000), 2 * SEC);
	costs_layout(&c, 100000000, SEC);
	assert_int_equal(costs_layout_ns(&c, 1000000000), 10 * SEC);
	assert_int_equal(costs_layout_ns(&c, 0), 0);
	assert_int_equal(costs_layout_ns(&c, UINT64_MAX), 1000000000 * SEC);
}

static void left(void **state)
{
	struct deadline d = { 0 };

	(void)state;
	assert_true(deadline_left_ns(&d) == UINT64_MAX);
	d = (struct deadline){ .set = true, .at_ns = (int64_t)(clock_boot_ns() + 100 * SEC) };
	assert_in_range(deadline_left_ns(&d), 1, 100 * SEC);
	d.at_ns = (int64_t)clock_boot_ns();
	assert_int_equal(deadline_left_ns(&d), 0);
	/* by the clock on the wall */
	d = (struct deadline){ .set = true,
		               .wall = true,
		               .at_ns = clock_wall_ns() + 100 * (int64_t)SEC };
	assert_in_range(deadline_left_ns(&d), 1, 101 * SEC);
	d.at_ns = clock_wall_ns() - (int64_t)SEC;
	assert_int_equal(deadline_left_ns(&d), 0);
}

static void words(void **state)
{
	struct options until = { .until = "07:00" }, span = { .for_time = "8h" }, none = { 0 },
		       both = { .until = "07:00", .for_time = "8h" };
	struct deadline d;
	char buf[80];

	(void)state;
	assert_string_equal(deadline_text(buf, sizeof(buf), &until), "--until 07:00");
	assert_string_equal(deadline_text(buf, sizeof(buf), &span), "--for 8h");
	assert_int_equal(deadline_set(&d, &none), EXIT_OK);
	assert_false(d.set);
	assert_int_equal(deadline_set(&d, &span), EXIT_OK);
	assert_true(d.set && !d.wall);
	assert_in_range(deadline_left_ns(&d), 8 * 3600 * SEC - 60 * SEC, 8 * 3600 * SEC);
	assert_int_equal(deadline_set(&d, &until), EXIT_OK);
	assert_true(d.set && d.wall);
	assert_in_range(deadline_left_ns(&d), 1, 25 * 3600 * SEC);
	assert_int_equal(deadline_set(&d, &both), EXIT_USAGE);
}

TEST_MAIN(cmocka_unit_test(runs), cmocka_unit_test(null_runs), cmocka_unit_test(sized),
          cmocka_unit_test(layouts), cmocka_unit_test(left), cmocka_unit_test(words))
