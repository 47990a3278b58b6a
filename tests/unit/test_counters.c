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

/* Two targets on one device are counted once; with one that nothing counts for, none is. */
static void a_device_is_counted_once(void **state)
{
	AUTO(freep) struct instruments *in = xcalloc(1, sizeof(*in));
	AUTO(freep) struct run_spec *spec = xcalloc(3, sizeof(*spec));
	struct counters c;

	(void)state;
	instruments_init(in);
	spec[0] = (struct run_spec){ .targets = 3, .major = 1, .minor = 99 };
	spec[1] = (struct run_spec){ .major = 1, .minor = 98 };
	spec[2] = spec[0];
	assert_true(instruments_open(in, spec));
	assert_int_equal(in->n, 2);
	assert_false(instruments_open(in, spec));
	assert_false(instruments_count(in)); /* there is no such device */
	counters_read_device(in, &c);
	assert_false(c.device_ok || c.base_ok || c.nfs_ok);
	spec[1].minor = spec[1].major = 0;
	assert_true(instruments_open(in, spec));
	assert_int_equal(in->n, 0);
	instruments_fini(in);
}

static void busy_is_the_mean(void **state)
{
	struct counters a = { .at_ns = AT, .device_ok = true, .devices = 2 },
			b = { .at_ns = AT + SEC, .device_ok = true, .devices = 2 };
	struct device_delta d;

	(void)state;
	b.device = (struct device_stat){ .read_ios = 10, .io_ticks_ms = 1000, .queue_ms = 3000 };
	counters_device_delta(&a, &b, &d);
	assert_true(d.valid);
	assert_int_equal(d.read_ios, 10);
	assert_int_equal(d.queue_ns, 3 * SEC);
	assert_int_equal(d.busy_ns, SEC / 2);
	a.nfs_ok = b.nfs_ok = true; /* and a mount */
	b.nfs = (struct nfs_stat){ .read_ios = 5, .execute_ms = 1000 };
	counters_device_delta(&a, &b, &d);
	assert_int_equal(d.read_ios, 15);
	assert_int_equal(d.queue_ns, 4 * SEC);
	assert_true(d.valid && d.busy_unknown);
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
          cmocka_unit_test(no_reading_says_nothing),
          cmocka_unit_test(a_device_is_counted_once), cmocka_unit_test(busy_is_the_mean))
