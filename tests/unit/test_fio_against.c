/* fio/json_against.h: numbers that cannot be of the options beside them. */
#include <string.h>

#include "support/test.h"

#include "base/cleanup.h"
#include "fio/json_against.h"

struct read_job {
	struct json_options o;
	json_t *job;
};

static struct read_job read_job(const char *options, const char *numbers)
{
	AUTO(text_fini) struct text t = { 0 };
	struct read_job r;

	text_addf(&t, "{\"job options\":{%s},%s}", options, numbers);
	r.job = json_loads(t.s, 0, NULL);
	assert_non_null(r.job);
	json_options_read(&r.o, NULL, json_object_get(r.job, "job options"));
	return r;
}

static void read_job_fini(struct read_job *r)
{
	json_options_fini(&r->o);
	json_decref(r->job);
}

#define READ(ios, bytes, runtime)                                                                  \
	"\"read\":{\"total_ios\":" #ios ",\"io_bytes\":" #bytes ",\"runtime\":" #runtime "}"

static void more_than_the_size_is_time_based(void **state)
{
	static const struct {
		const char *options, *numbers;
		bool passed;
	} cases[] = {
		{ "\"size\":\"1m\"", READ(512, 2097152, 100), true },
		{ "\"size\":\"1m\"", READ(256, 1048576, 100), false },
		{ "\"size\":\"10k\"", READ(3, 12288, 1), false }, /* the last one goes beyond it */
		{ "\"size\":\"1m\",\"numjobs\":\"2\"", READ(512, 2097152, 100), false },
		{ "\"size\":\"1m\",\"io_size\":\"4m\"", READ(1024, 4194304, 100), false },
		{ "\"size\":\"1m\",\"loops\":\"2\"", READ(512, 2097152, 100), false },
		{ "\"size\":\"50%\"", READ(512, 2097152, 100), false },
		{ "\"rw\":\"randread\"", READ(512, 2097152, 100), false },
		/* two jobs in one */
		{ "\"size\":\"1m\"", READ(512, 2097152, 100) ",\"job_runtime\":199", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct read_job r = read_job(cases[i].options, cases[i].numbers);

		if (json_passed_its_size(&r.o, r.job) != cases[i].passed)
			fail_msg("%s %s", cases[i].options, cases[i].numbers);
		read_job_fini(&r);
	}
}

static void a_sum_of_unlike_jobs_is_seen(void **state)
{
	static const struct {
		const char *options, *numbers, *why; /* NULL: none */
	} cases[] = {
		{ "\"bs\":\"64k\",\"numjobs\":\"2\"", READ(1152, 12582912, 17) ",\"job_runtime\":30",
		  "its I/Os have 10923 bytes on average, with bs=65536" },
		{ "\"bs\":\"4k\"", READ(1152, 12582912, 17),
		  "its I/Os have 10923 bytes on average, with bs=4096" },
		{ "\"bs\":\"4k\"", READ(512, 2097152, 100) ",\"job_runtime\":199",
		  "its jobs ran for 199 ms in all, which is more than numjobs=1 and 100 ms" },
		{ "\"bs\":\"4k\",\"numjobs\":\"2\"", READ(512, 2097152, 100) ",\"job_runtime\":199",
		  NULL },
		{ "\"bs\":\"4k\"", READ(512, 2097152, 1) ",\"job_runtime\":3", NULL },
		/* in flight when the ramp ended */
		{ "\"bs\":\"4k\",\"iodepth\":\"32\"", READ(480, 2097152, 100), NULL },
		{ "\"bsrange\":\"4k-16k\"", READ(1000, 9134000, 100), NULL },
		{ "\"bsrange\":\"4k-16k\"", READ(1000, 20480000, 100),
		  "its I/Os have 20480 bytes on average, with bs=16384" },
		{ "\"bs\":\"4k\"",
		  "\"read\":{\"total_ios\":1000,\"io_bytes\":2048000,\"short_ios\":500,"
		  "\"runtime\":9}",
		  NULL },
		{ "\"bs\":\"4k\"", READ(1000, 2048000, 9) ",\"error\":5", NULL },
		{ "\"bs\":\"4k\",\"verify\":\"crc32c\"", READ(512, 2097152, 100) ",\"job_runtime\":199",
		  NULL },
		{ "", READ(512, 12582912, 100) ",\"job_runtime\":199", NULL }, /* not known */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct read_job r = read_job(cases[i].options, cases[i].numbers);
		AUTO(text_fini) struct text why = { 0 };

		assert_int_equal(json_sums_unlike(&r.o, r.job, &why), cases[i].why != NULL);
		assert_string_equal(text_get(&why), cases[i].why ? cases[i].why : "");
		read_job_fini(&r);
	}
}

#define RAMP(runtime, mean, samples)                                                               \
	"\"read\":{\"total_ios\":9,\"io_bytes\":36864,\"runtime\":" #runtime                         \
	",\"lat_ns\":{\"mean\":" #mean "},\"bw_samples\":" #samples "}"

static void what_ended_in_its_ramp_is_seen(void **state)
{
	static const struct {
		const char *options, *numbers;
		bool in_ramp;
	} cases[] = {
		{ "\"ramp_time\":\"2\"", RAMP(45, 0.0, 0), true },
		{ "\"ramp_time\":\"2\"", RAMP(45, 9.5, 0), false },
		{ "\"ramp_time\":\"2\"", RAMP(45, 0.0, 2), false }, /* gtod_reduce, a bare flag */
		{ "\"ramp_time\":\"2\"", RAMP(4000, 0.0, 0), false },
		{ "\"ramp_time\":\"0\"", RAMP(45, 0.0, 0), false },
		{ "\"ramp_time\":\"2\",\"gtod_reduce\":\"1\"", RAMP(45, 0.0, 0), false },
		{ "\"ramp_time\":\"2\",\"gtod_reduce\":\"0\"", RAMP(45, 0.0, 0), true },
		{ "", RAMP(45, 0.0, 0), false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct read_job r = read_job(cases[i].options, cases[i].numbers);

		if (json_ended_in_ramp(&r.o, r.job) != cases[i].in_ramp)
			fail_msg("%s %s", cases[i].options, cases[i].numbers);
		read_job_fini(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_than_the_size_is_time_based),
		cmocka_unit_test(a_sum_of_unlike_jobs_is_seen),
		cmocka_unit_test(what_ended_in_its_ramp_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
