/* Which percentiles are shown: their texts, their order, and when there are too few samples. */
#include "support/test.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "model/percentiles.h"

static void texts_and_back(void **state)
{
	static const struct {
		const char *text;
		uint32_t value;
		const char *shortest, *two;
	} cases[] = {
		{ "50", 50000000, "50", "50.00" },
		{ "050.0", 50000000, "50", "50.00" },
		{ "99.9", 99900000, "99.9", "99.90" },
		{ "99.990000000", 99990000, "99.99", "99.99" },
		{ "99.9999", 99999900, "99.9999", "99.9999" },
		{ "99.999999", 99999999, "99.999999", "99.999999" },
		{ "0.000001", 1, "0.000001", "0.000001" },
		{ ".05", 50000, "0.05", "0.05" },
		{ "100", 100000000, "100", "100.00" },
	};
	char buf[24];
	uint32_t p;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(percentile_parse(cases[i].text, &p), 0);
		assert_int_equal(p, cases[i].value);
		assert_string_equal(percentile_print(buf, sizeof(buf), p, 0),
		                    cases[i].shortest);
		assert_string_equal(percentile_print(buf, sizeof(buf), p, 2), cases[i].two);
	}
	assert_string_equal(percentile_print(buf, sizeof(buf), 99900000, 6), "99.900000");
}

static void what_is_none(void **state)
{
	static const char *const bad[] = { "",    ".",    "-1",  "+5",  " 5",
		                           "5 ",  "1e1",  "x",   "9,5", "5.5.",
		                           "nan", "0x10", "50%", "1:2", "inf" },
				 *const range[] = { "0",         "0.000000", "100.000001",
		                                    "0.0000001", "1000000",  "4294967347",
		                                    "99.9999999" };
	uint32_t p = 7;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(percentile_parse(bad[i], &p), -EINVAL);
	for (size_t i = 0; i < ARRAY_SIZE(range); i++)
		assert_int_equal(percentile_parse(range[i], &p), -ERANGE);
	assert_int_equal(p, 7);
}

static void lists_rise(void **state)
{
	struct percentiles list = { 0 };

	(void)state;
	for (uint32_t i = PERCENTILES_MAX; i > 0; i--)
		assert_int_equal(percentiles_add(&list, i * 7 % 23), 0);
	for (size_t i = 1; i < list.n; i++)
		assert_true(list.at[i - 1] < list.at[i]);
	assert_int_equal(percentiles_add(&list, list.at[0]), 1);
	assert_int_equal(percentiles_add(&list, 1000), -E2BIG);
	assert_int_equal(list.n, PERCENTILES_MAX);
	for (size_t i = 1; i < percentiles_usual.n; i++)
		assert_true(percentiles_usual.at[i - 1] < percentiles_usual.at[i]);
	assert_int_equal(percentiles_usual.at[percentiles_usual.n - 1], 99990000);
}

static void samples_that_are_enough(void **state)
{
	static const struct {
		uint32_t p;
		uint64_t least;
	} cases[] = { { 50000000, 1 },    { 90000000, 10 },        { 99000000, 100 },
		      { 99900000, 1000 }, { 99990000, 10000 },     { 99999000, 100000 },
		      { 100000000, 1 },   { 99999999, 100000000 }, { 1000000, 2 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(percentile_too_few(cases[i].least - 1, cases[i].p));
		assert_false(percentile_too_few(cases[i].least, cases[i].p));
		assert_false(percentile_too_few(UINT64_MAX, cases[i].p));
	}
}

static void the_last_is_the_largest(void **state)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));

	(void)state;
	for (uint64_t v = 1; v <= 100; v++)
		hist_record(h, v * 1000003);
	assert_true(percentile_ns(h, 100000000) == 100000300);
	assert_true(percentile_ns(h, 50000000) == hist_percentile(h, 50));
}

TEST_MAIN(cmocka_unit_test(texts_and_back), cmocka_unit_test(what_is_none),
          cmocka_unit_test(lists_rise), cmocka_unit_test(samples_that_are_enough),
          cmocka_unit_test(the_last_is_the_largest))
