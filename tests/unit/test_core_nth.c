/* Each thing that an engine can be asked fails once, on every engine: the n-th I/O, the n-th
 * fsync, the n-th submit, the n-th reap, for every n until it is not reached any more. The run
 * ends with that error and true numbers, and the next run is as good as any.
 * wrap: engine_ops fsync */
#include "support/test.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "engine/engines.h"
#include "support/core_bench.h"
#include "support/engine_fault.h"

#define BLOCKS 16

const struct engine_ops *__real_engine_ops(uint64_t id);
const struct engine_ops *__wrap_engine_ops(uint64_t id);
int __real_fsync(int fd);
int __wrap_fsync(int fd);

/* Stands in for psync while set. */
static const struct engine_ops *stand_in;

const struct engine_ops *__wrap_engine_ops(uint64_t id)
{
	return stand_in && id == ENGINE_PSYNC ? stand_in : __real_engine_ops(id);
}

static unsigned fsyncs, fsync_fails_at;

int __wrap_fsync(int fd)
{
	if (++fsyncs != fsync_fails_at)
		return __real_fsync(fd);
	errno = EIO;
	return -1;
}

static const uint64_t engines[] = { ENGINE_NULL, ENGINE_PSYNC, ENGINE_LIBAIO, ENGINE_IO_URING };

static struct run_spec spec_of(struct bench *b, struct fault *f, uint64_t engine, enum rw rw)
{
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, rw);

	stand_in = NULL;
	f->inner = engine_ops(engine);
	stand_in = fault_engine(f);
	spec.region_bytes = BLOCKS * 4096;
	spec.job.iodepth = 4;
	spec.job.fsync = 4;
	return spec;
}

/* A core of its own for each engine: it keeps engines open. */
static bool usable(struct bench *b, uint64_t engine)
{
	core_free(b->core); /* while its engines are closed by whom they were opened */
	stand_in = NULL;
	assert_int_equal(core_new(&b->core, b->live, &b->err), 0);
	return bench_usable(engine);
}

static uint64_t data_ios(const struct sample *s)
{
	return s->op[OP_READ].ios + s->op[OP_WRITE].ios;
}

static void check_clean(struct bench *b, uint64_t engine)
{
	struct fault none = { 0 };
	struct run_spec spec = spec_of(b, &none, engine, RW_RANDWRITE);

	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->first_error.error, 0);
	assert_int_equal(data_ios(b->sample), BLOCKS);
	assert_int_equal(b->sample->op[OP_SYNC].ios, BLOCKS / 4);
}

enum what { AN_IO, A_SUBMIT, A_REAP };

/* Returns whether the n-th was met. */
static bool try_nth(struct bench *b, uint64_t engine, enum what what, uint64_t n)
{
	const struct sample *s = b->sample;
	struct fault f = { .error = EIO,
		           .error_at = what == AN_IO ? n : 0,
		           .submit_fails_at = what == A_SUBMIT ? n : 0,
		           .reap_fails_at = what == A_REAP ? n : 0 };
	struct run_spec spec = spec_of(b, &f, engine, RW_RANDWRITE);
	bool met;

	assert_int_equal(bench_run(b, &spec), 0);
	met = n <= (what == AN_IO ? f.submitted : what == A_SUBMIT ? f.submits : f.reaps);
	if (s->first_error.error != (met ? EIO : 0))
		fail_msg("%s: number %d.%u: error %d", engine_name(engine), what, (unsigned)n,
		         s->first_error.error);
	if (!met)
		assert_int_equal(data_ios(s), BLOCKS);
	if (met && what == AN_IO) {
		uint64_t errors = s->op[OP_WRITE].errors + s->op[OP_SYNC].errors;

		assert_int_equal(errors, 1);
		assert_int_equal(data_ios(s) + s->op[OP_SYNC].ios + errors + s->drain_ios,
		                 f.submitted);
		assert_true(s->first_error.offset < BLOCKS * 4096);
	}
	return met;
}

static void loop(struct bench *b, enum what what)
{
	for (size_t i = 0; i < ARRAY_SIZE(engines); i++) {
		uint64_t n = 1;

		if (!usable(b, engines[i]))
			continue;
		while (try_nth(b, engines[i], what, n)) {
			check_clean(b, engines[i]);
			n++;
		}
		assert_true(n > 2);
	}
}

static void the_nth_io_fails(void **state)
{
	loop(*state, AN_IO);
}

static void the_nth_submit_fails(void **state)
{
	loop(*state, A_SUBMIT);
}

static void the_nth_reap_fails(void **state)
{
	loop(*state, A_REAP);
}

/* Half a transfer, late and out of order, on every engine: all is counted, once. */
static void nothing_is_counted_twice(void **state)
{
	static const struct fault cases[] = {
		{ .late_at = 1, .late_by = 3 },
		{ .late_at = 7, .late_by = 100 },
		{ .short_at = 3, .reverse = true },
		{ .accept = 1, .again = 1, .late_at = 2, .late_by = 2 },
	};
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_SIZE(engines); i++)
		for (size_t c = 0; usable(b, engines[i]) && c < ARRAY_SIZE(cases); c++) {
			struct fault f = { .accept = cases[c].accept,
				           .again = cases[c].again,
				           .reverse = cases[c].reverse,
				           .short_at = cases[c].short_at,
				           .late_at = cases[c].late_at,
				           .late_by = cases[c].late_by };
			struct run_spec spec = spec_of(b, &f, engines[i], RW_RANDWRITE);

			assert_int_equal(bench_run(b, &spec), 0);
			assert_int_equal(b->sample->first_error.error, 0);
			assert_int_equal(data_ios(b->sample), BLOCKS);
			assert_int_equal(b->sample->op[OP_SYNC].ios, BLOCKS / 4);
			assert_int_equal(b->sample->op[OP_WRITE].short_ios, f.short_at != 0);
			assert_int_equal(b->sample->op[OP_WRITE].bytes,
			                 BLOCKS * 4096 - (f.short_at ? 2048 : 0));
		}
}

/* The fsync after a buffered run is no I/O of an engine. */
static void the_nth_flush_fails(void **state)
{
	struct bench *b = *state;
	struct run_spec spec;

	spec = bench_spec(b, ENGINE_PSYNC, RW_WRITE);
	spec.flush = true;
	for (unsigned n = 1;; n++) {
		int r;

		fsyncs = 0;
		fsync_fails_at = n;
		r = bench_run(b, &spec);
		fsync_fails_at = 0;
		if (fsyncs < n) {
			assert_int_equal(r, 0);
			assert_int_equal(b->sample->first_error.error, 0);
			assert_true(n > 1);
			break;
		}
		if (!r)
			assert_int_equal(b->sample->first_error.error, EIO);
		else
			assert_int_equal(r, -EIO);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(b->sample->first_error.error, 0);
	}
}

static int teardown(void **state)
{
	int r = bench_teardown(state);

	stand_in = NULL;
	return r;
}

#define ON_CORE(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, teardown)

TEST_MAIN(ON_CORE(the_nth_io_fails), ON_CORE(the_nth_submit_fails), ON_CORE(the_nth_reap_fails),
          ON_CORE(nothing_is_counted_twice), ON_CORE(the_nth_flush_fails))
