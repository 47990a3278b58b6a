/* The axis table, and values in its words. */
#include "support/test.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/settings.h"
#include "model/direction.h"

static bool identifier(const char *s, size_t n)
{
	if (*s < 'a' || *s > 'z')
		return false;
	for (size_t i = 0; i < n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_", s[i]))
			return false;
	return true;
}

/* Each key of a space-separated list (may be NULL) is an identifier and finds this axis only.
 */
static void expect_keys(const struct axis *a, const char *keys)
{
	char word[64];

	for (const char *p = keys; p && *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		assert_true(n < sizeof(word));
		assert_true(identifier(p, n));
		memcpy(word, p, n);
		word[n] = '\0';
		assert_ptr_equal(axis_find(word), a);
		/* the one name in both tables is the setting that is stored as an axis */
		if (setting_find(word))
			assert_true(a->setting);
	}
}

static void stored_times_are_in_ns(void **state)
{
	(void)state;
	assert_string_equal(axis_stored_name(&axes[AXIS_ramp_time]), "ramp_time_ns");
	assert_string_equal(axis_stored_name(&axes[AXIS_bs]), "bs");
}

static void table_is_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < AXIS_COUNT; i++) {
		const struct axis *a = &axes[i];
		uint64_t v = axis_default(a), parsed;

		expect_keys(a, a->name);
		expect_keys(a, a->alias);
		expect_keys(a, a->inverse);
		expect_keys(a, a->complement);
		assert_true(strlen(a->help) > 5);
		assert_true(a->def || a->def_text);
		if (a->kind == AXIS_TEXT) {
			assert_int_equal(v, AXIS_UNSET);
			assert_true(a->canonical || a == &axes[AXIS_filename]);
		} else if (a->def) {
			assert_int_equal(axis_parse(a, a->name, a->def, &parsed, NULL), 0);
			assert_int_equal(parsed, v);
			assert_in_range(v, a->min, a->max);
		} else {
			assert_int_equal(v, AXIS_UNSET);
		}
		assert_int_equal(a->off, i * sizeof(uint64_t));
	}
}

static void settings_are_sound(void **state)
{
	(void)state;
	assert_in_range(setting_count, 10, 32);
	assert_string_equal(settings[0].name, "benchmark_type");
	for (size_t i = 0; i < setting_count; i++) {
		assert_true(identifier(settings[i].name, strlen(settings[i].name)));
		assert_ptr_equal(setting_find(settings[i].name), &settings[i]);
		assert_null(axis_find(settings[i].name));
		assert_true(*settings[i].help && *settings[i].def && *settings[i].value);
	}
	assert_ptr_equal(setting_find("time_based"), &settings[0]);
	assert_null(setting_find("bs"));
}

static void keys_find_axes(void **state)
{
	static const struct {
		const char *key;
		enum axis_id axis;
	} row[] = { { "filename", AXIS_filename },    { "volumes", AXIS_filename },
		    { "directory", AXIS_filename },   { "ioengines", AXIS_ioengine },
		    { "readwrite", AXIS_rw },         { "blocksize", AXIS_bs },
		    { "iodepths", AXIS_iodepth },     { "buffered", AXIS_direct },
		    { "rwmixwrite", AXIS_rwmixread }, { "timeout", AXIS_runtime },
		    { "io_limit", AXIS_io_size } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++)
		assert_ptr_equal(axis_find(row[i].key), &axes[row[i].axis]);
	assert_null(axis_find("volume"));
	assert_null(axis_find(""));
	assert_null(axis_find("volumes directory"));
	assert_null(axis_find("RW"));
}

static void values(void **state)
{
	static const struct {
		const char *key, *text;
		int result;
		uint64_t value;
		const char *error; /* or how the value prints */
	} row[] = {
		{ "bs", "4k", 0, 4096, "4096" },
		{ "bs", "1g", 0, GIB, "1073741824" },
		{ "bs", "0", -ERANGE, 0,
		  "'0': out of range; allowed: whole bytes with an optional suffix k, m, g, t "
		  "(powers of 1024), at least 1, at most 1g" },
		{ "size", "50%", 0, SIZE_PERCENT | 50, "50%" },
		{ "size", "1m", 0, MIB, "1048576" },
		{ "size", "101%", -ERANGE, 0, NULL },
		{ "size", "100%%", -EINVAL, 0, NULL },
		{ "io_size", "50%", -EINVAL, 0, NULL },
		{ "numjobs", "65535", 0, 65535, "65535" },
		{ "numjobs", "0", -ERANGE, 0, "'0': out of range; allowed: 1..65535" },
		{ "iodepth_batch_submit", "257", -ERANGE, 0,
		  "'257': out of range; allowed: 0..256" },
		{ "iodepth_batch_submit", "256", 0, 256, "256" },
		{ "iodepth_batch_complete_min", "257", -ERANGE, 0,
		  "'257': out of range; allowed: 0..256" },
		{ "iodepth_batch_complete_max", "257", -ERANGE, 0,
		  "'257': out of range; allowed: 0..256" },
		{ "iodepth", "x", -EINVAL, 0, "'x': not a valid value; allowed: 1..1000000" },
		{ "direct", "true", 0, 1, "1" },
		{ "direct", "0", 0, 0, "0" },
		{ "buffered", "true", 0, 0, "0" },
		{ "buffered", "0", 0, 1, "1" },
		{ "direct", "yes", -EINVAL, 0,
		  "'yes': not a valid value; allowed: 0, 1, true or false" },
		{ "rwmixread", "70", 0, 70, "70" },
		{ "rwmixwrite", "70", 0, 30, "30" },
		{ "rwmixwrite", "101", -ERANGE, 0, "'101': out of range; allowed: 0..100 %" },
		{ "rw", "randrw", 0, RW_RANDRW, "randrw" },
		{ "rw", "readwrite", 0, RW_RW, "rw" },
		{ "rw", "", -EINVAL, 0, NULL },
		{ "rw", "r", -EINVAL, 0,
		  "'r': not a valid value; allowed: read, randread, rw, randrw, write, "
		  "randwrite, trim, randtrim, trimwrite, randtrimwrite" },
		{ "ioengine", "sync", 0, ENGINE_PSYNC, "psync" },
		{ "ioengine", "sync=psync", -EINVAL, 0, NULL },
		{ "ioengine", "null", 0, ENGINE_NULL, "null" },
		{ "job_offset", "same", 0, JOB_OFFSET_SAME, "same" },
		{ "runtime", "500ms", 0, SEC / 2, "0.5" },
		{ "runtime", "366d", 0, MAX_TIME_NS, "31622400" },
		{ "runtime", "367d", -ERANGE, 0, NULL },
		{ "runtime", "0", -ERANGE, 0,
		  "'0': out of range; allowed: more than 0, up to 366 days: seconds, or with "
		  "ms, s, m (minutes), h, d" },
		{ "ramp_time", "0", 0, 0, "0" },
		{ "offset_increment", "0", 0, 0, "0" },
		{ "rate", "8m", 0, 8 * MIB, "8388608" },
		{ "rate", "2t", -ERANGE, 0, NULL },
		{ "rate_iops", "0", 0, 0, "0" },
		{ "rate_iops", "1000,1000", 0, 1000, "1000" },
		{ "rate_iops", "1,2,3", -EINVAL, 0,
		  "'1,2,3': not a valid value; allowed: 0..1073741824; or \"READ,WRITE\", or "
		  "{\"read\": A, \"write\": B}" },
		{ "rate_iops", "1,x", -EINVAL, 0, NULL },
		{ "rate_iops", "1,2000000000", -ERANGE, 0, NULL },
		{ "iodepth", "1,2", -EINVAL, 0, NULL },
		{ "thinktime", "500", 0, 500 * USEC, "0.0005" }, /* as in fio */
		{ "thinktime", "0.5", 0, 500, "0.0000005" },
		{ "thinktime", "1ms", 0, MSEC, "0.001" },
		{ "thinktime", "2s", 0, 2 * SEC, "2" },
		{ "thinktime_iotime", "2", 0, 2 * SEC, "2" },
		{ "rw_step", "-8k", 0, -(uint64_t)8192, "-8192" },
		{ "rw_step", "8192t", 0, UINT64_C(1) << 53, "9007199254740992" },
		{ "rw_step", "9007199254740993", -ERANGE, 0, NULL },
		{ "rw_step", "-9007199254740993", -ERANGE, 0, NULL },
		{ "rw_step", "-1", -ERANGE, 0, NULL },
		{ "rw_step", "18446744073709551608", -ERANGE, 0, NULL }, /* not -8 */
		{ "rw", "read:-8k", 0, -(uint64_t)8192 << RW_STEP_SHIFT | RW_READ,
		  "read:-8192" },
		{ "rw", "read:18446744073709543424", -ERANGE, 0, NULL },
		{ "rw", "randread:-8", -ERANGE, 0, NULL },
		{ "thinktime", "x", -EINVAL, 0,
		  "'x': not a valid value; allowed: 0 or more, up to 366 days: microseconds, "
		  "or "
		  "with us, ms, s, m (minutes), h, d" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		const struct axis *a = axis_find(row[i].key);
		struct err e = { 0 };
		uint64_t v = 0;
		char buf[64];

		assert_non_null(a);
		assert_int_equal(axis_parse(a, row[i].key, row[i].text, &v, &e), row[i].result);
		assert_int_equal(e.code, row[i].result);
		if (row[i].result) {
			if (row[i].error)
				assert_string_equal(e.text, row[i].error);
			continue;
		}
		assert_int_equal(v, row[i].value);
		axis_print(a, v, buf, sizeof(buf));
		assert_string_equal(buf, row[i].error);
	}
}

/* "READ,WRITE" as fio has it, exactly, in one value. */
static void directions_share_a_value(void **state)
{
	static const struct {
		const char *text;
		uint64_t read, write;
		const char *print, *human;
	} row[] = {
		{ "8m,4m", 8 * MIB, 4 * MIB, "8388608,4194304", "8m,4m" },
		{ "4097,1", 4097, 1, "4097,1", "4097,1" },
		{ "2147483647,1", 2147483647, 1, "2147483647,1", "2147483647,1" },
		{ "8m,", 8 * MIB, 0, "8388608,0", "8m,0" },
		{ ",4k", 0, 4096, "0,4096", "0,4k" },
		{ "1t,4g", 1024 * GIB, 4 * GIB, "1099511627776,4294967296", "1t,4g" },
		{ "4g,4g", 4 * GIB, 4 * GIB, "4294967296", "4g" },
	};
	const struct axis *a = &axes[AXIS_rate];
	struct err e = { 0 };
	uint64_t v;
	char buf[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		assert_int_equal(axis_parse(a, "rate", row[i].text, &v, NULL), 0);
		assert_int_equal(direction_of(a, v, OP_READ), row[i].read);
		assert_int_equal(direction_of(a, v, OP_WRITE), row[i].write);
		assert_int_equal(direction_of(a, v, OP_TRIM), row[i].write);
		assert_int_equal(direction_differs(a, v), row[i].read != row[i].write);
		axis_print(a, v, buf, sizeof(buf));
		assert_string_equal(buf, row[i].print);
		axis_print_human(a, v, buf, sizeof(buf));
		assert_string_equal(buf, row[i].human);
	}
	assert_int_equal(axis_parse(a, "rate", "4g,1", &v, &e), -ERANGE);
	assert_false(direction_differs(&axes[AXIS_size], SIZE_PERCENT | 50));
}

static void prints_for_people(void **state)
{
	char buf[64];

	(void)state;
	axis_print_human(&axes[AXIS_bs], 4096, buf, sizeof(buf));
	assert_string_equal(buf, "4k");
	axis_print_human(&axes[AXIS_size], SIZE_PERCENT | 50, buf, sizeof(buf));
	assert_string_equal(buf, "50%");
	axis_print_human(&axes[AXIS_thinktime], 500 * USEC, buf, sizeof(buf));
	assert_string_equal(buf, "0.0005s");
	axis_print_human(&axes[AXIS_size], AXIS_UNSET, buf, sizeof(buf));
	assert_string_equal(buf, "");
	axis_print(&axes[AXIS_runtime], AXIS_UNSET, buf, sizeof(buf));
	assert_string_equal(buf, "");
	axis_print(&axes[AXIS_filename], 3, buf, sizeof(buf));
	assert_string_equal(buf, "");
}

static void patterns_know_their_directions(void **state)
{
	static const struct {
		enum rw rw;
		bool reads, writes, mixed, random;
	} row[] = { { RW_READ, true, false, false, false },
		    { RW_RANDREAD, true, false, false, true },
		    { RW_RW, true, true, true, false },
		    { RW_RANDRW, true, true, true, true },
		    { RW_WRITE, false, true, false, false },
		    { RW_RANDWRITE, false, true, false, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		assert_int_equal(rw_reads(row[i].rw), row[i].reads);
		assert_int_equal(rw_writes(row[i].rw), row[i].writes);
		assert_int_equal(rw_mixed(row[i].rw), row[i].mixed);
		assert_int_equal(rw_random(row[i].rw), row[i].random);
	}
	assert_null(rw_name(RW_COUNT));
	assert_null(job_offset_name(JOB_OFFSET_COUNT));
}

/* The bit of a pair of directions is no way past the limit. */
static void no_number_is_a_pair(void **state)
{
	uint64_t v;

	(void)state;
	assert_int_equal(
	    axis_parse(&axes[AXIS_rate_iops], "rate_iops", "10046744073709551615", &v, NULL),
	    -ERANGE);
	assert_int_equal(axis_parse(&axes[AXIS_rate_iops], "rate_iops", "1073741825", &v, NULL),
	                 -ERANGE);
	assert_int_equal(
	    axis_parse(&axes[AXIS_rate_iops], "rate_iops", "1073741824,7", &v, NULL), 0);
	assert_int_equal(direction_of(&axes[AXIS_rate_iops], v, OP_WRITE), 7);
}

TEST_MAIN(cmocka_unit_test(no_number_is_a_pair), cmocka_unit_test(stored_times_are_in_ns),
          cmocka_unit_test(table_is_sound), cmocka_unit_test(settings_are_sound),
          cmocka_unit_test(keys_find_axes), cmocka_unit_test(values),
          cmocka_unit_test(directions_share_a_value), cmocka_unit_test(prints_for_people),
          cmocka_unit_test(patterns_know_their_directions))
