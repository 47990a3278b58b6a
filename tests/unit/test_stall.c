/* stall_check() over the phases of a task, with the device's counters made up.
 * wrap: device_stat_open device_stat_read */
#include "support/test.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "host/facts.h"
#include "run/stall.h"

int __wrap_device_stat_open(uint32_t major, uint32_t minor);
int __wrap_device_stat_read(int fd, struct device_stat *out);

static uint64_t written;

int __wrap_device_stat_open(uint32_t major, uint32_t minor)
{
	(void)minor;
	return major ? dup(STDERR_FILENO) : -ENODEV;
}

int __wrap_device_stat_read(int fd, struct device_stat *out)
{
	(void)fd;
	*out = (struct device_stat){ .write_ios = written };
	return 0;
}

struct look {
	enum live_phase phase;
	uint64_t phase_s, waiting_s; /* ago; 0: nobody waits */
	uint64_t done, total;        /* of a layout */
	const char *text;            /* NULL: no stall */
};

static uint64_t ago(uint64_t s)
{
	return clock_mono_ns() - s * SEC;
}

static void show(struct live *live, const struct look *l)
{
	live->phase = l->phase;
	live->phase_since_ns = ago(l->phase_s);
	live->waiting_since_ns = l->waiting_s ? ago(l->waiting_s) : 0;
	live->layout_done = l->done;
	live->layout_total = l->total;
}

static void phases(void **state)
{
	static const struct look looks[] = {
		{ LIVE_IDLE, 9, 0, 0, 0, NULL },
		{ LIVE_IDLE, 11, 0, 0, 0, "the worker process did not react for 10 s" },
		{ LIVE_DONE, 11, 0, 0, 0, "the worker process did not react for 10 s" },
		{ LIVE_OPEN, 9, 0, 0, 0, NULL },
		{ LIVE_OPEN, 11, 0, 0, 0, "opening the target took longer than 10 s" },
		{ LIVE_WINDOW, 30, 9, 0, 0, NULL },
		{ LIVE_WINDOW, 30, 11, 0, 0, "no completion for 10 s while I/O was in flight" },
		{ LIVE_RAMP, 99, 0, 0, 0, "the run took longer than ramp + runtime + 10 s" },
		{ LIVE_DRAIN, 99, 99, 0, 0, NULL },
		/* blind: ten times as long */
		{ LIVE_FLUSH, 99, 0, 0, 0, NULL },
		{ LIVE_FLUSH, 101, 0, 0, 0,
		  "the flush after the run took longer than 10 x 10 s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		struct stall s = { .timeout_ns = 10 * SEC, .limit_ns = 60 * SEC };
		struct live live = { 0 };
		struct err e = { 0 };

		stall_begin(&s);
		show(&live, &looks[i]);
		assert_int_equal(stall_check(&s, &live, &e), looks[i].text ? -ETIMEDOUT : 0);
		assert_string_equal(e.text, looks[i].text ? looks[i].text : "");
		stall_forgive(&s); /* what is old is no stall for a watcher that slept */
		assert_int_equal(stall_check(&s, &live, NULL), 0);
		stall_end(&s);
	}
}

/* Time passes for it: all that it remembers gets older. */
static void pass(struct stall *s, uint64_t seconds)
{
	s->done_ns -= seconds * SEC;
	if (s->started_ns)
		s->started_ns -= seconds * SEC;
}

/* As long as the device completes writes, a flush may last. */
static void flush_gets_on(void **state)
{
	struct stall s = { .timeout_ns = 10 * SEC, .major = 8 };
	struct live live = { 0 };
	struct look l = { .phase = LIVE_FLUSH, .phase_s = 0 };
	struct err e = { 0 };

	(void)state;
	stall_begin(&s);
	for (l.phase_s = 0; l.phase_s < 500; l.phase_s += 8) {
		written++;
		show(&live, &l);
		assert_int_equal(stall_check(&s, &live, &e), 0);
		pass(&s, 8);
	}
	show(&live, &l);
	assert_int_equal(stall_check(&s, &live, &e), 0);
	pass(&s, 3);
	assert_int_equal(stall_check(&s, &live, &e), -ETIMEDOUT);
	assert_string_equal(e.text, "the flush after the run made no progress for 10 s");
	stall_end(&s);
}

static void layout(void **state)
{
	struct stall s = { .timeout_ns = 10 * SEC, .major = 8 };
	struct live live = { 0 };
	struct look l = { .phase = LIVE_LAYOUT, .phase_s = 100, .done = 5, .total = 9 };
	struct err e = { 0 };

	(void)state;
	stall_begin(&s);
	show(&live, &l);
	assert_int_equal(stall_check(&s, &live, &e), 0);
	pass(&s, 9);
	assert_int_equal(stall_check(&s, &live, &e), 0);
	live.layout_done = 9; /* all is written, and now comes the fsync */
	assert_int_equal(stall_check(&s, &live, &e), 0);
	pass(&s, 9);
	written++;
	assert_int_equal(stall_check(&s, &live, &e), 0);
	pass(&s, 11);
	assert_int_equal(stall_check(&s, &live, &e), -ETIMEDOUT);
	assert_string_equal(e.text, "layout made no progress for 10 s");
	stall_end(&s);
}

static void drain(void **state)
{
	struct stall s = { .timeout_ns = 10 * SEC };
	struct live live = { 0 };
	struct look l = { .phase = LIVE_DRAIN, .phase_s = 5, .waiting_s = 6 };

	(void)state;
	stall_begin(&s);
	show(&live, &l);
	assert_false(stall_drain(&s, &live));
	l.waiting_s = 11; /* the wait began in the window */
	show(&live, &l);
	assert_true(stall_drain(&s, &live));
	stall_forgive(&s);
	assert_false(stall_drain(&s, &live));
	stall_end(&s);
}

TEST_MAIN(cmocka_unit_test(phases), cmocka_unit_test(flush_gets_on), cmocka_unit_test(layout),
          cmocka_unit_test(drain))
