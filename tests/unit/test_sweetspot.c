/* Where a target performs best: the smallest size, the cheapest concurrency, and what must not
 * win. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/sweetspot.h"

#define NO_VALUE ((double)NAN)
#define K        1024

static struct spot_point point(size_t condition, uint64_t bs, uint64_t numjobs,
                               uint64_t iodepth, double bw)
{
	return (struct spot_point){ .condition = condition,
		                    .bs = bs,
		                    .numjobs = numjobs,
		                    .iodepth = iodepth,
		                    .engine = "io_uring",
		                    .bw_mib_s = bw,
		                    .iops = bw * 1048576 / (double)bs,
		                    .lat_mean_us = { 100, NO_VALUE },
		                    .lat_p99_us = { 300, NO_VALUE } };
}

static void the_smallest_size_and_the_cheapest_depth_win(void **state)
{
	struct spot_point p[] = {
		point(0, 4 * K, 1, 1, 40),    point(0, 4 * K, 1, 32, 400),
		point(0, 32 * K, 1, 32, 941), point(0, 64 * K, 4, 8, 999),
		point(0, 64 * K, 2, 8, 960),  point(0, 64 * K, 1, 16, 951),
		point(0, 64 * K, 1, 8, 949),  point(0, 128 * K, 1, 1, 1000),
		point(0, 256 * K, 1, 1, 990),
	};
	AUTO(freep) struct spot *s = NULL;

	(void)state;
	assert_int_equal(sweetspot_find(&s, p, ARRAY_SIZE(p)), 1);
	assert_int_equal(s->ranked, ARRAY_SIZE(p));
	assert_int_equal(s->best.bs, 128 * K);
	assert_float_equal(s->best.bw_mib_s, 1000, 1e-9);
	/* 64k is the first with >= 950; 16 in flight is the least that has it there, by one job
	 * rather than two */
	assert_int_equal(s->sweet.bs, 64 * K);
	assert_int_equal(s->sweet.numjobs, 1);
	assert_int_equal(s->sweet.iodepth, 16);
	assert_float_equal(s->sweet.bw_mib_s, 951, 1e-9);
	assert_int_equal(s->smaller_bs, 32 * K);
	assert_float_equal(s->smaller_share, 0.941, 1e-9);
	assert_int_equal(s->larger_bs, 128 * K);
	assert_float_equal(s->larger_share, 1, 1e-9);
	/* IOPS: 4k at depth 32, and nothing cheaper comes near */
	assert_int_equal(s->peak.bs, 4 * K);
	assert_int_equal(s->peak.iodepth, 32);
	assert_int_equal(s->cheap.iodepth, 32);
}

static void the_cheapest_concurrency_near_the_peak_iops(void **state)
{
	struct spot_point p[] = {
		point(0, 4 * K, 1, 8, 96),
		point(0, 4 * K, 1, 32, 100),
		point(0, 4 * K, 1, 4, 94),
		point(0, 8 * K, 1, 1, 110),
	};
	AUTO(freep) struct spot *s = NULL;

	(void)state;
	assert_int_equal(sweetspot_find(&s, p, ARRAY_SIZE(p)), 1);
	assert_int_equal(s->peak.iodepth, 32);
	assert_int_equal(s->cheap.iodepth, 8);
	assert_int_equal(s->cheap.bs, 4 * K);
}

static void doubt_never_wins_and_is_counted(void **state)
{
	struct spot_point p[] = {
		point(0, 4 * K, 1, 1, 9000),
		point(0, 4 * K, 1, 1, 100), /* its clean repeat stands alone */
		point(0, 8 * K, 1, 1, 120),
		point(1, 4 * K, 1, 1, 50),
		point(0, 16 * K, 1, 1, NO_VALUE),
	};
	AUTO(freep) struct spot *s = NULL;

	(void)state;
	p[0].doubted = p[3].doubted = true;
	assert_int_equal(sweetspot_find(&s, p, ARRAY_SIZE(p)), 2);
	assert_int_equal(s[0].doubted, 1);
	assert_int_equal(s[0].ranked, 2);
	assert_int_equal(s[0].best.bs, 8 * K);
	assert_int_equal(s[0].sweet.bs, 8 * K);
	assert_float_equal(s[0].smaller_share, 100.0 / 120, 1e-9);
	assert_int_equal(s[0].larger_bs, 0);
	assert_int_equal(s[1].condition, 1);
	assert_int_equal(s[1].doubted, 1);
	assert_int_equal(s[1].ranked, 0);
}

static void repeats_are_averaged(void **state)
{
	struct spot_point p[] = {
		point(0, 4 * K, 1, 1, 90),
		point(0, 4 * K, 1, 2, 105),
		point(0, 4 * K, 1, 1, 120),
		point(0, 4 * K, 1, 2, 105),
	};
	AUTO(freep) struct spot *s = NULL;

	(void)state;
	p[0].lat_p99_us[SPOT_READ] = NO_VALUE;
	assert_int_equal(sweetspot_find(&s, p, ARRAY_SIZE(p)), 1);
	assert_float_equal(s->best.bw_mib_s, 105, 1e-9); /* not the lucky 120 */
	assert_int_equal(s->sweet.iodepth, 1);
	assert_int_equal(s->sweet.runs, 2);
	assert_float_equal(s->sweet.lat_p99_us[SPOT_READ], 300,
	                   1e-9); /* of the repeat that has one */
	assert_true(isnan(s->sweet.lat_p99_us[SPOT_WRITE]));
}

static void engines_and_conditions_stay_apart(void **state)
{
	struct spot_point p[] = {
		point(1, 4 * K, 1, 1, 10),
		point(0, 4 * K, 1, 1, 500),
		point(0, 4 * K, 1, 1, 510),
		point(1, 8 * K, 1, 1, 10),
	};
	AUTO(freep) struct spot *s = NULL;

	(void)state;
	p[1].engine = "libaio";
	assert_int_equal(sweetspot_find(&s, p, ARRAY_SIZE(p)), 2);
	assert_int_equal(s[0].condition, 0);
	assert_string_equal(s[0].sweet.engine, "io_uring"); /* equally cheap: the faster */
	assert_int_equal(s[0].sweet.runs, 1);
	assert_int_equal(s[1].sweet.bs, 4 * K);
	assert_float_equal(s[1].best.bw_mib_s, 10, 1e-9);
}

static void nothing_and_zero_are_no_trouble(void **state)
{
	struct spot_point zero[] = { point(0, 4 * K, 1, 1, 0), point(0, 8 * K, 1, 1, 0) };
	struct spot *s = NULL;

	(void)state;
	assert_int_equal(sweetspot_find(&s, NULL, 0), 0);
	free(s);
	assert_int_equal(sweetspot_find(&s, zero, 2), 1);
	assert_int_equal(s->sweet.bs, 4 * K);
	assert_float_equal(s->larger_share, 1, 1e-9);
	free(s);
}

TEST_MAIN(cmocka_unit_test(the_smallest_size_and_the_cheapest_depth_win),
          cmocka_unit_test(the_cheapest_concurrency_near_the_peak_iops),
          cmocka_unit_test(doubt_never_wins_and_is_counted),
          cmocka_unit_test(repeats_are_averaged),
          cmocka_unit_test(engines_and_conditions_stay_apart),
          cmocka_unit_test(nothing_and_zero_are_no_trouble))
