/* What the kernel grants for the buffers of a run is its own affair: it depends on no run
 * before. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "support/core_bench.h"

#define SKIPPED 77
#define LOCKED  (3 * MIB)

/* A user of his own: locked memory is counted per user, whatever else runs here. */
static bool become_limited(const struct bench *b)
{
	const struct rlimit limit = { LOCKED, LOCKED };
	const uid_t someone = 60000 + (uid_t)getpid() % 5000;

	return geteuid() == 0 && !chmod(b->dir, 0755) && !chmod(b->path, 0666) &&
	       !setrlimit(RLIMIT_MEMLOCK, &limit) && !setuid(someone);
}

static int limited_runs(struct bench *b)
{
	static const struct {
		uint64_t bs, depth, jobs;
		bool granted;
	} runs[] = {
		{ 4096, 8, 1, true },       { MIB, 4, 1, false }, /* more than the limit */
		{ 4096, 8, 1, true }, /* what that one touched costs a small one nothing */
		{ 64 * KIB, 32, 1, true },  { 4096, 8, 1, true },
		{ 64 * KIB, 16, 2, true }, /* what one job had is there for two */
		{ 64 * KIB, 32, 1, true },  { 4096, 8, 8, true },
		{ 64 * KIB, 32, 2, false }, { 4096, 8, 2, true },
	};
	struct core *core;

	if (!become_limited(b) || core_new(&core, b->live, NULL))
		return SKIPPED;
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		struct run_spec spec = bench_spec(b, ENGINE_IO_URING, RW_RANDREAD);
		struct err e = { 0 };

		spec.job.bs = runs[i].bs;
		spec.job.iodepth = runs[i].depth;
		spec.job.numjobs = runs[i].jobs;
		if (core_run(core, &spec, b->sample, &e))
			return SKIPPED; /* no ring for this user */
		if (!strstr(b->sample->effective,
		            runs[i].granted ? " fixedbufs=1 " : " fixedbufs=0 (memlock) ") ||
		    (b->sample->degraded[0] != '\0') == runs[i].granted) {
			(void)fprintf(stderr, "run %zu: %s\n", i, b->sample->effective);
			return (int)i + 1;
		}
	}
	core_free(core);
	return 0;
}

/* The kernel does not give huge pages to this process, whatever is set for the machine. */
static int runs_without_huge_pages(struct bench *b)
{
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_RANDREAD);
	struct core *core;

	spec.job.bs = spec.region_bytes = spec.target_bytes = 4 * MIB;
	bench_file(b->path, 4 * MIB);
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) || core_new(&core, b->live, NULL))
		return SKIPPED;
	if (core_run(core, &spec, b->sample, NULL))
		return 1;
	core_free(core);
	return strstr(b->sample->effective, " huge_pages=0") ? 0 : 2;
}

/* Large buffers, in the pages that fio would have. */
static void profile_fio_has_no_huge_pages(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_RANDREAD);
	struct core *core;

	spec.job.bs = spec.region_bytes = spec.target_bytes = 4 * MIB;
	bench_file(b->path, 4 * MIB);
	assert_int_equal(core_new(&core, b->live, NULL), 0);
	assert_int_equal(core_run(core, &spec, b->sample, NULL), 0);
	if (strstr(b->sample->effective, " huge_pages=0")) {
		core_free(core);
		skip(); /* this machine grants none to anybody */
	}
	spec.job.profile = PROFILE_FIO;
	assert_int_equal(core_run(core, &spec, b->sample, NULL), 0);
	assert_non_null(strstr(b->sample->effective, " huge_pages=0"));
	spec.job.profile = PROFILE_MAX; /* and they are there again for the next */
	assert_int_equal(core_run(core, &spec, b->sample, NULL), 0);
	assert_null(strstr(b->sample->effective, " huge_pages=0"));
	core_free(core);
}

static void in_a_child(struct bench *b, int (*what)(struct bench *b))
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(what(b));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void registering_is_judged_per_run(void **state)
{
	if (!bench_usable(ENGINE_IO_URING))
		skip();
	in_a_child(*state, limited_runs);
}

static void huge_pages_are_what_the_kernel_says(void **state)
{
	in_a_child(*state, runs_without_huge_pages);
}

#define ON_CORE(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)

TEST_MAIN(ON_CORE(registering_is_judged_per_run), ON_CORE(huge_pages_are_what_the_kernel_says), ON_CORE(profile_fio_has_no_huge_pages))
