/* How long the I/Os are: what sizes per direction, bssplit and distributions make of the stream.
 * wrap: engine_ops lane_prepare */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "support/recorded.h"

#define REGION (4 * MIB)

static struct run_spec spec_of(const struct bench *b, enum rw rw, const char *sizes)
{
	struct run_spec spec = recorded_spec(b, ENGINE_NULL, rw);

	spec.region_bytes = spec.target_bytes = REGION;
	if (sizes) {
		assert_int_equal(size_mix_parse(sizes, spec.mix, NULL), 0);
		spec.sizes = true;
	}
	return spec;
}

static const struct stream *stream_of(struct bench *b, const struct run_spec *spec)
{
	const struct stream *s = rec.job;
	uint64_t bytes[2] = { 0 };

	record_into(&rec);
	assert_int_equal(bench_run(b, spec), 0);
	for (size_t i = 0; i < s->n; i++) {
		assert_true(s->io[i].offset + s->io[i].len <= spec->region_bytes);
		bytes[s->io[i].op] += s->io[i].len;
	}
	/* what is counted is what was transferred */
	assert_int_equal(b->sample->op[OP_READ].bytes, bytes[OP_READ]);
	assert_int_equal(b->sample->op[OP_WRITE].bytes, bytes[OP_WRITE]);
	return s;
}

static void each_direction_has_its_size(void **state)
{
	static const enum rw patterns[] = { RW_RW, RW_RANDRW };
	struct bench *b = *state;

	for (size_t p = 0; p < ARRAY_SIZE(patterns); p++) {
		struct run_spec spec = spec_of(b, patterns[p], "8k,4k");
		const struct stream *s = stream_of(b, &spec);
		uint64_t next[2] = { 0 };

		for (size_t i = 0; i < s->n; i++) {
			const struct recorded *io = &s->io[i];

			assert_int_equal(io->len, io->op == OP_READ ? 8192 : 4096);
			assert_int_equal(io->offset % io->len, 0);
			if (patterns[p] == RW_RW)
				assert_int_equal(io->offset, next[io->op]);
			next[io->op] += io->len;
		}
		assert_int_equal(next[OP_READ], recording_bytes(&rec, OP_READ));
		/* a pass of bytes, of both together */
		assert_in_range(next[OP_READ] + next[OP_WRITE], REGION - 4096, REGION + 4096);
	}
}

/* Each direction passes over the region by itself. */
static void directions_of_two_sizes_are_permutations(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_of(b, RW_RANDRW, "8k,4k");
	unsigned char seen[2][REGION / 4096] = { 0 };
	const struct stream *s = stream_of(b, &spec);

	for (size_t i = 0; i < s->n; i++)
		assert_int_equal(seen[s->io[i].op][s->io[i].offset / 4096]++, 0);
}

/* fio 3.33 cuts I/Os where blocks are used already, unless norandommap is set; we issue what
 * was asked for. */
static void a_split_is_as_asked(void **state)
{
	static const enum rw patterns[] = { RW_READ, RW_RANDREAD, RW_RANDWRITE };
	struct bench *b = *state;

	for (size_t p = 0; p < ARRAY_SIZE(patterns); p++) {
		struct run_spec spec = spec_of(b, patterns[p], "4k/60:16k/40");
		const struct stream *s;
		size_t small, large;

		spec.region_bytes = spec.target_bytes = 16 * REGION;
		s = stream_of(b, &spec);
		small = stream_of_len(s, 4096);
		large = stream_of_len(s, 16384);
		assert_int_equal(small + large, s->n);
		assert_in_range(1000 * small / s->n, 580, 620); /* 4 standard deviations */
		for (size_t i = 0; i < s->n; i++)
			assert_int_equal(s->io[i].offset % 4096, 0);
		if (patterns[p] != RW_READ)
			assert_int_equal(stream_distinct(s), s->n); /* each offset once */
	}
}

static void a_range_holds_multiples_of_its_smallest(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_of(b, RW_RANDREAD, "4k-18k");
	const struct stream *s;

	spec.region_bytes = spec.target_bytes = 16 * REGION;
	spec.job.norandommap = 1;
	s = stream_of(b, &spec);
	for (uint32_t k = 1; k <= 4; k++)
		assert_in_range(1000 * stream_of_len(s, k * 4096) / s->n, 225, 275);
	assert_int_equal(stream_of_len(s, 4096) + stream_of_len(s, 8192) +
	                     stream_of_len(s, 12288) + stream_of_len(s, 16384),
	                 s->n);
}

static void number_ios_counts_whatever_the_size(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_of(b, RW_READ, "4k/50:64k/50");

	spec.job.number_ios = 20;
	assert_int_equal(stream_of(b, &spec)->n, 20);
}

/* The largest region that holds one of the largest I/Os, and one byte less. */
static void the_largest_must_fit(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_of(b, RW_RANDREAD, "4k:64k");

	spec.region_bytes = spec.target_bytes = 64 * KIB;
	(void)stream_of(b, &spec);
	spec.region_bytes--;
	assert_int_equal(bench_run(b, &spec), -EINVAL);
	assert_string_equal(b->err.text, "job 0: not one block of 65536 bytes fits: its region "
	                                 "starts at byte 0 and has 65535 bytes");
}

/* A file that is written in mixed sizes holds what was written: each I/O has all of its data.
 */
static void data_has_the_length_of_its_write(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_of(b, RW_WRITE, "4k:12k");
	static unsigned char zeros[4096], block[4096];
	AUTO(closep) int fd = open(b->path, O_RDWR | O_CLOEXEC);

	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(ftruncate(fd, FILE_BYTES), 0);
	rec = (struct recording){ .engine = ENGINE_PSYNC };
	spec.job.ioengine = ENGINE_PSYNC;
	spec.job.refill_buffers = 1;
	spec.region_bytes = spec.target_bytes = FILE_BYTES;
	(void)stream_of(b, &spec);
	for (off_t at = 0; at < FILE_BYTES - 12288; at += 4096) {
		assert_int_equal(pread(fd, block, sizeof(block), at), sizeof(block));
		assert_memory_not_equal(block, zeros, sizeof(block));
	}
}

/* --- random_distribution --- */

static void frequent_blocks_are_frequent(void **state)
{
	/* clang-format off */
	static const struct {
		struct distribution by;
		size_t distinct[2];
	} cases[] = { /* of 1024 blocks in 1024 I/Os */
		{ { DISTRIBUTION_ZIPF, 1.2 }, { 190, 280 } },
		{ { DISTRIBUTION_PARETO, 0.2 }, { 275, 360 } },
		{ { DISTRIBUTION_NORMAL, 10 }, { 320, 400 } },
	};
	/* clang-format on */
	struct bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct run_spec spec = spec_of(b, RW_RANDRW, NULL);
		const struct stream *s;

		spec.distribution = cases[c].by;
		spec.job.numjobs = 2;
		record_into(&rec);
		assert_int_equal(bench_run(b, &spec), 0);
		s = rec.job;
		assert_int_equal(s->n, 1024);
		assert_in_range(stream_distinct(s), cases[c].distinct[0], cases[c].distinct[1]);
		assert_other_stream(&rec.job[0], &rec.job[1]);
	}
}

/* What is left of the region at its end is no place to go back to: direct I/O could not start
 * there. */
static void steps_back_keep_to_whole_sizes(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = spec_of(b, RW_READ, "4k/50:8k/50");
	const struct stream *s;

	spec.region_bytes = spec.target_bytes = REGION + 900;
	spec.job.rw_step = -(uint64_t)(16 * KIB);
	s = stream_of(b, &spec);
	assert_true(s->n > 100);
	for (size_t i = 0; i < s->n; i++)
		assert_int_equal(s->io[i].offset % 4096, 0);
}

TEST_MAIN(RECORDED_TEST(each_direction_has_its_size),
          RECORDED_TEST(directions_of_two_sizes_are_permutations),
          RECORDED_TEST(a_split_is_as_asked),
          RECORDED_TEST(a_range_holds_multiples_of_its_smallest),
          RECORDED_TEST(number_ios_counts_whatever_the_size),
          RECORDED_TEST(the_largest_must_fit), RECORDED_TEST(steps_back_keep_to_whole_sizes),
          RECORDED_TEST(data_has_the_length_of_its_write),
          RECORDED_TEST(frequent_blocks_are_frequent))
