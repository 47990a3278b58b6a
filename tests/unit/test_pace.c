/* When the I/Os of a rate are to start: the schedule alone. */
#include "support/test.h"

#include <math.h>

#include "base/units.h"
#include "run/pace.h"
#include "support/default_job.h"
#include "support/fixture.h"

#define START UINT64_C(1000000000000)

static struct run_spec spec_of(enum rw rw)
{
	struct run_spec s = { .job = default_job(), .seed = 7 };

	s.job.rw = rw;
	return s;
}

static void set(struct run_spec *s, enum axis_id a, const char *text)
{
	assert_int_equal(axis_parse(&axes[a], axes[a].name, text, axis_slot(&axes[a], &s->job), NULL),
	                 0);
}

static struct pace begun(const struct run_spec *s, unsigned job)
{
	struct pace p;

	pace_init(&p, s, job);
	pace_begin(&p, START);
	return p;
}

/* The time of the next start, which is taken. */
static uint64_t start(struct pace *p, enum op op, uint32_t len)
{
	uint64_t due, at;

	assert_int_equal(pace_next(p, PACE_NEVER - 1, &due), op);
	at = pace_due(p);
	assert_int_equal(due, at);
	pace_step(p, (int)op, len);
	return at;
}

/* 7 does not divide a second: no start is ever off by a ns or more, however many there were. */
static void an_even_rate_never_slips(void **state)
{
	struct run_spec s = spec_of(RW_RANDREAD);
	struct pace p;

	(void)state;
	set(&s, AXIS_rate_iops, "7");
	p = begun(&s, 0);
	for (uint64_t i = 0; i < 70000; i++)
		assert_int_equal(start(&p, OP_READ, 4096), START + i * SEC / 7);
}

static void bytes_are_paid_for_by_length(void **state)
{
	struct run_spec s = spec_of(RW_WRITE);
	struct pace p;

	(void)state;
	set(&s, AXIS_rate, "1m");
	p = begun(&s, 0);
	assert_int_equal(start(&p, OP_WRITE, 256 * 1024), START);
	assert_int_equal(start(&p, OP_WRITE, 512 * 1024), START + SEC / 4);
	assert_int_equal(start(&p, OP_WRITE, 1 << 30), START + 3 * SEC / 4);
	assert_int_equal(start(&p, OP_WRITE, 4096), START + 3 * SEC / 4 + 1024 * SEC);
}

static void jobs_take_turns(void **state)
{
	struct run_spec s = spec_of(RW_READ);

	(void)state;
	set(&s, AXIS_rate_iops, "100");
	s.job.numjobs = 4;
	for (unsigned job = 0; job < 4; job++) {
		struct pace p = begun(&s, job);

		assert_int_equal(start(&p, OP_READ, 4096), START + job * 2500 * USEC);
		assert_int_equal(start(&p, OP_READ, 4096), START + job * 2500 * USEC + 10 * MSEC);
	}
}

/* Each direction has its own; the one that is due longest goes first. */
static void directions_have_rates_of_their_own(void **state)
{
	static const enum op want[] = { OP_READ,  OP_WRITE, OP_READ, OP_READ,
		                        OP_WRITE, OP_READ,  OP_READ };
	struct run_spec s = spec_of(RW_RANDRW);
	struct pace p;

	(void)state;
	set(&s, AXIS_rate_iops, "200,100");
	p = begun(&s, 0);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		(void)start(&p, want[i], 4096);
	assert_int_equal(pace_due(&p), START + 20 * MSEC);
}

/* Without a rate a direction starts whenever there is room, but after what is due. */
static void a_direction_without_a_rate_is_always_due(void **state)
{
	struct run_spec s = spec_of(RW_RW);
	uint64_t due;
	struct pace p;

	(void)state;
	set(&s, AXIS_rate_iops, "100,");
	p = begun(&s, 0);
	assert_int_equal(pace_due(&p), 0);
	assert_int_equal(pace_next(&p, START - 1, &due), OP_WRITE);
	assert_int_equal(due, 0);
	assert_int_equal(pace_next(&p, START, &due), OP_READ);
	assert_int_equal(due, START);
	pace_step(&p, OP_READ, 4096);
	pace_step(&p, OP_WRITE, 4096);
	assert_int_equal(pace_next(&p, START, &due), OP_WRITE);
}

static void nothing_is_due_before_its_time(void **state)
{
	struct run_spec s = spec_of(RW_RANDWRITE);
	uint64_t due;
	struct pace p;

	(void)state;
	set(&s, AXIS_rate_iops, "1000");
	p = begun(&s, 0);
	assert_int_equal(pace_next(&p, START - 1, &due), -1);
	assert_int_equal(pace_waiting(&p, START - 1, 4096), 0);
	assert_int_equal(pace_waiting(&p, START, 4096), 1);
	assert_int_equal(pace_waiting(&p, START + MSEC - 1, 4096), 1);
	assert_int_equal(pace_waiting(&p, START + 500 * MSEC, 4096), 501);
}

/* Exponential gaps: their mean, and as many above one and three means as there should be. */
static void poisson_gaps_are_exponential(void **state)
{
	struct run_spec s = spec_of(RW_READ);
	uint64_t n = 200000, above[2] = { 0 }, last = START, at = 0;
	struct pace p, again;

	(void)state;
	set(&s, AXIS_rate_iops, "1000");
	set(&s, AXIS_rate_process, "poisson");
	p = begun(&s, 0);
	again = begun(&s, 0);
	for (uint64_t i = 0; i < n; i++, last = at) {
		at = start(&p, OP_READ, 4096);
		assert_int_equal(start(&again, OP_READ, 4096), at);
		above[0] += at - last > MSEC;
		above[1] += at - last > 3 * MSEC;
	}
	assert_true(fabs((double)(at - START) / (double)n / (double)MSEC - 1) < 0.01);
	assert_true(fabs((double)above[0] / (double)n - exp(-1)) < 0.005);
	assert_true(fabs((double)above[1] / (double)n - exp(-3)) < 0.003);
	again = begun(&s, 1);
	assert_int_not_equal(start(&again, OP_READ, 4096), START);
}

/* The smallest draw, the largest I/O and the lowest rate. */
static void the_longest_gap_is_still_a_time(void **state)
{
	struct run_spec s = spec_of(RW_READ);
	uint64_t due;
	struct pace p;

	(void)state;
	set(&s, AXIS_rate, "1");
	set(&s, AXIS_rate_process, "poisson");
	p = begun(&s, 0);
	due = pace_due(&p);
	p.gaps = (struct rng){ .s = { 0, 1, 1, 0 } }; /* draws 0 */
	pace_step(&p, OP_READ, 1 << 30);
	assert_int_equal(pace_due(&p) - due, UINT64_C(1) << 62);
}

TEST_MAIN(cmocka_unit_test(an_even_rate_never_slips),
          cmocka_unit_test(bytes_are_paid_for_by_length), cmocka_unit_test(jobs_take_turns),
          cmocka_unit_test(directions_have_rates_of_their_own),
          cmocka_unit_test(a_direction_without_a_rate_is_always_due),
          cmocka_unit_test(nothing_is_due_before_its_time),
          cmocka_unit_test(poisson_gaps_are_exponential),
          cmocka_unit_test(the_longest_gap_is_still_a_time))
