/* Jobs of fio that do what combinations do: read back they are the same combinations. */
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/config.h"
#include "fio/job_import.h"
#include "fio/job_write.h"
#include "support/default_job.h"

/* As a plan gives it. */
static struct job effective(void)
{
	struct job job = default_job();

	job.ioengine = ENGINE_IO_URING;
	job.rw = RW_RANDREAD;
	job.size = 64 * MIB;
	job.runtime = 10 * SEC;
	job.ramp_time = 1500 * MSEC;
	job.iodepth = 32;
	return job;
}

/* One value of each text axis, as it is stored. */
static const char *const sample[AXIS_COUNT] = {
	[AXIS_cpus_allowed] = "0-1",
	[AXIS_buffer_pattern] = "0xdeadbeef",
	[AXIS_bssplit] = "4096/60:16384/40",
	[AXIS_random_distribution] = "zipf:1.2",
};

static void write_section(struct text *out, const struct job *job, const char *path)
{
	struct fio_run run = { .label = "a b]", .job = job, .text.of[AXIS_filename] = path };
	struct fio_written w = { 0 };
	struct err e = { 0 };

	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (i != AXIS_filename && axes[i].kind == AXIS_TEXT &&
		    axis_value(&axes[i], job) != AXIS_UNSET)
			run.text.of[i] = sample[i];
	assert_int_equal(fio_run_write(&run, NULL, &w, &e), 0);
	assert_int_equal(fio_run_sections(out, run.label, &w, false, &e), 0);
	fio_written_fini(&w);
}

static bool has_line(const struct text *t, const char *line)
{
	AUTO(text_fini) struct text whole = { 0 };

	text_addf(&whole, "\n%s\n", line);
	return strstr(text_get(t), text_get(&whole)) != NULL;
}

#define HAS(t, line)                                                                           \
	do {                                                                                   \
		if (!has_line(t, line))                                                        \
			fail_msg("no line '%s' in:\n%s", line, text_get(t));                   \
	} while (0)

static void every_option_that_matters(void **state)
{
	struct job job = effective();
	struct text t = { 0 };

	(void)state;
	job_defaults(&job);
	write_section(&t, &job, "/dev/x:y");
	assert_memory_equal(text_get(&t), "[a_b_]\n", 7);
	HAS(&t, "filename=/dev/x\\:y");
	HAS(&t, "ioengine=io_uring");
	HAS(&t, "bs=4096");
	HAS(&t, "direct=1");
	HAS(&t, "iodepth=32");
	HAS(&t, "size=67108864");
	HAS(&t, "ramp_time=1500ms");
	HAS(&t, "runtime=10");
	HAS(&t, "time_based=1");
	HAS(&t, "iodepth_batch_submit=32");
	HAS(&t, "iodepth_batch_complete_min=1");
	HAS(&t, "iodepth_batch_complete_max=32");
	HAS(&t, "description=iosweep: iodepth_batch_submit=0=32 "
	        "iodepth_batch_complete_max=0=32 profile=max");
	assert_null(strstr(text_get(&t), "rwmixread"));
	assert_null(strstr(text_get(&t), "fixedbufs="));
	text_fini(&t);
}

static void as_fio_does_it(void **state)
{
	struct job job = effective();
	struct text t = { 0 };

	(void)state;
	job.profile = PROFILE_FIO;
	job_defaults(&job);
	write_section(&t, &job, "t.bin");
	HAS(&t, "iodepth_batch_submit=1");
	HAS(&t, "iodepth_batch_complete_max=1");
	assert_null(strstr(text_get(&t), "fixedbufs")); /* off in fio */
	HAS(&t, "description=iosweep: profile=fio");
	text_fini(&t);
}

/* Jobs that start at slices get them for themselves; the region is kept in what is said beside.
 */
static void slices(void **state)
{
	struct job job = effective();
	struct text t = { 0 };

	(void)state;
	job.rw = RW_WRITE;
	job.numjobs = 3;
	job.size = 10 * MIB;
	job_defaults(&job);
	write_section(&t, &job, "t.bin");
	HAS(&t, "size=3493888"); /* 853 blocks */
	HAS(&t, "offset_increment=3493888");
	HAS(&t, "overwrite=1");
	HAS(&t, "description=iosweep: size=10485760=3493888 offset_increment=0=3493888 "
	        "iodepth_batch_submit=0=32 iodepth_batch_complete_max=0=32 profile=max "
	        "job_offset=split filename=t.bin");
	text_clear(&t);
	job.job_offset = JOB_OFFSET_SAME;
	write_section(&t, &job, "t.bin");
	HAS(&t, "size=10485760");
	assert_null(strstr(text_get(&t), "offset_increment"));
	text_fini(&t);
}

/* fio has bytes; what they came from is said beside, as the key has it. */
static void as_configured(void **state)
{
	static const struct {
		const char *key, *said;
	} row[] = {
		{ "size=67108864", "description=iosweep: profile=max" },
		{ "offset=8192 size=67108864", "description=iosweep: profile=max" },
		{ "offset=8192", "description=iosweep: size==67108864=67108864 profile=max "
		                 "filename=t%20x" },
		{ "offset=1%25 size=50%25",
		  "description=iosweep: size=50%25=67108864=67108864 offset=1%25=8192=8192 "
		  "profile=max filename=t%20x" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct job job = effective();
		struct fio_run run = { .label = "a",
			               .job = &job,
			               .text.of[AXIS_filename] = "t x",
			               .key_text = row[i].key };
		struct fio_written w = { 0 };
		struct text t = { 0 };
		struct err e = { 0 };

		job.ioengine = ENGINE_PSYNC;
		job.iodepth = 1;
		job.offset = strstr(row[i].key, "offset") ? 8192 : 0;
		job_defaults(&job);
		assert_int_equal(fio_run_write(&run, NULL, &w, &e), 0);
		assert_int_equal(fio_run_sections(&t, run.label, &w, false, &e), 0);
		HAS(&t, "size=67108864");
		HAS(&t, row[i].said);
		fio_written_fini(&w);
		text_fini(&t);
	}
}

/* A job for each of several targets, begun together; read back they are one combination. */
static void several_targets(void **state)
{
	struct job job = effective();
	struct fio_run run = { .label = "both",
		               .job = &job,
		               .text.of[AXIS_filename] = "[\"a b%\",\"/dev/y\"]" };
	struct fio_written w = { 0 };
	struct text t = { 0 };
	struct err e = { 0 };

	(void)state;
	job_defaults(&job);
	assert_int_equal(fio_run_write(&run, NULL, &w, &e), 0);
	assert_int_equal(fio_run_sections(&t, run.label, &w, true, &e), 0);
	HAS(&t, "[both-2]\nfilename=/dev/y");
	assert_ptr_equal(strstr(text_get(&t), "stonewall=1\nfilename=a b%"),
	                 strstr(text_get(&t), "stonewall"));
	assert_null(strstr(strstr(text_get(&t), "[both-2]"), "stonewall"));
	HAS(&t,
	    "description=iosweep: filename=[\"a%20b%25\",\"/dev/y\"] "
	    "iodepth_batch_submit=0=32 iodepth_batch_complete_max=0=32 profile=max");
	assert_null(strstr(text_get(&t), "; size:"));
	text_clear(&t);
	fio_run_arguments(&t, run.label, &w);
	assert_memory_equal(text_get(&t), " --name=both '--filename=a b%'", 30);
	assert_non_null(strstr(text_get(&t), " --name=both-2 --filename=/dev/y "));
	fio_written_fini(&w);
	text_fini(&t);
}

static void several_targets_of_their_own_size(void **state)
{
	static const struct {
		const char *key;
		bool own;
	} row[] = { { "bs=4096", true }, { "size=50%25", true }, { "size=67108864", false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct job job = effective();
		struct fio_run run = { .label = "both",
			               .job = &job,
			               .text.of[AXIS_filename] = "[\"x\",\"y\"]",
			               .key_text = row[i].key };
		struct fio_written w = { 0 };
		struct text t = { 0 };
		struct err e = { 0 };

		job_defaults(&job);
		assert_int_equal(fio_run_write(&run, NULL, &w, &e), 0);
		assert_int_equal(fio_run_sections(&t, run.label, &w, true, &e), 0);
		assert_int_equal(strstr(text_get(&t), "; size: iosweep goes by") != NULL,
		                 row[i].own);
		fio_written_fini(&w);
		text_fini(&t);
	}
}

/* What fio would take for [global] has another name. */
static void no_name_of_fio(void **state)
{
	static const char *const row[][2] = {
		{ "global", "[_global]\n" }, { "globally fast", "[_globally_fast]\n" },
		{ "glob", "[glob]\n" },      { "Global", "[Global]\n" },
		{ "a.global", "[a.global]\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct fio_written w = { 0 };
		struct text t = { 0 }, name = { 0 };
		struct err e = { 0 };

		assert_int_equal(fio_run_sections(&t, row[i][0], &w, false, &e), 0);
		assert_string_equal(text_get(&t), row[i][1]);
		text_clear(&t);
		fio_run_arguments(&t, row[i][0], &w);
		text_addf(&name, " --name=%.*s", (int)strlen(row[i][1]) - 3, row[i][1] + 1);
		assert_string_equal(text_get(&t), name.s);
		text_fini(&name);
		text_fini(&t);
	}
}

/* Nothing is cut: what is longer than a line of fio's job files is for its command line alone. */
static void long_lines(void **state)
{
	struct job job = effective();
	struct text list = { 0 }, t = { 0 };
	struct fio_run run = { .label = "many", .job = &job };
	struct fio_written w = { 0 };
	struct err e = { 0 };

	(void)state;
	job_defaults(&job);
	for (int i = 0; i < 300; i++)
		text_addf(&list, "%s\"/dev/disk/by-id/a-long-name-of-a-disk-%03d\"",
		          i ? "," : "[", i);
	text_add(&list, "]");
	run.text.of[AXIS_filename] = list.s;
	assert_int_equal(fio_run_write(&run, NULL, &w, &e), 0);
	fio_run_arguments(&t, run.label, &w);
	assert_non_null(strstr(t.s, "-299\"] iodepth_batch_submit=0"));
	text_clear(&t);
	assert_int_equal(fio_run_sections(&t, run.label, &w, false, &e), -ENOTSUP);
	assert_non_null(strstr(e.text, "fio reads no line of more than 8191 bytes"));
	assert_int_equal(t.len, 0);
	fio_written_fini(&w);
	text_fini(&list);
	text_fini(&t);
}

static void not_for_fio(void **state)
{
	static const struct {
		enum engine_id engine;
		const char *path, *why;
	} row[] = {
		{ ENGINE_SIM, "x.json", "fio has no simulated devices" },
		{ ENGINE_PSYNC, "/tmp/${HOME}", "fio takes no such path" },
		{ ENGINE_PSYNC, "/tmp/a\nb", "fio takes no such path" },
		{ ENGINE_PSYNC, "/tmp/a;b", "begin a comment" },
		{ ENGINE_PSYNC, "[\"/tmp/a\",\"/tmp/$b\"]", "fio takes no such path" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct job job = effective();
		struct fio_run run = { .label = "a",
			               .job = &job,
			               .text.of[AXIS_filename] = row[i].path };
		struct fio_written w = { 0 };
		struct text t = { 0 };
		struct err e = { 0 };

		job.ioengine = row[i].engine;
		job_defaults(&job);
		if (!fio_run_write(&run, NULL, &w, &e))
			(void)fio_run_sections(&t, run.label, &w, false, &e);
		assert_int_equal(e.code, -ENOTSUP);
		assert_non_null(strstr(e.text, row[i].why));
		assert_int_equal(t.len, 0);
		fio_written_fini(&w);
		text_fini(&t);
	}
}

/* Is this value written? If not, the reason names it. */
static void expect_taken(enum axis_id id, uint64_t value, const char *text, const char *refusal)
{
	struct job job = effective();
	struct fio_run run = { .label = "a",
		               .job = &job,
		               .text.of[AXIS_filename] = "[\"a\",\"b\"]" };
	struct fio_written w = { 0 };
	struct err e = { 0 };

	*axis_slot(&axes[id], &job) = value;
	run.text.of[id] = text ? text : run.text.of[id];
	job_defaults(&job);
	assert_int_equal(fio_run_write(&run, NULL, &w, &e), refusal ? -ENOTSUP : 0);
	assert_string_equal(e.text, refusal ? refusal : "");
	fio_written_fini(&w);
}

static void values_that_fio_refuses(void **state)
{
	static const struct {
		const char *text, *refusal;
	} distribution[] = {
		{ "zipf:1", "random_distribution=zipf:1: fio takes any theta but 1" },
		{ "zipf:1.000001", NULL },
		{ "zipf:0.999999", NULL },
		{ "pareto:0.999999", NULL },
		{ "normal:100", "random_distribution=normal:100: fio takes deviations below 100 %" },
		{ "normal:99.999999", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(distribution); i++)
		expect_taken(AXIS_random_distribution, 0, distribution[i].text,
		             distribution[i].refusal);
	expect_taken(AXIS_fadvise_hint, FADVISE_NOREUSE, NULL,
	             "fadvise_hint=noreuse: fio has no such hint");
	expect_taken(AXIS_fadvise_hint, FADVISE_RANDOM, NULL, NULL);
	expect_taken(AXIS_numjobs, 2048, NULL, NULL); /* for each of two targets */
	expect_taken(AXIS_numjobs, 2049, NULL,
	             "numjobs=2049: fio has no more than 4096 jobs at once, over all targets");
	expect_taken(AXIS_bssplit, 0, "4096-8192", NULL);
	expect_taken(AXIS_bssplit, 0, "4096-8192,4096/100",
	             "bssplit=4096-8192,4096/100: fio takes ranges for all directions or for none");
}

/* Of a job that was imported: what runs. */
static struct job read_back(const char *text)
{
	const struct strlist none = { 0 };
	const struct fio_wishes w = {
		.name = "x", .section = &none, .sweep = &none, .without = &none
	};
	struct fio_jobs j = { 0 };
	struct strlist notes = { 0 };
	struct text config = { 0 };
	struct config_source src = { .path = "x.json" };
	struct sweep *s = NULL;
	struct job job;

	fio_jobs_text(&j, "x.fio", text, strlen(text));
	if (fio_jobs_import(&j, &w, &config, &notes))
		fail_msg("%s: in\n%s", j.problems.item[0], text);
	src.text = text_get(&config);
	assert_int_equal(config_load(&s, &src, &j.problems), 0);
	for (size_t i = 0; i < AXIS_COUNT; i++) {
		assert_int_equal(s->axis[i].len, 1);
		*axis_slot(&axes[i], &job) = s->axis[i].val[0];
		if (sample[i] && s->axis[i].given)
			assert_string_equal(sweep_text(s, &axes[i], s->axis[i].val[0]),
			                    sample[i]);
	}
	job_take_apart(&job);
	job_defaults(&job);
	sweep_free(s);
	text_fini(&config);
	strlist_fini(&notes);
	fio_jobs_fini(&j);
	return job;
}

static void expect_same(const struct job *want)
{
	struct text t = { 0 };
	struct job got;

	write_section(&t, want, "t.bin");
	got = read_back(text_get(&t));
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (axis_value(&axes[i], &got) != axis_value(&axes[i], want))
			fail_msg("%s is %llu, not %llu, after\n%s", axes[i].name,
			         (unsigned long long)axis_value(&axes[i], &got),
			         (unsigned long long)axis_value(&axes[i], want), text_get(&t));
	text_fini(&t);
}

/* One that the axis takes, and is not `v`. */
static uint64_t other_value(const struct axis *a, uint64_t v)
{
	switch (a->kind) {
	case AXIS_TEXT:
		return 0;
	case AXIS_BOOL:
	case AXIS_ENUM:
		return v != 1;
	case AXIS_TIME:
		return 250 * MSEC;
	case AXIS_SIZE:
	case AXIS_SIZE_OR_PERCENT:
	case AXIS_SIGNED:
		return 16 * KIB;
	case AXIS_INT:
	case AXIS_PERCENT:
		break;
	}
	return v == 3 ? 5 : 3;
}

/* Each axis at another value than its default, in a job where it matters. */
static void read_back_it_is_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < AXIS_COUNT; i++) {
		const struct axis *a = &axes[i];
		struct job job = effective();
		uint64_t *slot = axis_slot(a, &job);

		if (i == AXIS_filename || i == AXIS_time_based || i == AXIS_ioengine)
			continue;
		job.rw = RW_RW;
		job.rwmixread = 70;
		job.numjobs = 2;
		if (a->kind == AXIS_TEXT && !sample[i])
			continue;
		*slot = other_value(a, *slot);
		if (i == AXIS_cpus_allowed_policy)
			job.cpus_allowed = 0;
		if (i == AXIS_io_size) {
			job.time_based = 0;
			job.ramp_time = 0;
		}
		if (!rw_mixed(job.rw))
			job.rwmixread = 50;
		job_defaults(&job);
		expect_same(&job);
	}
}

TEST_MAIN(cmocka_unit_test(every_option_that_matters), cmocka_unit_test(as_fio_does_it),
          cmocka_unit_test(slices), cmocka_unit_test(as_configured),
          cmocka_unit_test(several_targets),
          cmocka_unit_test(several_targets_of_their_own_size),
          cmocka_unit_test(no_name_of_fio),
          cmocka_unit_test(long_lines),
          cmocka_unit_test(not_for_fio), cmocka_unit_test(values_that_fio_refuses),
          cmocka_unit_test(read_back_it_is_the_same))
