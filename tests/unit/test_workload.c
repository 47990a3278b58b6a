#include "support/test.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "run/workload.h"
#include "support/default_job.h"

static struct run_spec spec_of(enum rw rw, uint64_t bs, uint64_t region)
{
	struct run_spec s = { .job = default_job(),
		              .region_bytes = region,
		              .target_bytes = region,
		              .seed = 42 };

	s.job.ioengine = ENGINE_PSYNC;
	s.job.rw = rw;
	s.job.bs = bs;
	s.job.time_based = 0;
	job_defaults(&s.job);
	return s;
}

static void next_io(struct workload *w, struct io *io)
{
	workload_place(w, workload_op(w), io);
}

static void assert_covers(const struct run_spec *s, uint64_t ios)
{
	unsigned char seen[256] = { 0 };
	struct workload w;
	struct io io;

	assert_int_equal(workload_init(&w, s, 0, NULL), 0);
	assert_int_equal(w.left, ios);
	while (w.left) {
		next_io(&w, &io);
		assert_true(io.offset + s->job.bs <= s->region_bytes);
		assert_int_equal(io.offset % s->job.bs, 0);
		assert_int_equal(seen[io.offset / s->job.bs]++, 0);
	}
	assert_int_equal(workload_bytes(s), ios * s->job.bs);
}

static void one_pass_covers_the_region(void **state)
{
	/* clang-format off */
	static const struct {
		uint64_t bs, region, ios;
	} cases[] = {
		{ 4096, MIB, 256 }, { 4096, 30 * KIB, 7 }, { 4096, 4096, 1 }, { 512, 4097, 8 }, { 1000, 64 * KIB, 65 },
	};
	/* clang-format on */
	static const enum rw patterns[] = { RW_READ, RW_WRITE, RW_RANDREAD, RW_RANDWRITE,
		                            RW_RANDRW };

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++)
		for (size_t p = 0; p < ARRAY_SIZE(patterns); p++) {
			struct run_spec s = spec_of(patterns[p], cases[c].bs, cases[c].region);

			assert_covers(&s, cases[c].ios);
		}
}

static void io_size_sets_the_amount(void **state)
{
	static const struct {
		uint64_t io_size, ios;
	} cases[] = { { 4096, 1 }, { 10000, 2 }, { 100, 1 }, { 4 * MIB, 1024 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run_spec s = spec_of(RW_RANDREAD, 4096, MIB);
		struct workload w;

		s.job.io_size = cases[i].io_size;
		assert_int_equal(workload_init(&w, &s, 0, NULL), 0);
		assert_int_equal(w.left, cases[i].ios);
		s.job.time_based = 1;
		assert_int_equal(workload_init(&w, &s, 0, NULL), 0);
		assert_true(w.left == UINT64_MAX);
	}
}

static uint64_t first_offset(const struct run_spec *s, unsigned job)
{
	struct workload w;
	struct io io;

	assert_int_equal(workload_init(&w, s, job, NULL), 0);
	next_io(&w, &io);
	return io.offset;
}

static void split_starts_at_slices_and_wraps(void **state)
{
	struct run_spec s = spec_of(RW_READ, 4096, 10 * 4096);
	struct workload w;
	struct io io;

	(void)state;
	s.job.numjobs = 4;
	for (unsigned job = 0; job < 4; job++) {
		uint64_t want = job * 10 / 4;

		assert_int_equal(workload_init(&w, &s, job, NULL), 0);
		assert_int_equal(w.left, 10);
		for (; w.left; want = (want + 1) % 10) {
			next_io(&w, &io);
			assert_int_equal(io.offset, want * 4096);
		}
	}
	s.job.job_offset = JOB_OFFSET_SAME;
	assert_int_equal(first_offset(&s, 3), 0);
	s.job.job_offset = JOB_OFFSET_SPLIT;
	assert_int_equal(first_offset(&s, 3), 7 * 4096);
	s.directory = true; /* a file of its own: nothing to split */
	assert_int_equal(first_offset(&s, 3), 0);
}

static void directions_walk_by_themselves(void **state)
{
	struct run_spec s = spec_of(RW_RW, 4096, 64 * 4096);
	uint64_t next[2] = { 0 };
	struct workload w;
	struct io io;

	(void)state;
	assert_int_equal(workload_init(&w, &s, 0, NULL), 0);
	while (w.left) {
		next_io(&w, &io);
		assert_in_range(io.op, OP_READ, OP_WRITE);
		assert_int_equal(io.offset, next[io.op]++ * 4096);
	}
	assert_true(next[0] > 0 && next[1] > 0);
	assert_int_equal(next[0] + next[1], 64);
}

static void mix_is_as_asked(void **state)
{
	static const uint64_t mixes[] = { 0, 1, 30, 50, 99, 100 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mixes); i++) {
		struct run_spec s = spec_of(RW_RANDRW, 4096, 20000 * 4096);
		unsigned count[2] = { 0 };
		struct workload w;
		struct io io;

		s.job.rwmixread = mixes[i];
		assert_int_equal(workload_init(&w, &s, 0, NULL), 0);
		while (w.left) {
			next_io(&w, &io);
			count[io.op]++;
		}
		if (mixes[i] == 0 || mixes[i] == 100)
			assert_int_equal(count[mixes[i] == 100], 0);
		else
			assert_in_range(count[OP_READ], mixes[i] * 200 - 199,
			                mixes[i] * 200 + 200);
	}
}

static void draw_offsets(const struct run_spec *s, unsigned job, uint64_t out[1000])
{
	struct workload w;
	struct io io;

	assert_int_equal(workload_init(&w, s, job, NULL), 0);
	for (int i = 0; i < 1000; i++) {
		next_io(&w, &io);
		out[i] = io.offset;
	}
}

static unsigned alike(const uint64_t a[1000], const uint64_t b[1000])
{
	unsigned n = 0;

	for (int i = 0; i < 1000; i++)
		n += a[i] == b[i];
	return n;
}

static void jobs_and_seeds_differ(void **state)
{
	struct run_spec s = spec_of(RW_RANDREAD, 4096, 1000 * 4096);
	uint64_t first[1000], other[1000];

	(void)state;
	draw_offsets(&s, 0, first);
	draw_offsets(&s, 1, other);
	assert_in_range(alike(first, other), 0, 20);
	draw_offsets(&s, 0, other);
	assert_int_equal(alike(first, other), 1000);
	s.seed++;
	draw_offsets(&s, 0, other);
	assert_in_range(alike(first, other), 0, 20);
}

static void increments_shift_and_clip(void **state)
{
	struct run_spec s = spec_of(RW_READ, 4096, 64 * KIB);
	struct err e = { 0 };
	struct region r;

	(void)state;
	s.target_bytes = 128 * KIB;
	s.job.offset_increment = 40 * KIB;
	s.job.numjobs = 4;
	assert_int_equal(workload_region(&r, &s, 1, &e), 0);
	assert_int_equal(r.start, 40 * KIB);
	assert_int_equal(r.bytes, 64 * KIB);
	assert_int_equal(workload_region(&r, &s, 2, &e), 0); /* 80k .. 128k */
	assert_int_equal(r.bytes, 48 * KIB);
	assert_int_equal(workload_region(&r, &s, 3, &e), 0); /* 120k .. 128k */
	assert_int_equal(r.bytes, 8 * KIB);
	assert_int_equal(workload_bytes(&s), 128 * KIB);
	assert_int_equal(workload_region(&r, &s, 4, &e), -EINVAL);
	assert_string_equal(e.text, "job 4: not one block of 4096 bytes fits: its region "
	                            "starts at byte 163840 and has 0 bytes");
}

static void offsets_never_leave_the_region(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 17);
	for (int i = 0; i < 2000; i++) {
		uint64_t bs = 1 + rng_below(&r, 20000), region = 1 + rng_below(&r, 1 << 20),
			 start;
		struct run_spec s = spec_of((enum rw)rng_below(&r, RW_COUNT), bs, region);
		struct workload w;
		struct io io;
		unsigned job;

		s.job.numjobs = 1 + rng_below(&r, 8);
		s.target_bytes = region + rng_below(&r, region);
		s.job.offset_increment = rng_below(&r, 3) ? 0 : rng_below(&r, 100000);
		s.job.time_based = 1;
		job = (unsigned)rng_below(&r, s.job.numjobs);
		start = job * s.job.offset_increment;
		if (workload_init(&w, &s, job, NULL))
			continue;
		for (int k = 0; k < 200; k++) {
			next_io(&w, &io);
			assert_true(io.offset >= start && io.offset + bs <= start + region);
			assert_true(io.offset + bs <= s.target_bytes);
		}
	}
}

TEST_MAIN(cmocka_unit_test(one_pass_covers_the_region),
          cmocka_unit_test(io_size_sets_the_amount),
          cmocka_unit_test(split_starts_at_slices_and_wraps),
          cmocka_unit_test(directions_walk_by_themselves), cmocka_unit_test(mix_is_as_asked),
          cmocka_unit_test(jobs_and_seeds_differ), cmocka_unit_test(increments_shift_and_clip),
          cmocka_unit_test(offsets_never_leave_the_region))
