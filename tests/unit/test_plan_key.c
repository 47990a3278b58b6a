/* Keys are stored in databases: these texts and ids never change. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "plan/key.h"
#include "support/default_job.h"

static struct job plain(void)
{
	struct job job = default_job();

	job.ioengine = ENGINE_LIBAIO;
	job.rw = RW_RANDREAD;
	job.size = GIB;
	job.runtime = 30 * SEC;
	job_defaults(&job);
	return job;
}

static void expect(const struct job *job, uint64_t raw_size, const char *filename,
                   const char *text)
{
	struct job_text names = { .of = { [AXIS_filename] = filename, [AXIS_cpus_allowed] = "0-3" } };
	struct text key = { 0 };

	key_text(job, &(struct key_raw){ raw_size, job->offset }, &names, &key);
	assert_string_equal(key.s, text);
	text_fini(&key);
}

static void only_what_differs_from_a_default(void **state)
{
	struct job job = plain();

	(void)state;
	expect(&job, AXIS_UNSET, "/dev/x",
	       "filename=/dev/x ioengine=libaio runtime=30 rw=randread");
	job.bs = 64 * KIB;
	job.numjobs = 4;
	job.iodepth = 32;
	job.direct = 0;
	expect(&job, AXIS_UNSET, "/dev/x",
	       "bs=65536 direct=0 filename=/dev/x iodepth=32 ioengine=libaio numjobs=4 "
	       "runtime=30 rw=randread");
}

static void ramp_differs_from_a_fifth_of_the_runtime(void **state)
{
	struct job job = plain();

	(void)state;
	job.ramp_time = 5 * SEC;
	expect(&job, AXIS_UNSET, "f",
	       "filename=f ioengine=libaio ramp_time=5 runtime=30 rw=randread");
	job.ramp_time = 0;
	expect(&job, AXIS_UNSET, "f",
	       "filename=f ioengine=libaio ramp_time=0 runtime=30 rw=randread");
	job.runtime = SEC / 2;
	job.ramp_time = SEC / 10;
	expect(&job, AXIS_UNSET, "f", "filename=f ioengine=libaio runtime=0.5 rw=randread");
}

static void size_as_configured(void **state)
{
	struct job job = plain();

	(void)state;
	expect(&job, SIZE_PERCENT | 50, "f",
	       "filename=f ioengine=libaio runtime=30 rw=randread size=50%25");
	expect(&job, GIB, "f",
	       "filename=f ioengine=libaio runtime=30 rw=randread size=1073741824");
}

static void bound_by_size(void **state)
{
	struct job job = plain();

	(void)state;
	job.time_based = 0;
	job.ramp_time = 0;
	job.runtime = AXIS_UNSET;
	job.io_size = MIB;
	expect(&job, AXIS_UNSET, "f",
	       "filename=f io_size=1048576 ioengine=libaio rw=randread time_based=0");
}

static void odd_names_cannot_forge_a_field(void **state)
{
	struct job job = plain();

	(void)state;
	expect(&job, AXIS_UNSET, "a b=c%\n",
	       "filename=a%20b%3Dc%25%0A ioengine=libaio runtime=30 rw=randread");
}

static void a_value_is_decoded_to_what_it_was(void **state)
{
	static const struct {
		const char *text, *value;
	} odd[] = {
		{ "100%", "100%" },  { "%2", "%2" },      { "%zz%20", "%zz " },
		{ "%00a", "%00a" }, { "%3d%41", "=A" },
	};
	AUTO(text_fini) struct text t = { 0 };
	char all[256];

	(void)state;
	for (int i = 0; i < 255; i++)
		all[i] = (char)(i + 1);
	all[255] = '\0';
	key_encode(&t, all);
	for (size_t i = 0; i < t.len; i++)
		assert_true((unsigned char)t.s[i] > 0x20 && t.s[i] != '=');
	key_decode(t.s);
	assert_string_equal(t.s, all);
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		(void)snprintf(all, sizeof(all), "%s", odd[i].text);
		key_decode(all);
		assert_string_equal(all, odd[i].value);
	}
}

/* Each text as long as a config takes it, with every byte encoded, and all other axes named. */
static void the_longest_of_all_is_not_cut(void **state)
{
	struct job job = plain();
	char longest[AXIS_TEXT_MAX];
	struct job_text texts;
	struct text key = { 0 };

	(void)state;
	memset(longest, ' ', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		texts.of[a] = longest;
		*axis_slot(&axes[a], &job) = axes[a].kind == AXIS_TEXT ? 0 : axes[a].max;
	}
	key_text(&job, &(struct key_raw){ INT64_MAX, INT64_MAX }, &texts, &key);
	assert_in_range(key.len, 5 * 3 * (AXIS_TEXT_MAX - 1), KEY_TEXT_MAX - 1);
	assert_string_equal(key.s + key.len - strlen(" zero_buffers=1"), " zero_buffers=1");
	text_fini(&key);
}

/* An imported job may bring longer texts than a config does. */
static void a_difference_at_the_end_is_another_key(void **state)
{
	struct job job = plain();
	char name[2 * AXIS_TEXT_MAX];
	struct job_text names = { .of = { [AXIS_filename] = name } };
	struct combination_key key[2];

	(void)state;
	memset(name, ' ', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (size_t i = 0; i < 2; i++) {
		struct text t = { 0 };

		name[sizeof(name) - 2] = (char)('a' + i);
		key_text(&job, &(struct key_raw){ AXIS_UNSET, job.offset }, &names, &t);
		key_hash(t.s, &key[i]);
		text_fini(&t);
	}
	assert_memory_not_equal(key[0].bytes, key[1].bytes, KEY_BYTES);
}

static void hash_of_a_text(void **state)
{
	static const struct {
		const char *text, *id;
		uint8_t first, last;
	} cases[] = {
		{ "", "c99aa06d30147", 0x99,
		  0x7f }, /* the published test vector of XXH3's 128 bits */
		{ "filename=/dev/x ioengine=libaio runtime=30 rw=randread", "c07a7e5339631",
		  0x07, 0x0a },
		{ "bs=65536 direct=0 filename=/dev/x iodepth=32 ioengine=libaio numjobs=4 "
		  "runtime=30 rw=randread",
		  "c73764c979d8e", 0x73, 0x78 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct combination_key key;

		key_hash(cases[i].text, &key);
		assert_string_equal(key.id, cases[i].id);
		assert_int_equal(key.bytes[0], cases[i].first);
		assert_int_equal(key.bytes[KEY_BYTES - 1], cases[i].last);
	}
}

TEST_MAIN(cmocka_unit_test(a_value_is_decoded_to_what_it_was),
          cmocka_unit_test(only_what_differs_from_a_default),
          cmocka_unit_test(ramp_differs_from_a_fifth_of_the_runtime),
          cmocka_unit_test(size_as_configured), cmocka_unit_test(bound_by_size),
          cmocka_unit_test(odd_names_cannot_forge_a_field), cmocka_unit_test(hash_of_a_text),
          cmocka_unit_test(the_longest_of_all_is_not_cut),
          cmocka_unit_test(a_difference_at_the_end_is_another_key))
