/* Shapes and verdicts on series made by hand. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "stat/judge.h"
#include "stat/shape.h"
#include "support/behaviour.h"

static struct stat_room room;

static void merging_until_the_median_slot_counts(void **state)
{
	static const struct {
		double count[8];
		double least;
		unsigned k;
	} cases[] = {
		{ { 100, 100, 100, 100, 100, 100, 100, 100 }, 100, 1 },
		{ { 50, 50, 50, 50, 50, 50, 50, 50 }, 100, 2 },
		{ { 30, 30, 30, 30, 30, 30, 30, 30 }, 100, 4 },
		{ { 0, 120, 0, 120, 0, 120, 0, 120 },
		  100,
		  1 }, /* the median is the upper one */
		{ { 0, 0, 90, 0, 0, 0, 110, 0 }, 80, 3 },
		{ { 10, 10, 10, 10, 10, 10, 10, 10 }, 100, 9 }, /* never */
	};
	double work[8];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(stat_merge_for(cases[i].count, 8, cases[i].least, work),
		                 cases[i].k);
}

static void merging_takes_means(void **state)
{
	double x[] = { 1, 3, 5, 7, 100 };

	(void)state;
	assert_int_equal(stat_merge(x, 5, 2), 2);
	assert_true(x[0] == 2 && x[1] == 6);
	assert_int_equal(stat_merge(x, 2, 1), 2);
	assert_true(x[0] == 2 && x[1] == 6);
}

static void stalls_are_counted_and_timed(void **state)
{
	static const double x[] = { 10, 10, 4, 10, 10, 1, 1, 1, 10, 10 };
	struct stat_stalls st;

	(void)state;
	stat_stalls(&st, x, 10, 10);
	assert_int_equal(st.events, 2);
	assert_int_equal(st.longest, 3);
	assert_int_equal(st.at, 5);
	assert_true(fabs(st.lost - 0.33) < 1e-12);
	stat_stalls(&st, x, 2, 10);
	assert_int_equal(st.events, 0);
	assert_true(st.lost == 0);
}

static void neighbours_that_make_up_for_each_other_are_regulated(void **state)
{
	double sliced[40], calm[40], plain[40], stalled[40], flat[40];

	(void)state;
	for (int i = 0; i < 40; i++) {
		sliced[i] = 100 + (i % 5 == 0 ? 40 : i % 5 == 1 ? -40 : 0);
		calm[i] = 100 + (sliced[i] - 100) / 10;
		plain[i] = 100 + i * 13 % 17;
		stalled[i] = 100 + i % 3 - (i % 10 < 3 ? 90 : 0);
		flat[i] = 100;
	}
	assert_true(stat_regulated(sliced, 40));
	assert_false(stat_regulated(calm, 40)); /* then it makes no difference */
	assert_false(stat_regulated(plain, 40));
	assert_false(stat_regulated(stalled, 40));
	assert_false(stat_regulated(flat, 40));
	assert_false(stat_regulated(calm, 2)); /* of too few nothing is said */
	flat[10] = flat[30] = 0;
	assert_false(stat_regulated(flat, 40));
	flat[12] = flat[32] = 200; /* made up for, if later */
	assert_true(stat_regulated(flat, 40));
}

static void two_levels_are_told_from_one(void **state)
{
	double two[40], one[40], few[40], work[40];
	struct stat_levels lv;

	(void)state;
	for (int i = 0; i < 40; i++) {
		two[i] = i % 4 == 0 ? 80 + i % 3 : 100 + i % 3;
		one[i] = 100 + i * 13 % 17;
		few[i] = i < 3 ? 80 : 100 + i % 3;
	}
	stat_levels(&lv, two, 40, 0.04, work);
	assert_true(lv.two);
	assert_true(fabs(lv.low - 81) < 0.2 && fabs(lv.high - 101) < 0.2 &&
	            lv.low_share == 0.25);
	stat_levels(&lv, two, 40, 0.3, work); /* not that far apart */
	assert_false(lv.two);
	stat_levels(&lv, one, 40, 0.04, work);
	assert_false(lv.two);
	stat_levels(&lv, few, 40, 0.04, work); /* below a tenth */
	assert_false(lv.two);
	stat_levels(&lv, two, 9, 0.04, work);
	assert_false(lv.two);
}

static void round_numbers(void **state)
{
	static const struct {
		double rate;
		bool round;
	} cases[] = {
		{ 3000, true },   { 3008, true },  { 3012, false }, { 125, true },
		{ 1.25e6, true }, { 16000, true }, { 64, true },    { 1000, true },
		{ 999, true },    { 970, false },  { 2711, false }, { 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (stat_round_number(cases[i].rate) != cases[i].round)
			fail_msg("%g", cases[i].rate);
}

/* --- whole series --- */

#define N 300

static double x[N];

/* Within 3 %. */
static void wiggle(double rate)
{
	struct rng r;

	rng_seed(&r, 1);
	for (int i = 0; i < N; i++)
		x[i] = rate * behaviour_uniform(&r, 0.97, 1.03);
}

static void times(int from, int to, double factor)
{
	for (int i = from; i < to; i++)
		x[i] *= factor;
}

static void clean(void)
{
	wiggle(1034);
}
static void plateau(void)
{
	for (int i = 0; i < N; i++)
		x[i] = 300;
}
static void ramp(void)
{
	wiggle(1034);
	for (int i = 0; i < N; i++)
		x[i] *= 1 + 0.1 * i / N;
}
static void fast_head(void)
{
	wiggle(1034);
	times(0, 40, 1.5);
}
static void slow_head(void)
{
	wiggle(1034);
	times(0, 40, 0.8);
}
static void one_stall(void)
{
	wiggle(1034);
	times(100, 106, 0.1);
}
static void a_hiccup(void)
{
	wiggle(1034);
	times(100, 102, 0.1);
}
static void modes(void)
{
	wiggle(1034);
	for (int i = 0; i < N; i += 60)
		times(i, i + 30, 0.7);
}
/* Work in slices of 100 ms that now and then slip into the neighbouring slot.
 */
static void slices(void)
{
	wiggle(1034);
	for (int i = 5; i + 3 < N; i += 11) {
		x[i + i % 3] += x[i + 1 + i % 3];
		x[i + 1 + i % 3] = 0;
	}
}
/* Every other slot has both. */
static void alternating(void)
{
	wiggle(1034);
	for (int i = 0; i + 1 < N; i += 2) {
		x[i] += x[i + 1];
		x[i + 1] = 0;
	}
}
/* 150 IOPS: 15 in a slot, give or take 4. */
static void slow_disk(void)
{
	for (int i = 0; i < N; i++)
		x[i] = 11 + i * 7919 % 9;
}
static void excursion(void)
{
	wiggle(1034);
	times(150, 165, 1.3);
}

static void verdicts(void **state)
{
	static const struct {
		void (*make)(void);
		const char *name;
		unsigned seen;
		double mean; /* per second */
	} cases[] = {
		{ clean, "clean", 0, 10340 },
		{ plateau, "plateau", VERDICT_PLATEAU, 3000 },
		{ ramp, "ramp",
		  VERDICT_DRIFT | VERDICT_UNSETTLED | VERDICT_WIDE | VERDICT_WARMING, 10855 },
		{ fast_head, "fast head", VERDICT_FAST_START | VERDICT_WIDE, 11029 },
		{ slow_head, "slow head", VERDICT_WIDE, 10064 },
		{ one_stall, "a stall", VERDICT_STALLS | VERDICT_WIDE, 10154 },
		{ a_hiccup, "a hiccup", 0, 10278 },
		{ modes, "two levels", VERDICT_BIMODAL | VERDICT_WIDE | VERDICT_EXCURSION,
		  8789 },
		{ slices, "slices", 0, 10340 },
		{ alternating, "alternating", 0, 10340 },
		{ slow_disk, "slow disk", 0, 150 },
		{ excursion, "excursion", VERDICT_EXCURSION | VERDICT_WIDE, 10488 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct stat_series s = { .count = x, .n = N, .slot_s = 0.1, .precision = 0.02 };
		struct verdict v;

		cases[i].make();
		stat_judge(&v, &s, &room);
		assert_true(v.judged);
		if (v.seen != cases[i].seen || fabs(v.mean / cases[i].mean - 1) > 0.005)
			fail_msg("%s: 0x%x, not 0x%x; mean %.1f, half width %.4f, rho %.2f, "
			         "batches %.3f..%.3f",
			         cases[i].name, v.seen, cases[i].seen, v.mean, v.half_width,
			         v.rho, v.lowest, v.highest);
	}
}

static void too_short_is_not_judged(void **state)
{
	struct stat_series s = { .count = x, .slot_s = 0.1, .precision = 0.02 };
	struct op_verdict op = { 0 };
	struct verdict v;

	(void)state;
	wiggle(1034);
	for (s.n = 0; s.n < 50; s.n++) {
		stat_judge(&v, &s, &room);
		assert_false(v.judged);
	}
	stat_judge_op(&op, &s, &room);
	assert_true(op.judged);
	stat_judge(&v, &s, &room);
	assert_true(v.judged);
	assert_int_equal(v.values, 10);
	wiggle(1); /* 10 IOPS: 300 in all */
	s.n = N;
	stat_judge(&v, &s, &room);
	assert_false(v.judged);
	memset(x, 0, sizeof(x));
	stat_judge(&v, &s, &room);
	assert_false(v.judged);
}

static void the_numbers_behind_a_verdict(void **state)
{
	struct stat_series s = { .count = x, .n = N, .slot_s = 0.1, .precision = 0.02 };
	struct verdict v;

	(void)state;
	modes();
	stat_judge(&v, &s, &room);
	assert_true(fabs(v.low_rate - 7238) < 50 && fabs(v.high_rate - 10340) < 50 &&
	            v.low_share == 0.5);
	one_stall();
	stat_judge(&v, &s, &room);
	assert_int_equal(v.stalls, 1);
	assert_true(fabs(v.stall_longest_s - 0.6) < 1e-9 && fabs(v.stall_at_s - 10) < 1e-9);
	assert_true(fabs(v.stall_lost - 0.018) < 0.0005);
	fast_head();
	stat_judge(&v, &s, &room);
	assert_true(v.head_s == 4 && fabs(v.head_rate - 15510) < 100 &&
	            fabs(v.rest_rate - 10340) < 50);
	/* the interval around the mean of all holds the rate of the rest */
	assert_true(v.mean * (1 - v.half_width) < v.rest_rate);
}

/* Something releases 500 I/Os a second; each slot sees some of its neighbour's.
 */
static void dosed(int from, int to, double rate)
{
	double slipped = 0;
	struct rng r;

	rng_seed(&r, 3);
	for (int i = from; i < to; i++) {
		double slips = rate * behaviour_uniform(&r, -0.5, 0.5);

		x[i] = rate + slips - slipped;
		slipped = slips;
	}
}

/* 12 s of it: batches of 0.6 s lie 20 % apart, and still nothing changes; some
 * slow seconds do.
 */
static void doses_are_no_change_of_rate(void **state)
{
	struct stat_series s = { .count = x, .n = 120, .slot_s = 0.1, .precision = 0.02 };
	struct verdict v;

	(void)state;
	dosed(0, 120, 50);
	stat_judge(&v, &s, &room);
	assert_int_equal(v.seen & ~VERDICT_WIDE, 0);
	assert_int_equal(v.batches, 10);
	assert_true(fabs(v.mean - 500) < 500 * v.half_width && v.half_width < 0.04);
	dosed(48, 84, 35);
	stat_judge(&v, &s, &room);
	assert_true(v.seen & VERDICT_EXCURSION);
	assert_true(v.highest - v.lowest > 0.2);
	for (int i = 0; i < 120; i++) /* every 0.6 s a slice that slips to the next */
		x[i] = i % 12 == 5 ? 0 : i % 12 == 6 ? 100 : 50;
	stat_judge(&v, &s, &room);
	assert_int_equal(v.seen, VERDICT_PLATEAU);
	assert_true(fabs(v.half_width - 0.1 / 12) < 1e-9); /* a slice more or less */
	dosed(0, 80, 50);
	s.n = 80; /* values of 0.6 s, so that there are ten */
	stat_judge(&v, &s, &room);
	assert_true(v.judged);
	assert_int_equal(v.batches, 13);
}

static void a_count_is_known_to_one(void **state)
{
	struct stat_series s = { .count = x, .n = N, .slot_s = 0.1, .precision = 0.02 };
	struct op_verdict op = { 0 };
	struct verdict v;

	(void)state;
	plateau();
	stat_judge(&v, &s, &room);
	assert_true(fabs(v.half_width * 300 * N - 1) < 1e-9);
	stat_judge_op(&op, &s, &room);
	assert_true(fabs(op.half_width * 300 * N - 1) < 1e-9);
}

/* 95 % intervals of quiet series hold the mean in at least 92 % of 300 series,
 * and hardly any is doubted. */
static void intervals_hold_the_mean(void **state)
{
	static double run[300];

	(void)state;
	for (unsigned b = 0; b < 3; b++) {
		unsigned held = 0, doubted = 0;
		struct rng r;

		rng_seed(&r, 9);
		for (int i = 0; i < 300; i++) {
			struct stat_series s = {
				.count = run, .n = 300, .slot_s = 0.1, .precision = 0.02
			};
			double truth = behaviours[b].fill(&r, run, 300, behaviours[b].p) * 1000;
			struct verdict v;

			for (int k = 0; k < 300; k++)
				run[k] *= 1000;
			stat_judge(&v, &s, &room);
			held += fabs(v.mean / 10 - truth) <= v.half_width * v.mean / 10;
			doubted += (v.seen & ~VERDICT_WIDE) != 0;
		}
		assert_in_range(held, 276, 300);
		assert_in_range(doubted, 0, 6);
	}
}

TEST_MAIN(cmocka_unit_test(merging_until_the_median_slot_counts),
          cmocka_unit_test(merging_takes_means), cmocka_unit_test(stalls_are_counted_and_timed),
          cmocka_unit_test(neighbours_that_make_up_for_each_other_are_regulated),
          cmocka_unit_test(two_levels_are_told_from_one), cmocka_unit_test(round_numbers),
          cmocka_unit_test(verdicts), cmocka_unit_test(too_short_is_not_judged),
          cmocka_unit_test(the_numbers_behind_a_verdict),
          cmocka_unit_test(doses_are_no_change_of_rate),
          cmocka_unit_test(a_count_is_known_to_one), cmocka_unit_test(intervals_hold_the_mean))
