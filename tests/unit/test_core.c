/* The measuring core from outside: whole runs on temporary files. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/cpulist.h"
#include "base/text.h"
#include "base/units.h"
#include "run/target.h"
#include "support/core_bench.h"

static void one_pass_is_counted_exactly(void **state)
{
	static const struct {
		uint64_t bs, region, per_job;
	} cases[] = { { 4096, FILE_BYTES, 256 },
		      { 4096, 30 * KIB, 7 },
		      { 65536, FILE_BYTES, 16 },
		      { 4096, 4096, 1 } };
	struct bench *b = *state;
	const struct sample *s = b->sample;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++)
		/* files cannot be trimmed */
		for (size_t c = 0; c < ARRAY_SIZE(cases) * RW_TRIM && bench_usable(id); c++) {
			struct run_spec spec = bench_spec(b, id, (enum rw)(c % RW_TRIM));
			uint64_t ios;

			spec.job.bs = cases[c / RW_TRIM].bs;
			spec.region_bytes = cases[c / RW_TRIM].region;
			spec.job.numjobs = 1 + c % 3;
			spec.job.iodepth = c % 2 ? 1 : 8;
			assert_int_equal(bench_run(b, &spec), 0);
			ios = cases[c / RW_TRIM].per_job * spec.job.numjobs;
			assert_int_equal(s->op[OP_READ].ios + s->op[OP_WRITE].ios, ios);
			if (!rw_writes(spec.job.rw))
				assert_int_equal(s->op[OP_WRITE].ios, 0);
			if (!rw_reads(spec.job.rw))
				assert_int_equal(s->op[OP_READ].ios, 0);
			assert_int_equal(s->first_error.error, 0);
			assert_int_equal(
			    s->drain_ios + s->inflight_at_stop + s->ramp_ios + s->jobs_idle, 0);
			assert_int_equal(s->region_bytes,
			                 cases[c / RW_TRIM].per_job * spec.job.bs);
			assert_true(s->window_ns > 0);
			assert_int_equal(b->live->ios, ios);
			assert_int_equal(b->live->bytes, ios * spec.job.bs);
		}
	{
		struct stat st;

		assert_int_equal(stat(b->path, &st), 0);
		assert_int_equal(st.st_size, FILE_BYTES);
	}
}

/* One that takes more jobs, too: lanes that are kept must find their file again. */
static void each_target_has_its_jobs(void **state)
{
	enum { TARGETS = 3 };
	static const uint64_t blocks[TARGETS] = { 256, 64, 7 };
	static const unsigned jobs[] = { 1, 4, 2 };
	AUTO(freep) struct run_spec *spec = xcalloc(TARGETS, sizeof(*spec));
	struct bench *b = *state;
	const struct sample *s = b->sample;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++)
		for (size_t n = 0; n < ARRAY_SIZE(jobs) && bench_usable(id); n++) {
			uint64_t all = 0, region = 0;

			if (engine_ops(id)->caps & ENGINE_SIMULATED)
				continue;
			for (unsigned k = 0; k < TARGETS; k++) {
				spec[k] = bench_spec(b, id, RW_RANDREAD);
				spec[k].targets = TARGETS;
				spec[k].job.numjobs = jobs[n];
				spec[k].region_bytes = spec[k].target_bytes = blocks[k] * 4096;
				spec[k].seed += k;
				(void)snprintf(spec[k].path, sizeof(spec[k].path), "%s/t%u",
				               b->dir, k);
				bench_file(spec[k].path, blocks[k] * 4096);
			}
			spec[0].drop_cache = true;
			assert_int_equal(bench_run(b, spec), 0);
			assert_int_equal(s->targets, TARGETS);
			for (unsigned k = 0; k < TARGETS; k++) {
				const struct target_sum *t = &s->target[k];

				assert_int_equal(t->ios[OP_READ], jobs[n] * blocks[k]);
				assert_int_equal(t->bytes[OP_READ], t->ios[OP_READ] * 4096);
				assert_int_equal(t->errors[OP_READ], 0);
				assert_true(t->lat_max_ns[OP_READ] <=
				            s->op[OP_READ].lat.max);
				all += t->ios[OP_READ];
				region += blocks[k] * 4096;
			}
			assert_int_equal(all, s->op[OP_READ].ios);
			assert_int_equal(s->region_bytes, region);
		}
	for (unsigned k = 0; k < TARGETS; k++)
		assert_int_equal(unlink(spec[k].path), 0);
}

/* The second is cut short: the error is its own. */
static void an_error_names_its_target(void **state)
{
	AUTO(freep) struct run_spec *spec = xcalloc(2, sizeof(*spec));
	struct bench *b = *state;
	const struct sample *s = b->sample;

	for (unsigned k = 0; k < 2; k++) {
		spec[k] = bench_spec(b, ENGINE_PSYNC, RW_READ);
		spec[k].targets = 2;
	}
	(void)snprintf(spec[1].path, sizeof(spec[1].path), "%s/cut", b->dir);
	bench_file(spec[1].path, 8192);
	assert_int_equal(bench_run(b, spec), 0);
	assert_int_equal(s->first_error.error, ENODATA);
	assert_int_equal(s->first_error.offset, 8192);
	assert_int_equal(s->first_error.target, 1);
	assert_int_equal(s->target[0].errors[OP_READ], 0);
	assert_true(s->target[1].errors[OP_READ] > 0);
	assert_int_equal(unlink(spec[1].path), 0);
}

static void time_runs_have_their_window(void **state)
{
	struct bench *b = *state;
	const struct sample *s = b->sample;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		struct run_spec spec = bench_spec(b, id, RW_RANDRW);

		if (!bench_usable(id))
			continue;
		spec.job.time_based = 1;
		spec.job.ramp_time = 50 * MSEC;
		spec.job.runtime = 120 * MSEC;
		spec.job.iodepth = 4;
		spec.job.numjobs = 2;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_in_range(s->window_ns, 1, 120 * MSEC);
		assert_true(s->ramp_ios > 0);
		assert_true(s->op[OP_READ].ios > 0 && s->op[OP_WRITE].ios > 0);
		assert_in_range(s->slots, 1, 2);
		assert_int_equal(s->slot_ns, 100 * MSEC);
		assert_true(s->cpu_user_ns + s->cpu_sys_ns <= 4 * s->window_ns);
		assert_in_range(llabs(s->window_start_wall_ns - clock_wall_ns()), 0, 60 * SEC);
		assert_int_equal(b->live->ios, s->op[OP_READ].ios + s->op[OP_WRITE].ios +
		                                   s->ramp_ios + s->drain_ios);
		assert_int_equal(b->live->waiting_since_ns, 0);
	}
}

static void *stop_soon(void *live)
{
	clock_sleep_until(clock_mono_ns() + 50 * MSEC);
	atomic_store(&((struct live *)live)->stop, 1);
	return NULL;
}

static void a_stop_ends_the_run(void **state)
{
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		struct run_spec spec = bench_spec(b, id, RW_RANDREAD);
		pthread_t stopper;

		if (!bench_usable(id))
			continue;
		spec.job.time_based = 1;
		spec.job.runtime = 3600 * SEC;
		atomic_store(&b->live->stop, 0);
		assert_int_equal(pthread_create(&stopper, NULL, stop_soon, b->live), 0);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(pthread_join(stopper, NULL), 0);
		assert_true(b->sample->op[OP_READ].ios > 0);
		assert_true(b->sample->window_ns < 3600 * SEC);
	}
	/* in the ramp: no window, no numbers */
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_RANDREAD);

	spec.job.time_based = 1;
	spec.job.ramp_time = spec.job.runtime = 3600 * SEC;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->window_ns, 0);
	assert_int_equal(b->sample->op[OP_READ].ios, 0);
	atomic_store(&b->live->stop, 0);
}

static void a_runtime_caps_a_pass(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_READ);

	spec.job.io_size = INT64_MAX;
	spec.job.runtime = 30 * MSEC;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_true(b->sample->op[OP_READ].ios > 0);
	assert_in_range(b->sample->window_ns, 1, 31 * MSEC);
}

static void syncs_are_counted_apart(void **state)
{
	static const struct {
		uint64_t fsync, fdatasync, end_fsync, numjobs, syncs;
	} cases[] = { { 0, 0, 0, 1, 0 },    { 1, 0, 0, 1, 256 }, { 16, 0, 0, 1, 16 },
		      { 100, 0, 0, 1, 2 },  { 0, 0, 1, 3, 3 },   { 128, 0, 1, 2, 6 },
		      { 0, 16, 0, 1, 16 },  { 0, 100, 1, 2, 6 }, { 32, 16, 0, 1, 16 },
		      { 100, 64, 0, 1, 6 }, };
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++)
		for (size_t c = 0; c < ARRAY_SIZE(cases) && bench_usable(id); c++) {
			struct run_spec spec = bench_spec(b, id, RW_RANDWRITE);

			spec.job.fsync = cases[c].fsync;
			spec.job.fdatasync = cases[c].fdatasync;
			spec.job.end_fsync = cases[c].end_fsync;
			spec.job.numjobs = cases[c].numjobs;
			spec.job.iodepth = 8;
			assert_int_equal(bench_run(b, &spec), 0);
			assert_int_equal(b->sample->op[OP_WRITE].ios, 256 * cases[c].numjobs);
			assert_int_equal(b->sample->op[OP_SYNC].ios, cases[c].syncs);
			assert_int_equal(b->sample->op[OP_SYNC].bytes, 0);
		}
}

static void reading_past_the_end_fails_the_run(void **state)
{
	struct bench *b = *state;
	const struct sample *s = b->sample;

	assert_int_equal(truncate(b->path, 10 * 4096 + 100), 0);
	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		struct run_spec spec = bench_spec(b, id, RW_READ);

		if (!bench_usable(id) || engine_ops(id)->caps & ENGINE_NO_TARGET)
			continue;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(s->first_error.error, ENODATA);
		assert_int_equal(s->first_error.op, OP_READ);
		assert_int_equal(s->first_error.offset, 11 * 4096);
		assert_int_equal(s->first_error.len, 4096);
		assert_int_equal(s->op[OP_READ].errors, 1);
		assert_int_equal(s->op[OP_READ].ios, 11);
		assert_int_equal(s->op[OP_READ].short_ios, 1);
		assert_int_equal(s->op[OP_READ].bytes, 10 * 4096 + 100);
	}
}

static void what_cannot_be_set_up_says_why(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_READ);
	char text[256];

	spec.path[strlen(spec.path) - 1] = 'X';
	assert_int_equal(bench_run(b, &spec), -ENOENT);
	(void)snprintf(text, sizeof(text), "open %s: No such file or directory", spec.path);
	assert_string_equal(b->err.text, text);

	spec = bench_spec(b, ENGINE_PSYNC, RW_READ);
	spec.dev = spec.ino = 1;
	assert_int_equal(bench_run(b, &spec), -ESTALE);
	(void)snprintf(text, sizeof(text), "%s: is another file than before", spec.path);
	assert_string_equal(b->err.text, text);

	spec = bench_spec(b, ENGINE_PSYNC, RW_READ);
	spec.block_device = true;
	assert_int_equal(bench_run(b, &spec), -ESTALE);

	spec = bench_spec(b, ENGINE_PSYNC, RW_READ);
	spec.job.bs = 2 * FILE_BYTES;
	assert_int_equal(bench_run(b, &spec), -EINVAL);

	spec = bench_spec(b, ENGINE_IO_URING, RW_READ);
	spec.job.iodepth = 100000;
	assert_int_equal(bench_run(b, &spec), -EINVAL);
	assert_string_equal(b->err.text,
	                    "io_uring: iodepth 100000 is above the kernel's limit of 32768");

	/* and none of it stands in the way of the next run */
	spec = bench_spec(b, ENGINE_PSYNC, RW_READ);
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->op[OP_READ].ios, 256);
}

static void a_big_depth_does_not_spoil_small_ones(void **state)
{
	static const uint64_t depths[] = { 1, 2, 100000, 4, 500, 1 };
	struct bench *b = *state;

	if (!bench_usable(ENGINE_LIBAIO))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
		struct run_spec spec = bench_spec(b, ENGINE_LIBAIO, RW_RANDREAD);
		int r;

		spec.job.bs = 512;
		spec.job.iodepth = depths[i];
		r = bench_run(b, &spec);
		if (depths[i] == 100000 && r) {
			assert_int_equal(r, -EAGAIN);
			assert_non_null(strstr(b->err.text, "100000 events needed"));
			continue;
		}
		assert_int_equal(r, 0);
		assert_int_equal(b->sample->op[OP_READ].ios, 2048);
	}
}

static void a_replaced_file_is_opened_anew(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_WRITE);
	struct stat st;

	spec.job.zero_buffers = 1;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(unlink(b->path), 0);
	bench_file(b->path, FILE_BYTES / 2);
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(stat(b->path, &st), 0);
	assert_int_equal(st.st_size, FILE_BYTES);
}

static void directories_have_a_file_per_job(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_READ);

	for (unsigned i = 0; i < 3; i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), "%s/iosweep.%u.dat", b->dir, i);
		bench_file(path, FILE_BYTES);
	}
	(void)snprintf(spec.path, sizeof(spec.path), "%s", b->dir);
	spec.directory = true;
	spec.drop_cache = true;
	spec.job.numjobs = 3;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->op[OP_READ].ios, 3 * 256);
	assert_int_equal(b->sample->region_bytes, 3 * FILE_BYTES);
	assert_non_null(strstr(b->sample->effective, "cache=dropped"));
	spec.job.numjobs = 4;
	assert_int_equal(bench_run(b, &spec), -ENOENT);
	assert_non_null(strstr(b->err.text, "iosweep.3.dat: No such file or directory"));
}

/* The names of a directory may be given to something else between two runs. */
static void a_file_in_a_directory_is_ours(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_WRITE);
	char path[128], aside[160];
	struct target_made m = { 0 };
	struct stat st;

	(void)snprintf(spec.path, sizeof(spec.path), "%s/d", b->dir);
	assert_int_equal(mkdir(spec.path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/d/iosweep.0.dat", b->dir);
	(void)snprintf(aside, sizeof(aside), "%s/d/aside", b->dir);
	assert_int_equal(target_create(path, &m, &b->err), 0);
	assert_int_equal(truncate(path, FILE_BYTES), 0);
	assert_int_equal(stat(spec.path, &st), 0);
	spec.directory = true;
	spec.dev = st.st_dev;
	spec.ino = st.st_ino;
	if (target_mark(path) != TARGET_MARKED) {
		(void)unlink(path);
		(void)rmdir(spec.path);
		skip();
	}
	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(rename(path, aside), 0);
	assert_int_equal(symlink(aside, path), 0);
	assert_int_equal(bench_run(b, &spec), 0); /* it is open still, and the same file */
	assert_int_equal(unlink(path), 0);
	bench_file(path, FILE_BYTES);
	assert_int_equal(bench_run(b, &spec), -ESTALE);
	assert_non_null(
	    strstr(b->err.text, "iosweep.0.dat: is not the file that iosweep made"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(aside, path), 0);
	assert_int_equal(bench_run(b, &spec), -ELOOP);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(link(aside, path), 0);
	assert_int_equal(bench_run(b, &spec), -ESTALE); /* two names */
	spec.ino++;
	assert_int_equal(bench_run(b, &spec), -ESTALE);
	assert_non_null(strstr(b->err.text, "/d: is another directory than before"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(aside), 0);
	assert_int_equal(rmdir(spec.path), 0);
}

static void flushing_is_timed(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_WRITE);

	assert_int_equal(bench_run(b, &spec), 0);
	assert_int_equal(b->sample->flush_ns, 0);
	spec.flush = true;
	assert_int_equal(bench_run(b, &spec), 0);
	assert_true(b->sample->flush_ns > 0);
	assert_int_equal(b->sample->op[OP_SYNC].ios, 0);
}

static void many_jobs_come_and_go(void **state)
{
	static const uint64_t jobs[] = { 40, 1, 64, 2 };
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		struct run_spec spec = bench_spec(b, ENGINE_NULL, RW_RANDREAD);

		spec.job.numjobs = jobs[i];
		spec.job.iodepth = 100;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(b->sample->op[OP_READ].ios, 256 * jobs[i]);
	}
}

static unsigned zeros_in(const uint64_t *words, size_t n)
{
	unsigned zeros = 0;

	for (size_t i = 0; i < n; i++)
		zeros += words[i] == 0;
	return zeros;
}

/* All blocks of a file: how many are zero through and through; none is half empty. */
static unsigned empty_blocks(const char *path)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t block[512];
	unsigned empty = 0;

	for (off_t at = 0; at < FILE_BYTES; at += 4096) {
		unsigned zeros;

		assert_int_equal(pread(fd, block, sizeof(block), at), sizeof(block));
		zeros = zeros_in(block, 512);
		assert_true(zeros == 512 || zeros <= 4);
		empty += zeros == 512;
	}
	return empty;
}

/* What a mixed run reads (here: zeros) is never what it writes. */
static void written_data_is_our_own(void **state)
{
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		struct run_spec spec = bench_spec(b, id, RW_WRITE);

		if (!bench_usable(id) || engine_ops(id)->caps & ENGINE_NO_TARGET)
			continue;
		spec.job.iodepth = 4;
		spec.job.zero_buffers = 1;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(empty_blocks(b->path), 256);
		spec.job.zero_buffers = 0;
		spec.job.rw = RW_RANDRW;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(empty_blocks(b->path), b->sample->op[OP_READ].ios);
		spec.job.rw = RW_WRITE;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(empty_blocks(b->path), 0);
	}
}

static void direct_io_works_or_says_that_it_does_not(void **state)
{
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++)
		for (enum rw rw = 0; rw < RW_TRIM; rw++) {
			struct run_spec spec = bench_spec(b, id, rw);
			int r;

			if (!bench_usable(id))
				continue;
			spec.job.direct = 1;
			spec.job.iodepth = 16;
			r = bench_run(b, &spec);
			if (r == -EINVAL) {
				assert_non_null(
				    strstr(b->err.text, "has no O_DIRECT; use direct=0"));
				continue;
			}
			assert_int_equal(r, 0);
			assert_int_equal(
			    b->sample->op[OP_READ].ios + b->sample->op[OP_WRITE].ios, 256);
		}
}

static void has(const struct bench *b, const char *words)
{
	if (!strstr(b->sample->effective, words))
		fail_msg("'%s' is not in '%s'", words, b->sample->effective);
}

/* By default what the kernel grants, with profile fio nothing, and on demand exactly that. */
static void what_was_granted_is_recorded(void **state)
{
	static const struct {
		uint64_t profile, buffers, files;
		const char *words;
	} cases[] = {
		{ PROFILE_MAX, AXIS_UNSET, AXIS_UNSET, " fixedbufs=1 registerfiles=1 " },
		{ PROFILE_FIO, AXIS_UNSET, AXIS_UNSET, " fixedbufs=0 registerfiles=0 " },
		{ PROFILE_MAX, 0, 1, " fixedbufs=0 registerfiles=1 " },
		{ PROFILE_FIO, 1, 0, " fixedbufs=1 registerfiles=0 " },
	};
	struct bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(cases) && bench_usable(ENGINE_IO_URING); c++) {
		struct run_spec spec = bench_spec(b, ENGINE_IO_URING, RW_RANDREAD);

		spec.job.iodepth = 8;
		spec.job.profile = cases[c].profile;
		spec.job.fixedbufs = cases[c].buffers;
		spec.job.registerfiles = cases[c].files;
		job_defaults(&spec.job);
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(b->sample->op[OP_READ].ios, 256);
		has(b, "engine=io_uring flags=");
		has(b, cases[c].words);
		has(b, " depth=8 clock=");
		has(b, " buffers=32768 align=4096 huge_pages=0");
	}
}

/* Data of writes read back, whatever is registered and however much the buffers grew. */
static void registered_buffers_grow(void **state)
{
	static const uint64_t bs[] = { 4096, 65536, 8192, 262144, 4096 };
	struct bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(bs) && bench_usable(ENGINE_IO_URING); c++) {
		struct run_spec spec = bench_spec(b, ENGINE_IO_URING, RW_RANDRW);

		spec.job.bs = bs[c];
		spec.job.iodepth = 4 + c;
		spec.job.numjobs = 1 + c % 2;
		spec.job.fixedbufs = spec.job.registerfiles = 1;
		assert_int_equal(bench_run(b, &spec), 0);
		assert_int_equal(b->sample->op[OP_READ].ios + b->sample->op[OP_WRITE].ios,
		                 FILE_BYTES / bs[c] * spec.job.numjobs);
	}
}

static void jobs_stay_on_their_cpus(void **state)
{
	struct bench *b = *state;
	struct run_spec spec = bench_spec(b, ENGINE_PSYNC, RW_READ);
	cpu_set_t all;
	char words[32];
	int first;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	first = cpulist_nth(&all, 0);
	CPU_SET((size_t)first, &spec.cpus);
	spec.job.numjobs = 3;
	(void)snprintf(words, sizeof(words), " cpus=%d jobs_exceed_cpus=1", first);
	for (uint64_t policy = 0; policy < CPUS_POLICY_COUNT; policy++) {
		spec.job.cpus_allowed_policy = policy;
		assert_int_equal(bench_run(b, &spec), 0);
		has(b, words);
		assert_true(b->sample->cpus_milli <= 1000);
	}
	CPU_ZERO(&spec.cpus); /* and back */
	assert_int_equal(bench_run(b, &spec), 0);
	assert_null(strstr(b->sample->effective, "cpus=0"));
	for (size_t cpu = CPU_SETSIZE - 1; !CPU_ISSET(cpu, &all) && !CPU_COUNT(&spec.cpus);
	     cpu--)
		CPU_SET(cpu, &spec.cpus);
	if (!CPU_COUNT(&spec.cpus))
		return; /* all there can be */
	assert_int_equal(bench_run(b, &spec), -EINVAL);
	assert_string_equal(b->err.text,
	                    "cpus_allowed: job 0 cannot use CPU 1023: Invalid argument");
}

#define ON_CORE(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)

TEST_MAIN(ON_CORE(one_pass_is_counted_exactly), ON_CORE(each_target_has_its_jobs),
          ON_CORE(an_error_names_its_target), ON_CORE(time_runs_have_their_window),
          ON_CORE(what_was_granted_is_recorded), ON_CORE(registered_buffers_grow),
          ON_CORE(jobs_stay_on_their_cpus), ON_CORE(a_stop_ends_the_run),
          ON_CORE(a_runtime_caps_a_pass), ON_CORE(syncs_are_counted_apart),
          ON_CORE(reading_past_the_end_fails_the_run), ON_CORE(what_cannot_be_set_up_says_why),
          ON_CORE(a_big_depth_does_not_spoil_small_ones),
          ON_CORE(a_replaced_file_is_opened_anew), ON_CORE(directories_have_a_file_per_job),
          ON_CORE(a_file_in_a_directory_is_ours), ON_CORE(flushing_is_timed),
          ON_CORE(written_data_is_our_own), ON_CORE(direct_io_works_or_says_that_it_does_not),
          ON_CORE(many_jobs_come_and_go))
