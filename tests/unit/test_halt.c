/* halt_judge(): what counts as held up, and in which words. */
#include "support/test.h"

#include <signal.h>
#include <unistd.h>

#include "base/units.h"
#include "run/halt.h"

struct held {
	struct halt halt;
	uint64_t ns;
	const char *text;
};

static void judges(void **state)
{
	static const struct held cases[] = {
		{ { 0 }, 0, "" },
		{ { .stopped_ns = 3200 * MSEC }, 3200 * MSEC, "stopped for 3.2 s" },
		/* the worker alone waited for a CPU, or the supervisor alone was stopped */
		{ { .worker_late_ns = 9 * SEC }, 0, "" },
		{ { .supervisor_late_ns = 9 * SEC }, 0, "" },
		{ { .worker_late_ns = 9 * SEC, .supervisor_late_ns = SEC }, 0, "" },
		/* both: a frozen cgroup, a paused machine */
		{ { .worker_late_ns = 9 * SEC, .supervisor_late_ns = 8 * SEC },
		  8 * SEC,
		  "stopped for 8.0 s" },
		{ { .worker_late_ns = 1100 * MSEC, .supervisor_late_ns = 2 * SEC },
		  1100 * MSEC,
		  "stopped for 1.1 s" },
		{ { .suspended_ns = 60 * SEC }, 60 * SEC, "suspended for 60.0 s" },
		{ { .suspended_ns = 60 * SEC, .stopped_ns = SEC },
		  60 * SEC,
		  "suspended for 60.0 s" },
		/* two clocks that are not read at the same moment */
		{ { .suspended_ns = 50 * MSEC }, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[64];

		assert_int_equal(halt_judge(&cases[i].halt, text, sizeof(text)), cases[i].ns);
		assert_string_equal(text, cases[i].text);
	}
}

/* A blocked SIGCONT waits to be found, once. */
static void continued(void **state)
{
	sigset_t all, old;

	(void)state;
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &old);
	assert_false(halt_continued());
	assert_int_equal(kill(getpid(), SIGCONT), 0);
	assert_true(halt_continued());
	assert_false(halt_continued());
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

/* A process that sleeps waits for no CPU; the count never falls. */
static void queued(void **state)
{
	uint64_t before = halt_queued_ns(), after;

	(void)state;
	(void)usleep(1000);
	after = halt_queued_ns();
	assert_true(after >= before);
	assert_true(after - before < 60 * SEC);
}

TEST_MAIN(cmocka_unit_test(queued), cmocka_unit_test(judges), cmocka_unit_test(continued))
