#include "support/test.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "run/series.h"

static void totals_at(struct series_slot *t, uint64_t ios)
{
	*t = (struct series_slot){ .ios = { ios, 2 * ios },
		                   .bytes = { 4096 * ios },
		                   .lat_sum_ns = { 7 * ios } };
}

static void width_fits_the_run(void **state)
{
	static const struct {
		uint64_t window_ns, width_ns;
	} cases[] = {
		{ 0, 100 * MSEC },
		{ 30 * SEC, 100 * MSEC },
		{ UINT64_C(4096) * 100 * MSEC - 1, 100 * MSEC },
		{ UINT64_C(4096) * 100 * MSEC, 200 * MSEC },
		{ 3600 * SEC, 1600 * MSEC },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(series_width(cases[i].window_ns), cases[i].width_ns);
}

static void differences_go_into_slots_idle_ones_included(void **state)
{
	AUTO(freep) struct series_slot *slot = xcalloc(SERIES_MAX, sizeof(*slot));
	struct series s = { .slot = slot };
	struct series_slot t;

	(void)state;
	series_begin(&s, 100);
	totals_at(&t, 5);
	assert_int_equal(series_advance(&s, 100, &t), 200); /* 5 were done in slot 0 */
	totals_at(&t, 6);
	assert_int_equal(series_advance(&s, 450, &t), 500); /* 1 in slot 1, none in 2 and 3 */
	totals_at(&t, 16);
	series_end(&s, &t); /* 10 in slot 4 */
	assert_int_equal(s.used, 5);
	assert_int_equal(slot[0].ios[0], 5);
	assert_int_equal(slot[0].ios[1], 10);
	assert_int_equal(slot[0].bytes[0], 5 * 4096);
	assert_int_equal(slot[1].ios[0], 1);
	assert_int_equal(slot[2].ios[0] + slot[3].ios[0], 0);
	assert_int_equal(slot[4].ios[0], 10);
	assert_int_equal(slot[4].lat_sum_ns[0], 70);
	series_begin(&s, 100);
	for (int i = 0; i < 8; i++)
		assert_int_equal(slot[i].ios[0] + slot[i].bytes[0] + slot[i].lat_sum_ns[0], 0);
}

static void width_doubles_and_keeps_the_sum(void **state)
{
	AUTO(freep) struct series_slot *slot = xcalloc(SERIES_MAX, sizeof(*slot));
	struct series s = { .slot = slot };
	struct series_slot t = { 0 };
	uint64_t sum = 0;

	(void)state;
	series_begin(&s, 100);
	for (uint64_t i = 1; i <= 10000; i++) {
		totals_at(&t, i);
		(void)series_advance(&s, i * 100, &t);
	}
	series_end(&s, &t);
	assert_int_equal(s.slot_ns, 400);
	assert_int_equal(s.used, 2501);
	for (uint32_t i = 0; i < s.used; i++) {
		assert_int_equal(slot[i].ios[0], i < 2500 ? 4 : 0);
		sum += slot[i].ios[0];
	}
	assert_int_equal(sum, 10000);
	series_widen(&s, 3200);
	assert_int_equal(s.slot_ns, 3200);
	assert_int_equal(s.used, 313);
	assert_int_equal(slot[0].ios[0], 32);
	assert_int_equal(slot[312].ios[0], 10000 - 312 * 32);
}

TEST_MAIN(cmocka_unit_test(width_fits_the_run),
          cmocka_unit_test(differences_go_into_slots_idle_ones_included),
          cmocka_unit_test(width_doubles_and_keeps_the_sum))
