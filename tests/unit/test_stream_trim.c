/* What the patterns that trim make of the stream of I/Os, seen at the engine.
 * wrap: engine_ops lane_prepare */
#include "support/test.h"

#include "base/units.h"
#include "support/fixture.h"
#include "support/recorded.h"

static void trims_go_by_like_writes(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_TRIM);

	spec.job.iodepth = 4;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(rec.job[0].n, 256);
	assert_int_equal(stream_of_op(&rec.job[0], OP_TRIM), 256);
	assert_blocks(&rec.job[0], 4096, VALUES(0, 1, 2, 3));
	assert_int_equal(b->sample->op[OP_TRIM].ios, 256);
	assert_int_equal(b->sample->op[OP_TRIM].bytes, FILE_BYTES);
	assert_int_equal(b->sample->op[OP_WRITE].ios + b->sample->op[OP_READ].ios, 0);
	spec.job.rw = RW_RANDTRIM;
	record_into(&rec);
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(stream_of_op(&rec.job[0], OP_TRIM), 256);
	assert_int_equal(stream_distinct(&rec.job[0]), 256);
}

static const struct recorded *trim_of(const struct stream *s, uint64_t offset)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->io[i].op == OP_TRIM && s->io[i].offset == offset)
			return &s->io[i];
	return NULL;
}

/* Each block is trimmed once and written once, and not before its trim has come back. */
static void a_block_is_written_after_its_trim(void **state)
{
	struct bench *b = *state;
	const struct stream *s = rec.job;

	for (unsigned depth = 1; depth <= 64; depth *= 8)
		for (unsigned rw = RW_TRIMWRITE; rw <= RW_RANDTRIMWRITE; rw++) {
			struct run_spec spec = recorded_spec(b, ENGINE_SIM, rw);

			spec.job.iodepth = depth;
			spec.job.iodepth_batch_submit = depth / 4;
			spec.job.fsync = depth == 8 ? 16 : 0;
			assert_int_equal(bench_run(b, &spec), 0);
			assert_int_equal(stream_of_op(s, OP_TRIM), 256);
			assert_int_equal(stream_of_op(s, OP_WRITE), 256);
			assert_int_equal(b->sample->op[OP_SYNC].ios, depth == 8 ? 16 : 0);
			for (size_t i = 0; i < s->n; i++) {
				const struct recorded *io = &s->io[i],
						      *trim = trim_of(s, io->offset);

				if (io->op != OP_WRITE)
					continue;
				assert_non_null(trim);
				assert_true(trim->done_ns && trim->done_ns <= io->submit_ns);
				assert_true(io->start_ns >= trim->done_ns);
				assert_in_range(io->inflight, 1, depth);
			}
		}
}

/* Drawn anew each time, in sizes of their own: trims are drawn as writes would be. */
static void trims_are_drawn(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDTRIM);

	for (unsigned rw = RW_RANDTRIM; rw <= RW_RANDTRIMWRITE;
	     rw += RW_RANDTRIMWRITE - RW_RANDTRIM) {
		spec.job.rw = rw;
		spec.job.norandommap = 1;
		spec.sizes = false;
		record_into(&rec);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(stream_of_op(&rec.job[0], OP_TRIM), 256);
		assert_in_range(stream_distinct(&rec.job[0]), 100, 255);
		spec.sizes = true;
		assert_int_equal(size_mix_parse("512,512,4k/50:8k/50", spec.mix, NULL), 0);
		record_into(&rec);
		assert_int_equal(bench_run(b, &spec), 0);
		for (size_t i = 0; i < rec.job[0].n; i++) {
			const struct recorded *io = &rec.job[0].io[i];

			assert_true(io->len == 4096 || io->len == 8192);
			assert_true(io->offset % 4096 == 0 &&
			            io->offset + io->len <= FILE_BYTES);
		}
	}
}

/* At the end of the time every slot may hold a block that was trimmed and will not be written.
 */
static void the_last_sync_finds_a_slot(void **state)
{
	struct bench *b = *state;
	bool unwritten = false;

	for (unsigned ms = 20; ms < 30; ms++) {
		struct run_spec spec = recorded_spec(b, ENGINE_SIM, RW_TRIMWRITE);

		spec.job.time_based = 1;
		spec.job.runtime = ms * MSEC + ms * 7 * USEC;
		spec.job.end_fsync = 1;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(rec.job[0].io[rec.job[0].n - 1].op, OP_SYNC);
		unwritten = unwritten || stream_of_op(&rec.job[0], OP_TRIM) >
		                             stream_of_op(&rec.job[0], OP_WRITE);
	}
	assert_true(unwritten);
}

TEST_MAIN(RECORDED_TEST(trims_go_by_like_writes),
          RECORDED_TEST(a_block_is_written_after_its_trim), RECORDED_TEST(trims_are_drawn),
          RECORDED_TEST(the_last_sync_finds_a_slot))
