/* What changed between two sweeps: verdicts on points whose truth is known. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "cmd/compare_find.h"
#include "stat/quantile.h"

#define CELLS 2376

static struct compare_point point(size_t cell, int side, double rate)
{
	return (struct compare_point){ .cell = cell,
		                       .class = cell % 6,
		                       .side = side,
		                       .rate = rate,
		                       .half_width = (double)NAN };
}

static double normal(uint64_t *state)
{
	return stat_normal_quantile(((double)(rng_splitmix(state) >> 11) + 0.5) /
	                            9007199254740992.0);
}

struct tally {
	size_t wrong; /* changed cells that did not change */
	size_t found6, found12;
	struct comparison c;
};

/* 2,376 cells, of which `each` truly fell by 6 % and as many by 12 %, all by `shift`; runs
 * scatter by 1.5 %. */
static void trial(struct tally *t, unsigned runs, size_t each, double shift, uint64_t seed)
{
	struct compare_point *p = calloc(CELLS * COMPARE_SIDES * runs, sizeof(*p));
	size_t n = 0;

	assert_non_null(p);
	for (size_t i = 0; i < CELLS; i++)
		for (int side = 0; side < COMPARE_SIDES; side++)
			for (unsigned r = 0; r < runs; r++) {
				double truth = 1000 * (double)(1 + i % 40);

				if (side == COMPARE_B)
					truth *= shift * (i < each       ? 0.94
					                  : i < 2 * each ? 0.88
					                                 : 1);
				p[n++] = point(i, side, truth * exp(0.015 * normal(&seed)));
			}
	compare_find(&t->c, p, n, CELLS, 6, COMPARE_EFFECT);
	t->wrong = t->found6 = t->found12 = 0;
	for (size_t i = 0; i < t->c.cells; i++) {
		bool changed = t->c.cell[i].verdict == COMPARE_CHANGED;

		assert_int_equal(t->c.cell[i].cell, i);
		t->found6 += changed && i < each;
		t->found12 += changed && i >= each && i < 2 * each;
		t->wrong += changed && i >= 2 * each;
	}
	free(p);
}

static void most_of_6_and_all_of_12_percent_with_two_runs(void **state)
{
	struct tally t;

	(void)state;
	trial(&t, 2, 59, 1, 1);
	assert_int_equal(t.c.both, CELLS);
	assert_int_equal(t.c.source, COMPARE_REPEATS);
	assert_in_range(t.found6, 36, 59);
	assert_int_equal(t.found12, 59);
	assert_in_range(t.wrong, 0, 12);
	assert_true(fabs(t.c.spread[COMPARE_A] - 0.015) < 0.001);
	free(t.c.cell);
}

static void the_same_twice_has_next_to_nothing_changed(void **state)
{
	struct tally t;

	(void)state;
	for (unsigned runs = 1; runs <= 3; runs++) {
		trial(&t, runs, 0, 1, 10 + runs);
		assert_in_range(t.wrong, 0, CELLS / 100);
		assert_true(fabs(t.c.shift) < 0.002);
		assert_int_equal(t.c.source, runs > 1 ? COMPARE_REPEATS : COMPARE_DIFFERENCES);
		/* the more runs, the more is known to be the same */
		assert_true(runs < 3 || t.c.same > t.c.undecided);
		free(t.c.cell);
	}
}

static void one_shift_of_all_is_changed_everywhere(void **state)
{
	struct tally t;

	(void)state;
	trial(&t, 2, 0, 0.9, 5);
	assert_int_equal(t.c.changed, CELLS);
	assert_int_equal(t.c.down, CELLS);
	assert_true(fabs(t.c.shift - log(0.9)) < 0.002);
	assert_true(t.c.shift_low < log(0.9) + 0.001 && t.c.shift_high > log(0.9) - 0.001);
	free(t.c.cell);
}

static void without_repeats_the_differences_tell_the_scatter(void **state)
{
	struct tally t;

	(void)state;
	trial(&t, 1, 59, 1, 7);
	assert_int_equal(t.c.source, COMPARE_DIFFERENCES);
	assert_true(isnan(t.c.spread[COMPARE_A]));
	assert_true(fabs(t.c.used_spread - 0.015) < 0.002);
	assert_in_range(t.found12, 50, 59);
	assert_in_range(t.wrong, 0, 12);
	free(t.c.cell);
}

static void few_cells_without_repeats_decide_nothing(void **state)
{
	struct compare_point p[] = { point(0, COMPARE_A, 100), point(0, COMPARE_B, 50),
		                     point(1, COMPARE_A, 100), point(2, COMPARE_B, 100) };
	struct comparison c;

	(void)state;
	compare_find(&c, p, ARRAY_SIZE(p), 3, 1, COMPARE_EFFECT);
	assert_int_equal(c.cells, 3);
	assert_int_equal(c.both, 1);
	assert_int_equal(c.only[COMPARE_A], 1);
	assert_int_equal(c.only[COMPARE_B], 1);
	assert_int_equal(c.source, COMPARE_UNKNOWN);
	assert_int_equal(c.cell[0].verdict, COMPARE_UNDECIDED);
	assert_int_equal(c.cell[1].verdict, COMPARE_ALONE);
	assert_true(isnan(c.cell[0].p));
	free(c.cell);
}

static void sentinels_tell_the_spread_and_are_in_no_mean(void **state)
{
	struct compare_point p[12];
	struct comparison c;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		p[i] = point(0, i % 2 ? COMPARE_B : COMPARE_A,
		             i < 2 ? 100 : 100 + 2 * (double)((i / 2) % 3));
		p[i].spread_only = i >= 2;
	}
	compare_find(&c, p, ARRAY_SIZE(p), 1, 1, COMPARE_EFFECT);
	assert_int_equal(c.cell[0].runs[COMPARE_A], 1);
	assert_true(fabs(c.cell[0].mean[COMPARE_A] - 100) < 1e-9);
	assert_int_equal(c.source, COMPARE_REPEATS);
	assert_true(c.spread[COMPARE_A] > 0.01);
	free(c.cell);
}

/* d = -0.1, spread of one run 0.01 by 2 x 1 degrees of freedom: t = 0.1 / 0.01 = 10 */
static void the_numbers_of_one_cell(void **state)
{
	const double s =
	    0.01 / sqrt(2); /* two values apart by 2 s have a standard deviation of s sqrt(2) */
	struct compare_point p[] = { point(0, COMPARE_A, exp(5 + s)),
		                     point(0, COMPARE_A, exp(5 - s)),
		                     point(0, COMPARE_B, exp(4.9 + s)),
		                     point(0, COMPARE_B, exp(4.9 - s)) };
	struct comparison c;

	(void)state;
	compare_find(&c, p, ARRAY_SIZE(p), 1, 6, COMPARE_EFFECT);
	assert_true(fabs(c.cell[0].d + 0.1) < 1e-9);
	assert_true(fabs(c.used_spread - 0.01) < 1e-9);
	assert_true(fabs(c.cell[0].p - 2 * stat_t_below(2, -10)) < 1e-9);
	assert_true(fabs(c.cell[0].p - 0.00985) < 1e-4); /* t distribution, 2 df */
	assert_true(fabs(c.cell[0].high - (-0.1 + 4.302652730 * 0.01)) < 1e-6);
	assert_int_equal(c.cell[0].verdict, COMPARE_CHANGED);
	free(c.cell);
}

TEST_MAIN(cmocka_unit_test(most_of_6_and_all_of_12_percent_with_two_runs),
          cmocka_unit_test(the_same_twice_has_next_to_nothing_changed),
          cmocka_unit_test(one_shift_of_all_is_changed_everywhere),
          cmocka_unit_test(without_repeats_the_differences_tell_the_scatter),
          cmocka_unit_test(few_cells_without_repeats_decide_nothing),
          cmocka_unit_test(sentinels_tell_the_spread_and_are_in_no_mean),
          cmocka_unit_test(the_numbers_of_one_cell))
