/* Where the I/Os go: what offset, number_ios, norandommap and the like make of the stream.
 * wrap: engine_ops lane_prepare */
#include "support/test.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "support/fixture.h"
#include "support/recorded.h"

#define BLOCK  4096
#define BLOCKS 256 /* of the file */

/* Run it, and what the first job did. */
static const struct stream *stream_of(struct bench *b, const struct run_spec *spec)
{
	record_into(&rec);
	assert_int_equal(bench_run(b, spec), 0);
	for (size_t i = 0; i < rec.job[0].n; i++) {
		const struct recorded *io = &rec.job[0].io[i];

		assert_true(io->offset >= spec->job.offset);
		assert_true(io->offset + io->len <= spec->job.offset + spec->region_bytes);
	}
	return &rec.job[0];
}

static void offset_moves_the_region(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);
	const struct stream *s;

	spec.job.offset = 100 * BLOCK;
	spec.region_bytes = 16 * BLOCK;
	s = stream_of(b, &spec);
	assert_int_equal(s->n, 16);
	assert_blocks(s, BLOCK, VALUES(100, 101, 102));
	spec.job.rw = RW_RANDREAD;
	s = stream_of(b, &spec);
	assert_int_equal(s->n, 16);
	assert_int_equal(stream_distinct(s), 16);
	spec.job.rw = RW_READ;
	spec.job.offset_increment = 32 * BLOCK;
	spec.job.numjobs = 3;
	(void)stream_of(b, &spec);
	for (uint64_t job = 0; job < 3; job++)
		assert_blocks(&rec.job[job], BLOCK, VALUES(100 + 32 * job, 101 + 32 * job));
}

/* 12k each: jobs begin at 0, 1 MiB, 2 MiB. */
static void increments_keep_jobs_apart(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);

	spec.job.offset_increment = MIB;
	spec.job.numjobs = 3;
	spec.region_bytes = 12 * KIB;
	(void)stream_of(b, &spec);
	for (uint64_t job = 0; job < 3; job++) {
		assert_int_equal(rec.job[job].n, 3);
		assert_blocks(&rec.job[job], BLOCK, VALUES(job * 256, job * 256 + 1));
	}
}

static void number_ios_ends_each_job(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDREAD);
	static const uint64_t cases[][2] = { { 10, 10 }, { 1, 1 }, { 1000, BLOCKS } };

	spec.job.numjobs = 2;
	spec.job.iodepth = 4;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		spec.job.number_ios = cases[i][0];
		assert_int_equal(stream_of(b, &spec)->n, cases[i][1]);
		assert_int_equal(rec.job[1].n, cases[i][1]);
	}
	spec.job.norandommap = 1; /* the other way to count */
	spec.job.number_ios = 10;
	assert_int_equal(stream_of(b, &spec)->n, 10);
}

/* 16 blocks: each once, in another order in each of three jobs, and in the same again. */
static void a_random_pass_is_a_permutation(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDREAD);
	struct recording again = { .engine = ENGINE_NULL };

	spec.region_bytes = 64 * KIB;
	spec.job.numjobs = 3;
	(void)stream_of(b, &spec);
	for (size_t job = 0; job < 3; job++) {
		assert_int_equal(rec.job[job].n, 16);
		assert_int_equal(stream_distinct(&rec.job[job]), 16);
		assert_other_stream(&rec.job[job], &rec.job[(job + 1) % 3]);
	}
	record_into(&again);
	assert_int_equal(bench_run(b, &spec), 0);
	for (size_t job = 0; job < 3; job++)
		assert_same_stream(&rec.job[job], &again.job[job]);
	record_into(&rec);
	recording_fini(&again);
	record_into(&rec);
}

/* What is left of a region behind its last whole block is not touched. */
static void passes_follow_each_other(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);

	spec.region_bytes = 5 * BLOCK;
	spec.job.io_size = 8 * BLOCK;
	assert_blocks(stream_of(b, &spec), BLOCK, VALUES(0, 1, 2, 3, 4, 0, 1, 2));
	spec.region_bytes = 18 * KIB;
	assert_blocks(stream_of(b, &spec), BLOCK, VALUES(0, 1, 2, 3, 0, 1, 2, 3));
	spec.region_bytes = 10 * KIB;
	spec.job.io_size = AXIS_UNSET;
	assert_int_equal(stream_of(b, &spec)->n, 2);
	spec.job.rw = RW_RANDREAD;
	assert_int_equal(stream_of(b, &spec)->n, 2);
}

/* Independent draws leave 1/e of the blocks untouched. */
static void norandommap_repeats_and_leaves_gaps(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDREAD);
	const struct stream *s;

	spec.target_bytes = spec.region_bytes = 4096 * BLOCK;
	spec.job.norandommap = 1;
	s = stream_of(b, &spec);
	assert_int_equal(s->n, 4096);
	assert_in_range(stream_distinct(s), 4096 * 60 / 100, 4096 * 66 / 100); /* 63.2 % */
	for (size_t i = 0; i < s->n; i++)
		assert_int_equal(s->io[i].offset % BLOCK, 0);
}

static void seeds_choose_the_offsets(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDREAD);
	struct recording other = { .engine = ENGINE_NULL };

	spec.job.norandommap = 1;
	(void)stream_of(b, &spec);
	record_into(&other);
	assert_int_equal(bench_run(b, &spec), 0);
	assert_same_stream(&rec.job[0], &other.job[0]);
	spec.seed++;
	record_into(&other);
	assert_int_equal(bench_run(b, &spec), 0);
	assert_other_stream(&rec.job[0], &other.job[0]);
	recording_fini(&other);
	record_into(&rec);
}

/* I/Os that go on where the one before ended. */
static size_t following(const struct stream *s)
{
	size_t n = 0;

	for (size_t i = 1; i < s->n; i++)
		n += s->io[i].offset == s->io[i - 1].offset + s->io[i - 1].len;
	return n;
}

static void percentage_random_mixes_jumps_and_runs(void **state)
{
	static const uint64_t cases[] = { 0, 25, 75, 100 };
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDREAD);

	spec.target_bytes = spec.region_bytes = 4096 * BLOCK;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct stream *s;

		spec.job.percentage_random = cases[i];
		s = stream_of(b, &spec);
		assert_int_equal(s->n, 4096);
		if (cases[i] == 0)
			assert_int_equal(following(s), 4095);
		else /* 5 standard deviations at most */
			assert_in_range(following(s),
			                (100 - cases[i]) * 4095 / 100 -
			                    (cases[i] < 100 ? 140 : 0),
			                (100 - cases[i]) * 4095 / 100 + 140);
	}
}

/* --- rw=read:N --- */

static void steps_leave_holes(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);
	const struct stream *s;

	spec.region_bytes = 16 * BLOCK;
	spec.job.rw_step = 4096;
	s = stream_of(b, &spec); /* until the bytes of a pass are done */
	assert_int_equal(s->n, 16);
	assert_blocks(s, BLOCK, VALUES(0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14));
	spec.job.rw_step = -(uint64_t)8192; /* back: one block further down each time */
	assert_blocks(stream_of(b, &spec), BLOCK,
	              VALUES(0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
	spec.job.rw_step = -(uint64_t)4096; /* the same block again and again, as in fio */
	assert_blocks(stream_of(b, &spec), BLOCK, VALUES(0, 0, 0, 0));
	spec.job.rw_step = 64 * BLOCK; /* beyond the region */
	assert_blocks(stream_of(b, &spec), BLOCK, VALUES(0, 0, 0, 0));
}

static void stepping_jobs_begin_at_their_slices(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_READ);

	spec.region_bytes = 16 * BLOCK;
	spec.job.numjobs = 4;
	spec.job.job_offset = JOB_OFFSET_SPLIT;
	spec.job.rw_step = 4096;
	(void)stream_of(b, &spec);
	for (uint64_t job = 0; job < 4; job++)
		assert_blocks(&rec.job[job], BLOCK, VALUES(4 * job, 4 * job + 2));
	spec.job.rw_step = -(uint64_t)8192;
	(void)stream_of(b, &spec);
	for (uint64_t job = 0; job < 4; job++)
		assert_blocks(&rec.job[job], BLOCK, VALUES(4 * job, job ? 4 * job - 1 : 14));
	spec.job.rw_step = -(uint64_t)(4 * BLOCK); /* a step of the length of a slice */
	(void)stream_of(b, &spec);
	for (uint64_t job = 0; job < 4; job++)
		assert_blocks(&rec.job[job], BLOCK, VALUES(4 * job));
}

static void random_runs_have_a_length(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDREAD);
	const struct stream *s;

	spec.target_bytes = spec.region_bytes = 4096 * BLOCK;
	spec.job.rw_step = 8;
	s = stream_of(b, &spec);
	assert_int_equal(s->n, 4096);
	/* but for runs that meet the end of the region, or happen to follow each other */
	assert_in_range(following(s), 4096 / 8 * 7 - 16, 4096 / 8 * 7 + 16);
	for (size_t i = 0; i + 8 <= s->n; i += 8)
		for (size_t k = 1; k < 8; k++)
			assert_true(s->io[i + k].offset == s->io[i + k - 1].offset + BLOCK ||
			            s->io[i + k - 1].offset == 4095 * (uint64_t)BLOCK);
}

/* --- blockalign --- */

static void blockalign_is_the_grid(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, RW_RANDREAD);
	const struct stream *s;
	size_t odd = 0;

	spec.job.blockalign = 8192;
	s = stream_of(b, &spec);
	assert_int_equal(s->n, BLOCKS);
	for (size_t i = 0; i < s->n; i++)
		assert_int_equal(s->io[i].offset % 8192, 0);
	assert_int_equal(stream_distinct(s), BLOCKS / 2);
	spec.job.blockalign = 512;
	s = stream_of(b, &spec);
	for (size_t i = 0; i < s->n; i++) {
		assert_int_equal(s->io[i].offset % 512, 0);
		odd += s->io[i].offset % BLOCK != 0;
	}
	assert_in_range(odd, BLOCKS * 3 / 4, BLOCKS);
}

TEST_MAIN(RECORDED_TEST(offset_moves_the_region), RECORDED_TEST(increments_keep_jobs_apart),
          RECORDED_TEST(number_ios_ends_each_job),
          RECORDED_TEST(a_random_pass_is_a_permutation),
          RECORDED_TEST(passes_follow_each_other),
          RECORDED_TEST(norandommap_repeats_and_leaves_gaps),
          RECORDED_TEST(seeds_choose_the_offsets),
          RECORDED_TEST(percentage_random_mixes_jumps_and_runs),
          RECORDED_TEST(steps_leave_holes), RECORDED_TEST(stepping_jobs_begin_at_their_slices),
          RECORDED_TEST(random_runs_have_a_length), RECORDED_TEST(blockalign_is_the_grid))
