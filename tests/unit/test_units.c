/* Sizes and times as people write them, and back. */
#include "support/test.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"

struct row {
	const char *text;
	int result;
	uint64_t value;
};

typedef int (*parser)(const char *, uint64_t *);

static void run(const struct row *row, size_t n, parser parse)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t v = 12345;
		int r = parse(row[i].text, &v);

		if (r != row[i].result || (!r && v != row[i].value))
			fail_msg("'%s': %d, %llu; expected %d, %llu", row[i].text, r,
			         (unsigned long long)v, row[i].result,
			         (unsigned long long)row[i].value);
		if (r)
			assert_int_equal(v, 12345);
	}
}

static void sizes(void **state)
{
	static const struct row row[] = {
		{ "4k", 0, 4096 },
		{ "4K", 0, 4096 },
		{ "4kb", 0, 4096 },
		{ "4KB", 0, 4096 },
		{ "4KiB", 0, 4096 },
		{ "4kib", 0, 4096 },
		{ "4Ki", 0, 4096 },
		{ "4096", 0, 4096 },
		{ "0x1000", 0, 4096 },
		{ "0X10", 0, 16 },
		{ "0x1k", 0, 1024 },
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "1m", 0, MIB },
		{ "2G", 0, 2 * GIB },
		{ "1t", 0, 1024 * GIB },
		{ "3TiB", 0, 3072 * GIB },
		{ "9223372036854775807", 0, INT64_MAX },
		{ "8388607t", 0, UINT64_C(8388607) << 40 },
		{ "9223372036854775808", -ERANGE, 0 },
		{ "8388608t", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "0xfffffffffffffffff", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "k", -EINVAL, 0 },
		{ "1.5k", -EINVAL, 0 },
		{ "4 k", -EINVAL, 0 },
		{ " 4k", -EINVAL, 0 },
		{ "4k ", -EINVAL, 0 },
		{ "4q", -EINVAL, 0 },
		{ "5e3", -EINVAL, 0 },
		{ "-4k", -EINVAL, 0 },
		{ "+4k", -EINVAL, 0 },
		{ "4kk", -EINVAL, 0 },
		{ "4kbb", -EINVAL, 0 },
		{ "4b", -EINVAL, 0 },
		{ "4ib", -EINVAL, 0 },
		{ "0x", -EINVAL, 0 },
		{ "0xg", -EINVAL, 0 },
		{ "50%", -EINVAL, 0 },
		{ "4k,8k", -EINVAL, 0 },
		{ "1p", -EINVAL, 0 },
	};

	(void)state;
	run(row, ARRAY_SIZE(row), parse_size);
}

static void times(void **state)
{
	static const struct row row[] = {
		{ "30", 0, 30 * SEC },
		{ "0", 0, 0 },
		{ "0.5", 0, SEC / 2 },
		{ "500ms", 0, 500 * MSEC },
		{ "30s", 0, 30 * SEC },
		{ "5m", 0, 300 * SEC },
		{ "1M", 0, 60 * SEC },
		{ "1h", 0, 3600 * SEC },
		{ "2d", 0, 2 * 86400 * SEC },
		{ "250us", 0, 250 * USEC },
		{ "1.5h", 0, 5400 * SEC },
		{ "0.1", 0, 100 * MSEC },
		{ "1.000000001", 0, SEC + 1 },
		{ "1.0000000009", 0, SEC },
		{ "0.3", 0, 300 * MSEC },
		{ "90S", 0, 90 * SEC },
		{ "1000000000", 0, SEC * SEC },
		{ "1000000001", -ERANGE, 0 },
		{ "99999999999", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "18446744074", -ERANGE, 0 },
		{ "12000d", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "s", -EINVAL, 0 },
		{ "1 s", -EINVAL, 0 },
		{ "1x", -EINVAL, 0 },
		{ ".5", -EINVAL, 0 },
		{ "5.", -EINVAL, 0 },
		{ "5.s", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1,5", -EINVAL, 0 },
		{ "1min", -EINVAL, 0 },
		{ "1.5.5", -EINVAL, 0 },
	};

	(void)state;
	run(row, ARRAY_SIZE(row), parse_time);
}

static void plain_integers(void **state)
{
	static const struct row row[] = {
		{ "0", 0, 0 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },
		{ "0x1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
	};

	(void)state;
	run(row, ARRAY_SIZE(row), parse_u64);
}

static void sizes_print_and_parse_back(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} row[] = { { 0, "0" },
		    { 1, "1" },
		    { 4096, "4k" },
		    { 4000, "4000" },
		    { 1536 * KIB, "1536k" },
		    { MIB, "1m" },
		    { GIB, "1g" },
		    { 1024 * GIB, "1t" },
		    { 1025, "1025" },
		    { INT64_MAX, "9223372036854775807" } };
	char buf[32];
	uint64_t back;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		assert_string_equal(print_size(buf, sizeof(buf), row[i].bytes), row[i].text);
		assert_int_equal(parse_size(buf, &back), 0);
		assert_int_equal(back, row[i].bytes);
	}
}

static void seconds_print_and_parse_back(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} row[] = { { 0, "0" },
		    { 30 * SEC, "30" },
		    { SEC / 2, "0.5" },
		    { 1, "0.000000001" },
		    { 100 * SEC, "100" },
		    { SEC + 10, "1.00000001" },
		    { SEC * SEC, "1000000000" } };
	char buf[32];
	uint64_t back;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		assert_string_equal(print_seconds(buf, sizeof(buf), row[i].ns), row[i].text);
		assert_int_equal(parse_time(buf, &back), 0);
		assert_int_equal(back, row[i].ns);
	}
}

static void durations_for_people(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} row[] = { { 0, "0 ms" },
		    { 500 * MSEC, "500 ms" },
		    { 1500 * MSEC, "1.5 s" },
		    { 30 * SEC, "30 s" },
		    { 90 * SEC, "1 min 30 s" },
		    { 83160 * SEC, "23 h 06 min" },
		    { 100 * 3600 * SEC, "4 d 04 h" },
		    { 999600 * USEC, "1.0 s" },
		    { 9960 * MSEC, "10 s" } };
	char buf[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++)
		assert_string_equal(print_duration(buf, sizeof(buf), row[i].ns), row[i].text);
}

static void bytes_for_people(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} row[] = { { 0, "0 B" },
		    { 1023, "1023 B" },
		    { 4096, "4 KiB" },
		    { 256 * MIB, "256 MiB" },
		    { 1536 * GIB, "1.5 TiB" },
		    { MIB - 1, "1.0 MiB" },
		    { UINT64_MAX, "16 EiB" } };
	char buf[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++)
		assert_string_equal(print_bytes(buf, sizeof(buf), row[i].bytes), row[i].text);
}

static void integers_are_taken(void **state)
{
	const char *s = "12:fe\"", *none[] = { "", " 1", "-1", "+1", "g", ":" };
	uint64_t v = 0;

	(void)state;
	assert_int_equal(take_u64(&s, 10, &v), 0);
	assert_int_equal(v, 12);
	assert_string_equal(s, ":fe\"");
	s++;
	assert_int_equal(take_u64(&s, 10, &v), -EINVAL);
	assert_int_equal(take_u64(&s, 16, &v), 0);
	assert_int_equal(v, 0xfe);
	assert_string_equal(s, "\"");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		s = none[i];
		assert_int_equal(take_u64(&s, 10, &v), -EINVAL);
		assert_ptr_equal(s, none[i]);
	}
	s = "18446744073709551616";
	assert_int_equal(take_u64(&s, 10, &v), -ERANGE);
	assert_int_equal(v, 0xfe);
}

static void hex_digits(void **state)
{
	(void)state;
	assert_int_equal(hex_digit('0'), 0);
	assert_int_equal(hex_digit('9'), 9);
	assert_int_equal(hex_digit('a'), 10);
	assert_int_equal(hex_digit('F'), 15);
	assert_int_equal(hex_digit('g'), -1);
	assert_int_equal(hex_digit('/'), -1);
	assert_int_equal(hex_digit(':'), -1);
	assert_int_equal(hex_digit('\0'), -1);
}

TEST_MAIN(cmocka_unit_test(hex_digits), cmocka_unit_test(sizes),
          cmocka_unit_test(integers_are_taken), cmocka_unit_test(times),
          cmocka_unit_test(plain_integers), cmocka_unit_test(sizes_print_and_parse_back),
          cmocka_unit_test(seconds_print_and_parse_back),
          cmocka_unit_test(durations_for_people), cmocka_unit_test(bytes_for_people))
