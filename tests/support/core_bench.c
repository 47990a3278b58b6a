#include "support/core_bench.h"

#include "support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "support/default_job.h"

void bench_file(const char *path, uint64_t bytes)
{
	AUTO(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct rng r;

	rng_seed(&r, bytes);
	for (uint64_t at = 0; at < bytes; at += sizeof(uint64_t) * 512) {
		uint64_t block[512];

		for (int i = 0; i < 512; i++)
			block[i] = rng_next(&r);
		assert_int_equal(pwrite(fd, block, sizeof(block), (off_t)at), sizeof(block));
	}
}

int bench_setup(void **state)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	memcpy(b->dir, "/tmp/iosweep-core.XXXXXX", 25);
	if (!mkdtemp(b->dir))
		return -1;
	(void)snprintf(b->path, sizeof(b->path), "%s/file", b->dir);
	bench_file(b->path, FILE_BYTES);
	b->live = xcalloc(1, sizeof(*b->live));
	b->sample = xcalloc(1, sizeof(*b->sample));
	memset(b->sample, 0xaa, sizeof(*b->sample)); /* the caller need not clear it */
	*state = b;
	return core_new(&b->core, b->live, &b->err);
}

int bench_teardown(void **state)
{
	struct bench *b = *state;
	DIR *d = opendir(b->dir);
	struct dirent *entry;

	core_free(b->core);
	while (d && (entry = readdir(d)))
		(void)unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		(void)closedir(d);
	(void)rmdir(b->dir);
	free(b->live);
	free(b->sample);
	free(b);
	return 0;
}

bool bench_usable(uint64_t engine)
{
	struct err e = { 0 };

	if (!engine_ops(engine)->probe(&e))
		return true;
	print_message("%s: not usable here: %s\n", engine_name(engine), e.text);
	return false;
}

struct sim_device bench_device(uint64_t service_ns)
{
	struct sim_device d = { .size_bytes = GIB, .servers = 1, .seed = 1 };

	for (int op = 0; op < OP_COUNT; op++)
		d.service[op].base_ns = service_ns;
	d.noise.slot_ns = 100 * MSEC;
	return d;
}

struct run_spec bench_spec(const struct bench *b, uint64_t engine, enum rw rw)
{
	struct run_spec s = { .job = default_job(),
		              .region_bytes = FILE_BYTES,
		              .target_bytes = FILE_BYTES,
		              .seed = 42 };

	s.job.ioengine = engine;
	s.sim = bench_device(100 * USEC);
	s.job.rw = rw;
	s.job.direct = 0;
	s.job.time_based = 0;
	job_defaults(&s.job);
	(void)snprintf(s.path, sizeof(s.path), "%s", b->path);
	return s;
}

static void check_series(const struct sample *s)
{
	for (int op = 0; op < OP_COUNT; op++) {
		uint64_t ios = 0, bytes = 0, sum = 0;

		for (uint32_t i = 0; i < s->slots; i++) {
			ios += s->slot[i].ios[op];
			bytes += s->slot[i].bytes[op];
			sum += s->slot[i].lat_sum_ns[op];
		}
		assert_int_equal(ios, s->op[op].ios);
		assert_int_equal(bytes, s->op[op].bytes);
		assert_int_equal(sum, s->op[op].lat.sum);
	}
}

static void check_histogram(const struct op_sample *o)
{
	uint64_t n = o->lat.overflow;

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		n += o->lat.bucket[i];
	assert_int_equal(n, o->ios);
	assert_int_equal(o->lat.n, o->ios);
	assert_true(o->lat.min <= o->lat.max);
	assert_true(o->lat.sum >= o->lat.min * o->ios && o->lat.sum <= o->lat.max * o->ios);
}

int bench_run(struct bench *b, const struct run_spec *spec)
{
	const struct sample *s = b->sample;
	uint64_t depth =
	    engine_ops(spec->job.ioengine)->caps & ENGINE_ASYNC ? spec->job.iodepth : 1;
	int r;

	b->err = (struct err){ 0 };
	r = core_run(b->core, spec, b->sample, &b->err);
	assert_int_equal(b->live->phase, LIVE_DONE);
	if (r) {
		assert_int_equal(b->err.code, r);
		return r;
	}
	assert_int_equal(b->err.code, 0);
	for (int op = 0; op < OP_COUNT; op++) {
		check_histogram(&s->op[op]);
		assert_true(s->op[op].short_ios || op == OP_SYNC || spec->sizes ||
		            s->op[op].bytes == s->op[op].ios * spec->job.bs);
	}
	check_series(s);
	assert_int_equal(s->jobs, spec->job.numjobs * run_targets(spec));
	assert_true(s->inflight_ns <=
	            (s->window_ns + 1) * s->jobs * depth); /* a mean, rounded down */
	assert_true(s->longest_gap_ns <= s->window_ns);
	assert_true(s->drain_ios <= s->inflight_at_stop + s->jobs); /* and an end_fsync */
	assert_true(s->effective[0]);
	return 0;
}
