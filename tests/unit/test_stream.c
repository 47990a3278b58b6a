/* What each option makes of the stream of I/Os, seen at the engine.
 * wrap: engine_ops lane_prepare */
#include "support/test.h"

#include "base/units.h"
#include "support/fixture.h"
#include "support/recorded.h"

/* --- what there was before any option --- */

static void a_pass_goes_by_in_order(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);
	const struct stream *s = rec.job;

	spec.job.iodepth = 4;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(s->n, 256);
	assert_int_equal(stream_distinct(s), 256);
	for (size_t i = 0; i < s->n; i++) {
		assert_int_equal(s->io[i].offset, i * 4096);
		assert_int_equal(s->io[i].len, 4096);
		assert_int_equal(s->io[i].op, OP_READ);
		assert_in_range(s->io[i].inflight, 1, 4);
		assert_true(s->io[i].submit_ns && s->io[i].done_ns >= s->io[i].submit_ns);
	}
	assert_int_equal(recording_bytes(&rec, OP_READ), b->sample->op[OP_READ].bytes);
}

static void jobs_have_streams_of_their_own(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);

	spec.job.numjobs = 4;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(recording_ios(&rec, OP_READ), 4 * 256);
	for (uint64_t job = 0; job < 4; job++) /* split: each begins at its slice and wraps */
		assert_blocks(&rec.job[job], 4096, VALUES(job * 64, job * 64 + 1));
	spec.job.rw = RW_RANDREAD;
	record_into(&rec);
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(stream_distinct(&rec.job[1]), 256);
	assert_other_stream(&rec.job[0], &rec.job[1]);
}

static void times_are_those_of_the_device(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);
	const struct stream *s = rec.job;

	rec = (struct recording){ .engine = ENGINE_SIM };
	record_into(&rec);
	spec.job.ioengine = ENGINE_SIM;
	spec.job.io_size = 10 * 4096;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(s->n, 10);
	for (size_t i = 1; i < s->n; i++)
		assert_int_equal(s->io[i].submit_ns - s->io[i - 1].submit_ns, 100 * USEC);
}

TEST_MAIN(RECORDED_TEST(a_pass_goes_by_in_order), RECORDED_TEST(jobs_have_streams_of_their_own),
          RECORDED_TEST(times_are_those_of_the_device))
