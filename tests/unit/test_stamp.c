#include "support/test.h"

#include <stdbool.h>

#include "base/units.h"
#include "run/stamp.h"

/* Between two readings of the true clock, give or take what calibration leaves. */
static void assert_follows(const struct stamp *s, uint64_t slack_ns)
{
	for (int i = 0; i < 1000; i++) {
		uint64_t before = clock_mono_ns(), now = stamp_now(s), after = clock_mono_ns();

		assert_in_range(now, before - slack_ns, after + slack_ns);
	}
}

static void it_follows_the_monotonic_clock(void **state)
{
	struct stamp s;

	(void)state;
	stamp_init(&s);
	assert_follows(&s, 100 * USEC);
	clock_sleep_until(clock_mono_ns() + 20 * MSEC);
	stamp_sync(&s);
	assert_follows(&s, 20 * USEC);
}

static void without_a_counter_it_is_that_clock(void **state)
{
	struct stamp s = { .tsc = false };

	(void)state;
	stamp_sync(&s);
	assert_follows(&s, 0);
}

static void a_counter_behind_the_base_does_not_wrap(void **state)
{
	struct stamp s = {
		.tsc = true, .mult = 1ULL << 32, .base_ticks = UINT64_MAX / 4, .base_ns = 1000
	};

	(void)state;
	if (stamp_ticks() < s.base_ticks)
		assert_int_equal(stamp_now(&s), 1000);
}

TEST_MAIN(cmocka_unit_test(it_follows_the_monotonic_clock),
          cmocka_unit_test(without_a_counter_it_is_that_clock),
          cmocka_unit_test(a_counter_behind_the_base_does_not_wrap))
