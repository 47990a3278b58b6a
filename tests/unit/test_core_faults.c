/* The core with engines that misbehave, and with a simulated device whose every number is
 * known. wrap: engine_ops */
#include "support/test.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "engine/engines.h"
#include "support/core_bench.h"
#include "support/engine_fault.h"

const struct engine_ops *__real_engine_ops(uint64_t id);
const struct engine_ops *__wrap_engine_ops(uint64_t id);

/* Stands in for psync while set. */
static const struct engine_ops *stand_in;

const struct engine_ops *__wrap_engine_ops(uint64_t id)
{
	return stand_in && id == ENGINE_PSYNC ? stand_in : __real_engine_ops(id);
}

static struct run_spec faulty_spec(struct bench *b, struct fault *f, enum rw rw)
{
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, rw);

	stand_in = fault_engine(f);
	spec.job.iodepth = 8;
	return spec;
}

static void an_error_ends_the_run_and_is_in_no_number(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null, .error_at = 100, .error = EIO };
	const struct sample *s = b->sample;
	struct run_spec spec = faulty_spec(b, &f, RW_READ);

	spec.job.numjobs = 2;
	spec.job.time_based = 1;
	spec.job.runtime = 3600 * SEC;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(s->first_error.error, EIO);
	assert_int_equal(s->first_error.op, OP_READ);
	assert_int_equal(s->first_error.len, 4096);
	assert_int_equal(s->op[OP_READ].errors, 1);
	assert_int_equal(s->op[OP_READ].ios + s->op[OP_READ].errors + s->drain_ios,
	                 f.submitted);
}

static void a_failing_sync_ends_the_run(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null, .error_at = 17, .error = ENOSPC };
	struct run_spec spec = faulty_spec(b, &f, RW_WRITE);

	spec.job.fsync = 16;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->first_error.error, ENOSPC);
	assert_int_equal(b->sample->first_error.op, OP_SYNC);
	assert_int_equal(b->sample->op[OP_SYNC].errors, 1);
	assert_int_equal(b->sample->op[OP_WRITE].ios, 16);
}

static void odd_engines_lose_nothing(void **state)
{
	static const struct fault cases[] = {
		{ .accept = 1 },
		{ .accept = 3, .again = 2 },
		{ .reverse = true },
		{ .error_at = 50, .error = EAGAIN },
		{ .error_at = 7, .error = EINTR, .again = 1 },
		{ .again = 5, .accept = 2, .reverse = true },
	};
	struct bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++)
		for (enum rw rw = 0; rw < RW_TRIM; rw++) {
			struct fault f = { .inner = &engine_null,
				           .accept = cases[c].accept,
				           .again = cases[c].again,
				           .reverse = cases[c].reverse,
				           .error_at = cases[c].error_at,
				           .error = cases[c].error };
			struct run_spec spec = faulty_spec(b, &f, rw);

			spec.job.fsync = 10;
			assert_int_equal(bench_run(b, &spec), 0);
			assert_int_equal(
			    b->sample->op[OP_READ].ios + b->sample->op[OP_WRITE].ios, 256);
			assert_int_equal(b->sample->op[OP_SYNC].ios,
			                 b->sample->op[OP_WRITE].ios / 10);
			assert_int_equal(b->sample->first_error.error, 0);
			assert_int_equal(f.submitted,
			                 256 + b->sample->op[OP_SYNC].ios + (f.error_at != 0));
		}
}

/* "Try again" as the only answer is no progress: it is believed for a second. */
static void a_kernel_that_takes_nothing_fails_the_run(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null, .again = UINT_MAX };
	struct run_spec spec = faulty_spec(b, &f, RW_READ);

	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->first_error.error, EAGAIN);
	assert_int_equal(b->sample->first_error.len, 4096);
	assert_int_equal(b->sample->op[OP_READ].ios, 0);
}

static void a_short_transfer_counts_what_came(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null, .short_at = 5 };
	struct run_spec spec = faulty_spec(b, &f, RW_READ);

	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->op[OP_READ].ios, 256);
	assert_int_equal(b->sample->op[OP_READ].short_ios, 1);
	assert_int_equal(b->sample->op[OP_READ].bytes, FILE_BYTES - 2048);
	assert_int_equal(b->sample->first_error.error, 0);
	assert_int_equal(b->sample->first_short.len, 4096);
	assert_int_equal(b->sample->first_short.op, OP_READ);
	assert_int_equal(b->sample->first_short_bytes, 2048);
}

static void an_engine_that_does_not_open_fails_the_set_up(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null, .open_fails = true, .error = EPERM };
	struct run_spec spec = faulty_spec(b, &f, RW_READ);

	spec.job.numjobs = 3;
	assert_int_equal(bench_run(b, &spec), -EPERM);
	assert_string_equal(b->err.text, "fault: told to fail");
	f.open_fails = false;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->op[OP_READ].ios, 3 * 256);
}

static struct fault hanging; /* outlives a failed test, whose teardown lets it go */

static void *give_up_soon(void *arg)
{
	struct live *live = arg;

	while (atomic_load(&live->phase) != LIVE_DRAIN)
		clock_sleep_until(clock_mono_ns() + MSEC);
	atomic_store(&live->stop, STOP_GIVE_UP);
	return NULL;
}

/* An I/O that does not come back costs nothing of a window that has ended: whether it was sent
 * in the window or in the ramp, and whether the job sits in a system call or waits for a
 * completion. */
static void a_drain_that_is_given_up_leaves_the_window(void **state)
{
	static const struct {
		bool in_submit;
		uint64_t hang_at, ios;
	} cases[] = { { true, 50, 49 }, { false, 50, 49 }, { true, 1, 0 }, { false, 1, 0 } };
	struct bench *b = *state;
	const struct sample *s = b->sample;

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct run_spec spec;
		pthread_t watchdog;

		hanging = (struct fault){ .inner = &engine_null,
			                  .hang_at = cases[c].hang_at,
			                  .hang_in_submit = cases[c].in_submit };
		spec = faulty_spec(b, &hanging, RW_READ);

		spec.job.iodepth = 1;
		spec.job.time_based = 1;
		spec.job.ramp_time = cases[c].ios ? 0 : 20 * MSEC;
		spec.job.runtime = 250 * MSEC;
		atomic_store(&b->live->stop, STOP_NONE);
		atomic_store(&b->live->phase, LIVE_IDLE);
		assert_int_equal(pthread_create(&watchdog, NULL, give_up_soon, b->live), 0);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(pthread_join(watchdog, NULL), 0);
		assert_int_equal(s->jobs_hung, 1);
		assert_in_range(s->window_ns, 240 * MSEC, 250 * MSEC); /* less the late start */
		assert_int_equal(s->op[OP_READ].ios, cases[c].ios);
		assert_int_equal(s->inflight_at_stop, 1);
		assert_in_range(s->inflight_ns, 240 * MSEC, 250 * MSEC);
		assert_in_range(s->longest_gap_ns, 240 * MSEC, 250 * MSEC);
		assert_int_equal(s->drain_ios, 0);
		assert_true(s->drain_ns > 0);
		/* when it comes back after all, the core is as good as before */
		atomic_store(&hanging.released, true);
		atomic_store(&b->live->stop, STOP_NONE);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(s->jobs_hung, 0);
		assert_true(s->op[OP_READ].ios > 0);
	}
}

static struct run_spec sim_spec(const struct bench *b, uint64_t depth, uint64_t ramp_ns,
                                uint64_t runtime_ns)
{
	struct run_spec spec = bench_spec(b, ENGINE_SIM, RW_RANDREAD);

	spec.sim = bench_device(MSEC);
	spec.job.iodepth = depth;
	spec.job.time_based = 1;
	spec.job.ramp_time = ramp_ns;
	spec.job.runtime = runtime_ns;
	return spec;
}

/* One completion per ms: what is seen from 100 ms on counts, what is seen from 350 ms on is
 * drained. */
static void the_window_rule_is_exact(void **state)
{
	struct bench *b = *state;
	const struct sample *s = b->sample;

	for (uint64_t depth = 1; depth <= 64; depth *= 4) {
		struct run_spec spec = sim_spec(b, depth, 100 * MSEC, 250 * MSEC);

		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(s->window_ns, 250 * MSEC);
		assert_int_equal(s->ramp_ios, 99);
		assert_int_equal(s->op[OP_READ].ios, 250);
		assert_int_equal(s->inflight_ns, depth * 250 * MSEC);
		assert_int_equal(s->op[OP_READ].lat.min, depth * MSEC);
		assert_int_equal(s->op[OP_READ].lat.max, depth * MSEC);
		assert_int_equal(s->longest_gap_ns, MSEC);
		assert_int_equal(s->inflight_at_stop, depth);
		assert_int_equal(s->drain_ios, depth);
		assert_int_equal(s->drain_ns, (depth - 1) * MSEC);
		assert_int_equal(s->drain_max_ns, depth * MSEC);
		assert_int_equal(s->slots, 3);
		assert_int_equal(s->slot[0].ios[OP_READ], 100);
		assert_int_equal(s->slot[1].ios[OP_READ], 100);
		assert_int_equal(s->slot[2].ios[OP_READ], 50);
	}
}

static void long_runs_widen_their_slots(void **state)
{
	struct bench *b = *state;
	const struct sample *s = b->sample;
	struct run_spec spec = sim_spec(b, 2, 0, 1000 * SEC);

	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(s->slot_ns, 400 * MSEC);
	assert_int_equal(s->slots, 2500);
	assert_int_equal(s->slot[0].ios[OP_READ],
	                 399); /* the first completion is seen at 1 ms */
	assert_int_equal(s->slot[1].ios[OP_READ], 400);
	assert_int_equal(s->slot[2499].ios[OP_READ], 400);
	spec.job.time_based = 0; /* not known beforehand: it doubles on the way */
	spec.job.runtime = AXIS_UNSET;
	spec.job.io_size = UINT64_C(1000000) * 4096;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(s->op[OP_READ].ios, 1000000);
	assert_int_equal(s->window_ns, 1000 * SEC);
	assert_int_equal(s->slot_ns, 400 * MSEC);
	assert_int_equal(s->slot[1].ios[OP_READ], 400);
}

static void batches_are_as_asked(void **state)
{
	static const struct {
		uint64_t profile, submit, min, max, depth;
		unsigned submitted, awaited, reaped;
	} cases[] = {
		{ PROFILE_MAX, AXIS_UNSET, 1, AXIS_UNSET, 32, 32, 1, 32 },
		{ PROFILE_MAX, AXIS_UNSET, 1, AXIS_UNSET, 1000, 256, 1, 256 },
		{ PROFILE_FIO, AXIS_UNSET, 1, AXIS_UNSET, 32, 1, 1, 1 },
		{ PROFILE_MAX, 16, 1, 8, 32, 16, 1, 8 },
		{ PROFILE_MAX, 0, 8, 0, 32, 32, 8, 32 },
		{ PROFILE_MAX, 0, 32, 32, 32, 32, 32, 32 },
		{ PROFILE_FIO, 4, 4, AXIS_UNSET, 8, 4, 4, 4 },
	};
	struct bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct fault f = { .inner = &engine_null };
		struct run_spec spec = faulty_spec(b, &f, RW_RANDREAD);

		spec.region_bytes = spec.target_bytes = 16 * MIB; /* the null engine has it */
		spec.job.iodepth = cases[c].depth;
		spec.job.profile = cases[c].profile;
		spec.job.iodepth_batch_submit = cases[c].submit;
		spec.job.iodepth_batch_complete_min = cases[c].min;
		spec.job.iodepth_batch_complete_max = cases[c].max;
		job_defaults(&spec.job);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(b->sample->op[OP_READ].ios, 4096);
		if (f.most_submitted != cases[c].submitted ||
		    f.most_awaited != cases[c].awaited || f.most_reaped != cases[c].reaped)
			fail_msg("case %zu: %u submitted, %u awaited, %u reaped", c,
			         f.most_submitted, f.most_awaited, f.most_reaped);
	}
}

/* Never waiting is slower only for the CPU: nothing is lost. */
static void a_spinning_reap_counts_all(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null, .accept = 3, .again = 2 };
	struct run_spec spec = faulty_spec(b, &f, RW_RANDRW);

	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->polls, 0);
	spec.job.iodepth_batch_complete_min = 0;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_true(b->sample->polls >= 256 / 8 && b->sample->polls_empty < b->sample->polls);
	assert_int_equal(b->sample->op[OP_READ].ios + b->sample->op[OP_WRITE].ios, 256);
}

/* Kept from run to run; let go of the target after each; one that polls is not kept. */
static void engines_are_kept_unless_they_poll(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null };
	struct run_spec spec = faulty_spec(b, &f, RW_READ);

	for (unsigned i = 1; i <= 3; i++) {
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(f.opened, 1);
		assert_int_equal(f.unbound, i);
	}
	spec.job.hipri = 1;
	for (unsigned i = 1; i <= 3; i++) {
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(f.opened, 1 + i);
	}
	spec.job.hipri = 0;
	spec.job.sqthread_poll = 1;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(f.opened, 6);
	assert_int_equal(f.unbound, 3);
}

static int teardown(void **state)
{
	int r;

	atomic_store(&hanging.released, true);
	r = bench_teardown(state);
	stand_in = NULL;
	return r;
}

#define ON_CORE(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, teardown)

TEST_MAIN(ON_CORE(an_error_ends_the_run_and_is_in_no_number),
          ON_CORE(a_failing_sync_ends_the_run), ON_CORE(odd_engines_lose_nothing),
          ON_CORE(a_kernel_that_takes_nothing_fails_the_run),
          ON_CORE(a_short_transfer_counts_what_came),
          ON_CORE(a_drain_that_is_given_up_leaves_the_window),
          ON_CORE(an_engine_that_does_not_open_fails_the_set_up), ON_CORE(batches_are_as_asked),
          ON_CORE(a_spinning_reap_counts_all), ON_CORE(engines_are_kept_unless_they_poll),
          ON_CORE(the_window_rule_is_exact), ON_CORE(long_runs_widen_their_slots))
