/* Bytes written as text: what fio 3.33 makes of the same words. */
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"

static void words_are_bytes(void **state)
{
	static const struct {
		const char *text, *bytes;
	} good[] = {
		{ "65", "0x41" },
		{ "513", "0x0102" },
		{ "65536", "0x000001" },
		{ "0", "0x00" },
		{ "4294967295", "0xffffffff" },
		{ "-12", "0xf4ffffff" },
		{ "-1", "0xffffffff" },
		{ "0xdeadBEEF", "0xdeadbeef" },
		{ "0xabc", "0x0abc" },
		{ "0x0", "0x00" },
		{ "\"abcd\"-12", "0x61626364f4ffffff" },
		{ "\"ab\"0x1234", "0x61621234" },
		{ "0x41\"z\"", "0x417a" },
		{ "\"a b\"\"'\"", "0x61206227" },
	};
	static const char *const bad[] = { "",     "abc",   "0x",     "\"\"",  "\"abc", "'a'", "-",
		                           "+1",   " 1",    "1 ",     "1,2",    "0xzz",  "12a", "%o",
		                           "-\"a\"", "0x12 3", "\"a\" \"b\"" };
	uint8_t bytes[BYTES_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		int n = bytes_parse(good[i].text, bytes);
		char text[64];

		assert_in_range(n, 1, 16);
		bytes_print(text, sizeof(text), bytes, (size_t)n);
		assert_string_equal(text, good[i].bytes);
		assert_int_equal(bytes_parse(text, bytes), n); /* its canonical form is itself */
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(bytes_parse(bad[i], bytes), -EINVAL);
	assert_int_equal(bytes_parse("4294967296", bytes), -ERANGE);
	assert_int_equal(bytes_parse("-2147483649", bytes), -ERANGE);
	assert_int_equal(bytes_parse("99999999999999999999", bytes), -ERANGE);
}

static void there_is_an_end(void **state)
{
	char text[2 * BYTES_MAX + 16];
	uint8_t bytes[BYTES_MAX + 1] = { [BYTES_MAX] = 0x77 };

	(void)state;
	memset(text, '1', sizeof(text));
	memcpy(text, "0x", 2);
	text[2 + 2 * BYTES_MAX] = '\0';
	assert_int_equal(bytes_parse(text, bytes), BYTES_MAX);
	text[2 + 2 * BYTES_MAX] = '1';
	text[3 + 2 * BYTES_MAX] = '\0';
	assert_int_equal(bytes_parse(text, bytes), -ERANGE);
	text[2 + 2 * BYTES_MAX] = '"';
	assert_int_equal(bytes_parse(text, bytes), -EINVAL);
	(void)snprintf(text + 2 + 2 * BYTES_MAX, 4, "\"a\"");
	assert_int_equal(bytes_parse(text, bytes), -ERANGE);
	memset(text, 'x', sizeof(text));
	text[0] = text[BYTES_MAX + 2] = '"';
	text[BYTES_MAX + 3] = '\0';
	assert_int_equal(bytes_parse(text, bytes), -ERANGE);
	text[BYTES_MAX + 1] = '"';
	text[BYTES_MAX + 2] = '\0';
	assert_int_equal(bytes_parse(text, bytes), BYTES_MAX);
	assert_int_equal(bytes[BYTES_MAX], 0x77);
}

TEST_MAIN(cmocka_unit_test(words_are_bytes), cmocka_unit_test(there_is_an_end))
