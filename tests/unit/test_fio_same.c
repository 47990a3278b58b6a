/* A result of fio is of the same combination as the plan of its job file: options mean the same on
 * both ways. */
#include "support/test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"

#include "base/cleanup.h"
#include "config/config.h"
#include "fio/job_import.h"
#include "fio/json_import.h"
#include "fio/json_key.h"
#include "plan/plan.h"

/* One combination, as either way has it. */
struct seen {
	char *key;
	struct job job;
	char word[AXIS_COUNT][128]; /* "": the default */
};

static void keep_words(struct seen *s, const char *const word[AXIS_COUNT])
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		(void)snprintf(s->word[i], sizeof(s->word[i]), "%s", word[i] ? word[i] : "");
}

/* --- the job file --- */

static void plan_config(const struct text *config, bool directory, struct seen *out)
{
	struct config_source src = { .path = "j.json", .text = text_get(config) };
	AUTO(sweep_freep) struct sweep *sweep = NULL;
	AUTO(strlist_fini) struct strlist problems = { 0 };
	AUTO(plan_freep) struct plan *p = NULL;
	struct plan_row row;
	struct world world;
	struct err e = { 0 };

	assert_int_equal(config_load(&sweep, &src, &problems), 0);
	fixture_world(&world, sweep);
	if (directory)
		world.target[0].kind = TARGET_DIRECTORY;
	assert_int_equal(plan_new(&p, sweep, &world, 10, &e), 0);
	assert_int_equal(p->combinations, 1);
	plan_cell(p, 0, &row);
	out->key = xstrdup(row.key_text);
	out->job = row.job;
	keep_words(out, row.text.of);
	fixture_world_fini(&world);
}

static void plan_of(const char *options, struct seen *out)
{
	AUTO(text_fini) struct text ini = { 0 }, config = { 0 };
	AUTO(strlist_fini) struct strlist notes = { 0 };
	struct strlist none = { 0 };
	struct fio_wishes w = { "j.fio", &none, &none, &none };
	struct fio_jobs jobs = { 0 };
	bool directory = !strstr(options, "filename=");
	int r;

	text_addf(&ini, "[j]\n%s\n", options);
	fio_jobs_text(&jobs, "j.fio", ini.s, ini.len);
	r = fio_jobs_import(&jobs, &w, &config, &notes);
	for (size_t i = 0; i < jobs.problems.len; i++)
		print_error("%s\n", jobs.problems.item[i]);
	assert_int_equal(r, 0);
	plan_config(&config, directory, out);
	fio_jobs_fini(&jobs);
}

/* --- the result --- */

static int take(void *arg, struct json_run *run, struct err *e)
{
	struct text key = { 0 };
	struct seen *out = arg;

	(void)e;
	json_key_text(&key, &run->options);
	out->key = key.s;
	out->job = run->options.job;
	keep_words(out, (const char *const *)run->options.word);
	return 0;
}

/* The options as fio prints them: without those that have no value. */
static json_t *printed(const char *options)
{
	AUTO(freep) char *copy = xstrdup(options);
	json_t *o = json_object();
	char *left = NULL;

	for (char *line = strtok_r(copy, "\n", &left); line; line = strtok_r(NULL, "\n", &left)) {
		char *equals = strchr(line, '=');

		if (!equals)
			continue;
		*equals = '\0';
		(void)json_object_set_new(o, line, json_string(equals + 1));
	}
	return o;
}

static void import_of(const char *options, struct seen *out)
{
	json_t *document = json_pack("{s:s, s:[{s:s, s:o, s:{s:i, s:i, s:i, s:i}}]}", "fio version",
	                             "fio-3.33", "jobs", "jobname", "j", "job options",
	                             printed(options), "read", "io_bytes", 4096, "io_kbytes", 4,
	                             "total_ios", 1, "runtime", strstr(options, "time_based") ? 1000 : 1);
	AUTO(freep) char *text = json_dumps(document, 0);
	struct json_scan scan = { .text = text, .size = strlen(text), .line = 1 };
	const struct json_import how = { .take = take, .arg = out };
	struct json_document doc;
	struct err e = { 0 };

	assert_int_equal(json_scan_next(&scan, &doc, &e), 1);
	assert_int_equal(json_import(&doc, &how, &e), 0);
	json_document_fini(&doc);
	json_decref(document);
}

/* --- both --- */

/* Shares and defaults of a size are known to the plan alone. */
static bool same_values(const struct seen *a, const struct seen *b)
{
	bool same = true;

	for (size_t i = 0; i < AXIS_COUNT; i++) {
		const struct axis *x = &axes[i];

		if (x->kind == AXIS_TEXT)
			same &= !strcmp(a->word[i], b->word[i]);
		else if (x != &axes[AXIS_size] && x != &axes[AXIS_offset])
			same &= axis_value(x, &a->job) == axis_value(x, &b->job);
	}
	return same;
}

static void expect_same(const char *options)
{
	struct seen plan = { 0 }, import = { 0 };

	plan_of(options, &plan);
	import_of(options, &import);
	if (strcmp(plan.key, import.key) != 0 || !same_values(&plan, &import))
		fail_msg("%s:\n  plan   %s\n  import %s", options, plan.key, import.key);
	free(plan.key);
	free(import.key);
}

#define FILE_OF "filename=t.bin\nsize=1m\n"

/* What fio has for each axis, where the axis makes a difference. */
static const char *const of_axis[AXIS_COUNT] = {
	[AXIS_filename] = "filename=/dev/x\nsize=1m",
	[AXIS_ioengine] = "ioengine=libaio",
	[AXIS_rw] = "rw=randrw",
	[AXIS_bs] = "bs=8k",
	[AXIS_numjobs] = "numjobs=2\nrw=write",
	[AXIS_iodepth] = "iodepth=8\nioengine=libaio",
	[AXIS_direct] = "direct=1",
	[AXIS_size] = "size=50%",
	[AXIS_rwmixread] = "rwmixwrite=30\nrw=randrw",
	[AXIS_ramp_time] = "ramp_time=2\ntime_based\nruntime=1",
	[AXIS_runtime] = "runtime=1000ms\ntime_based",
	[AXIS_io_size] = "io_limit=64k",
	[AXIS_offset_increment] = "offset_increment=64k\nnumjobs=2",
	[AXIS_fsync] = "fsync=8\nrw=write",
	[AXIS_end_fsync] = "end_fsync=1\nrw=write",
	[AXIS_zero_buffers] = "zero_buffers=1\nrw=write",
	[AXIS_refill_buffers] = "refill_buffers=1\nrw=write",
	[AXIS_fixedbufs] = "fixedbufs=1\nioengine=io_uring",
	[AXIS_registerfiles] = "registerfiles=1\nioengine=io_uring",
	[AXIS_hipri] = "hipri=1\nioengine=io_uring\ndirect=1",
	[AXIS_sqthread_poll] = "sqthread_poll=1\nioengine=io_uring",
	[AXIS_iodepth_batch_submit] = "iodepth_batch=4\niodepth=8\nioengine=libaio",
	[AXIS_iodepth_batch_complete_min] = "iodepth_batch_complete_min=2\niodepth=8\nioengine=libaio",
	[AXIS_iodepth_batch_complete_max] = "iodepth_batch_complete_max=4\niodepth=8\nioengine=libaio",
	[AXIS_cpus_allowed] = "cpus_allowed=1,0",
	[AXIS_cpus_allowed_policy] = "cpus_allowed=0-1\ncpus_allowed_policy=split",
	[AXIS_fdatasync] = "fdatasync=8\nrw=write",
	[AXIS_sync] = "sync=1\nrw=write",
	[AXIS_invalidate] = "invalidate=0",
	[AXIS_fadvise_hint] = "fadvise_hint=sequential\nrw=randread",
	[AXIS_pre_read] = "pre_read=1",
	[AXIS_uncached] = "uncached=1",
	[AXIS_rate] = "rate=1m,2m,3m\nrw=rw",
	[AXIS_rate_iops] = "rate_iops=500,200,0\nrw=rw",
	[AXIS_rate_process] = "rate_process=poisson\nrate=1m",
	[AXIS_thinktime] = "thinktime=100",
	[AXIS_thinktime_spin] = "thinktime=1ms\nthinktime_spin=500usec",
	[AXIS_thinktime_blocks] = "thinktime=100\nthinktime_blocks=8",
	[AXIS_thinktime_iotime] = "thinktime=100\nthinktime_iotime=1s",
	[AXIS_buffer_pattern] = "buffer_pattern=\"ab\"\nrw=write",
	[AXIS_buffer_compress_percentage] = "buffer_compress_percentage=50\nrw=write",
	[AXIS_buffer_compress_chunk] = "buffer_compress_percentage=50\nbuffer_compress_chunk=4k\nrw=write",
	[AXIS_dedupe_percentage] = "dedupe_percentage=20\nrw=write",
	[AXIS_startdelay] = "startdelay=1",
	[AXIS_nice] = "nice=5",
	[AXIS_prioclass] = "prioclass=2",
	[AXIS_prio] = "prio=3",
	[AXIS_offset] = "offset=25%",
	[AXIS_number_ios] = "number_ios=10",
	[AXIS_bssplit] = "bssplit=4k/60:16k/40",
	[AXIS_blockalign] = "ba=16k\nrw=randread",
	[AXIS_norandommap] = "norandommap=1\nrw=randread",
	[AXIS_random_distribution] = "random_distribution=zipf\nrw=randread",
	[AXIS_percentage_random] = "percentage_sequential=20\nrw=randread",
	[AXIS_rw_step] = "rw=read:4k",
	[AXIS_randseed] = "randseed=7\nrw=randread",
	[AXIS_randrepeat] = "allrandrepeat=0\nrw=randread",
};

static bool own(size_t a)
{
	return a == AXIS_job_offset || a == AXIS_time_based || a == AXIS_profile;
}

static void each_axis_is_the_same(void **state)
{
	(void)state;
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		AUTO(text_fini) struct text options = { 0 };

		if (own(a))
			continue;
		if (!of_axis[a])
			fail_msg("%s: no option here", axes[a].name);
		text_addf(&options, "%s%s", strstr(of_axis[a], "filename=") ? "" : FILE_OF,
		          of_axis[a]);
		expect_same(options.s);
	}
}

/* Spellings, units, and what makes no difference. */
static void all_ways_to_say_it_are_the_same(void **state)
{
	static const char *const row[] = {
		FILE_OF "rw=randread:8",
		FILE_OF "rw=randread:1",
		FILE_OF "rw=write:-4k",
		FILE_OF "bs=8k,4k\nrw=randrw",
		FILE_OF "bs=8k,4k\nrw=randread",
		FILE_OF "bs=,8k\nrw=randwrite",
		FILE_OF "bs=8k,8k",
		FILE_OF "bsrange=4k-16k\nrw=randread",
		FILE_OF "bssplit=4k/50:8k/,64k\nrw=randrw",
		FILE_OF "bssplit=4k/50:8k/,64k\nrw=randwrite",
		FILE_OF "blocksize_range=4k-4k\nbs=64k",
		FILE_OF "bs=4kib",
		FILE_OF "rw=randread\nrandom_distribution=zipf:1.20",
		FILE_OF "rw=randread\nrandom_distribution=random",
		FILE_OF "rw=read\nrandom_distribution=pareto:0.2\nnorandommap=1\nrandseed=3",
		FILE_OF "rate_iops=500,200,0",
		FILE_OF "rate=,1m\nrw=randrw\nrwmixread=30",
		FILE_OF "buffer_pattern=\"ab\"",
		FILE_OF "buffer_pattern=0xDEadbeef\nrw=write\nzero_buffers=1",
		FILE_OF "prioclass=3\nprio=5",
		FILE_OF "iodepth=2\nioengine=libaio\niodepth_batch_submit=4",
		FILE_OF "iodepth=2\nioengine=libaio\niodepth_batch_complete_max=4",
		FILE_OF "iodepth=2\nioengine=libaio\niodepth_batch_complete=4",
		FILE_OF "iodepth=2\nioengine=sync",
		FILE_OF "iodepth=2\nioengine=pvsync2\niodepth_batch=4",
		FILE_OF "iodepth=2\nioengine=mmap\nrw=write\nsync=dsync",
		FILE_OF "iodepth=2\nioengine=null\ndirect=1\nprio=2",
		FILE_OF "numjobs=4\nioengine=psync",
		FILE_OF "numjobs=4\nioengine=libaio",
		FILE_OF "direct=1\ninvalidate=0",
		FILE_OF "buffered=0\nfadvise_hint=0\npre_read=1",
		FILE_OF "fadvise_hint=true\nsync=true\nend_fsync=true",
		FILE_OF "rw=trim\ndirect=1\nfsync=4",
		FILE_OF "kb_base=1000\nbs=4k\nio_size=64k\noffset=8k",
		FILE_OF "bs=4kib\nkb_base=1000",
		FILE_OF "number_ios=2k\nnumjobs=0x2\noffset=0x400kib\nsize=0x100kib",
		FILE_OF "kb_base=1024\nrate=100kb",
		FILE_OF "thinktime_spin=5\nthinktime_blocks=4",
		FILE_OF "thinktime=1\nthinktime_spin=5ms",
		FILE_OF "cpus_allowed_policy=split",
		FILE_OF "offset_increment=64k",
		FILE_OF "runtime=0",
		FILE_OF "runtime=1\ntime_based\nio_size=64k\nnumber_ios=3",
		FILE_OF "runtime=1\nramp_time=500ms\ntime_based=1",
		FILE_OF "group_reporting=1\nthread=1\noverwrite=1\ngtod_reduce=1\nstonewall",
		FILE_OF "randrepeat=1\nnice=0\nprioclass=0\nlat_percentiles=1",
		"filename=co\\:lon\\x.dat\nsize=1m",
		"filename=a b\ndirectory=/tmp\nsize=1m",
		"directory=/tmp\nsize=1m\nnumjobs=2\nrw=write",
		"size=1m\nnumjobs=2",
		"filename=/dev/x\nruntime=1\ntime_based",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++)
		expect_same(row[i]);
}

/* Sizes of a mix: bs is the largest, as of our own. */
static void a_mix_has_its_largest_size(void **state)
{
	struct seen s;

	(void)state;
	import_of(FILE_OF "bsrange=4k-16k\nrw=randread\nioengine=windowsaio", &s);
	assert_int_equal(s.job.bs, 16 * KIB);
	assert_string_equal(s.word[AXIS_bssplit], "4096-16384");
	free(s.key);
	import_of(FILE_OF "kb_base=1000\nbs=4k,8k\nrw=rw", &s);
	assert_int_equal(s.job.bs, 8000);
	assert_string_equal(s.word[AXIS_bssplit], "4000,8000");
	free(s.key);
}

TEST_MAIN(cmocka_unit_test(each_axis_is_the_same),
          cmocka_unit_test(all_ways_to_say_it_are_the_same),
          cmocka_unit_test(a_mix_has_its_largest_size))
