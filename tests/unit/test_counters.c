/* run/counters.h: were the counters read where the window began and ended? */
#include "support/test.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "run/counters.h"

#define AT SEC

static const struct {
	const char *name;
	int64_t from, to; /* from the edges */
	uint64_t window;
	bool missed;
} cases[] = {
	{ "on the spot", 0, 0, SEC, false },
	{ "begun 2 % late", 20 * (int64_t)MSEC, 0, SEC, false },
	{ "begun later", 20 * (int64_t)MSEC + 1, 0, SEC, true },
	{ "begun 2 % early", -20 * (int64_t)MSEC, 0, SEC, false },
	{ "begun earlier", -20 * (int64_t)MSEC - 1, 0, SEC, true },
	{ "ended 2 % late", 0, 20 * (int64_t)MSEC, SEC, false },
	{ "ended later", 0, 20 * (int64_t)MSEC + 1, SEC, true },
	{ "both late alike", 92 * (int64_t)MSEC, 92 * (int64_t)MSEC, 500 * MSEC, true },
	{ "a tick", 4 * (int64_t)MSEC, 4 * (int64_t)MSEC, 100 * MSEC, false },
	{ "more than a tick", 4 * (int64_t)MSEC + 1, 0, 100 * MSEC, true },
	{ "a tick of a short window", 500 * (int64_t)USEC, 0, 10 * MSEC, false },
	{ "more than 5 % of it", 500 * (int64_t)USEC + 1, 0, 10 * MSEC, true },
};

static struct counters reading(uint64_t at, uint64_t bytes)
{
	return (struct counters){ .at_ns = at,
		                  .device_ok = true,
		                  .base_ok = true,
		                  .device = { .read_sectors = bytes / 512 },
		                  .base = { .read_sectors = bytes / 512 } };
}

static void late_readings_say_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(freep) struct sample *s = xcalloc(1, sizeof(*s));
		struct counters a = reading((uint64_t)((int64_t)AT + cases[i].from), MIB),
				b = reading(
				    (uint64_t)((int64_t)(AT + cases[i].window) + cases[i].to),
				    3 * MIB);

		print_message("%s\n", cases[i].name);
		assert_int_equal(counters_at_edges(&a, &b, AT, AT + cases[i].window, s),
		                 !cases[i].missed);
		assert_int_equal(s->edges_missed, cases[i].missed);
		assert_int_equal(s->edge_from_ns, llabs(cases[i].from));
		assert_int_equal(s->edge_to_ns, llabs(cases[i].to));
		counters_delta(&a, &b, s);
		assert_int_equal(s->device.valid, !cases[i].missed);
		assert_int_equal(s->base.valid, !cases[i].missed);
		assert_int_equal(s->device.read_bytes, cases[i].missed ? 0 : 2 * MIB);
	}
}

static void no_reading_says_nothing(void **state)
{
	AUTO(freep) struct sample *s = xcalloc(1, sizeof(*s));
	struct counters none = { 0 }, end = reading(AT + SEC, MIB);

	(void)state;
	assert_false(counters_at_edges(&none, &end, AT, AT + SEC, s));
	assert_true(s->edges_missed);
	assert_int_equal(s->edge_from_ns | s->edge_to_ns, 0);
}

TEST_MAIN(cmocka_unit_test(late_readings_say_nothing),
          cmocka_unit_test(no_reading_says_nothing))
