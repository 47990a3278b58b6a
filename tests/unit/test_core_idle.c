/* What a device did between two runs, when nothing was asked of it. */
#include "support/test.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "host/facts.h"
#include "support/core_bench.h"

static void a_layout_in_between_is_no_idle_time(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_READ);
	struct stat st;
	int fd;

	assert_int_equal(stat(b->path, &st), 0);
	spec.major = major(st.st_dev);
	spec.minor = minor(st.st_dev);
	fd = device_stat_open(spec.major, spec.minor);
	if (fd < 0)
		skip(); /* no block device under the temporary directory */
	close(fd);
	for (int touched = 0; touched < 2; touched++) {
		assert_int_equal(bench_run(b, &spec), 0);
		if (touched)
			core_not_idle(b->core);
		clock_sleep_until(clock_mono_ns() + 600 * MSEC);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(b->sample->gap.valid, !touched);
	}
}

TEST_MAIN(cmocka_unit_test_setup_teardown(a_layout_in_between_is_no_idle_time, bench_setup,
                                          bench_teardown))
