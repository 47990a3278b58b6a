/* The table of doubts and notes. */
#include "support/test.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/flag.h"

static void names_are_words_of_their_own(void **state)
{
	(void)state;
	assert_in_range(FLAG_COUNT, 1, 63); /* bits of an int64 column */
	for (size_t i = 0; i < FLAG_COUNT; i++) {
		const char *name = flag_at(i)->name;

		assert_true(islower((unsigned char)name[0]));
		assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
		assert_true(strlen(flag_at(i)->help) > 10);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(name, flag_at(j)->name);
	}
}

/* The position is what a database stores: rows are only ever appended. */
static void positions_never_change(void **state)
{
	static const char *const first[] = {
		"unwritten",    "short-window",      "partial-job",
		"few-samples",  "depth-not-reached", "overlapping-offsets",
		"small-region", "unverified",        "stalls",
		"cached",       "page-cache",        "foreign-io",
		"cpu-bound",    "degraded",          "lower-cache",
		"vm-steal",     "throttled",         "io-wq",
		"drift",        "bimodal",           "unsteady",
		"wide",         "rate-limited",      "uncalibrated",
		"p-unresolved"
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		assert_string_equal(flag_at(i)->name, first[i]);
}

static void prints_doubts_and_notes_apart(void **state)
{
	uint64_t bits = FLAG_BIT(unwritten) | FLAG_BIT(partial_job) | FLAG_BIT(few_samples) |
	                FLAG_BIT(small_region);
	char buf[256], small[8];

	(void)state;
	flag_print(bits, true, buf, sizeof(buf));
	assert_string_equal(buf, "unwritten partial-job");
	flag_print(bits, false, buf, sizeof(buf));
	assert_string_equal(buf, "few-samples small-region");
	flag_print(0, true, buf, sizeof(buf));
	assert_string_equal(buf, "");
	flag_print(bits, true, small, sizeof(small));
	assert_string_equal(small, "unwritt");
}

static void only_doubts_are_doubts(void **state)
{
	(void)state;
	for (size_t i = 0; i < FLAG_COUNT; i++)
		assert_int_equal(flag_any_doubt(UINT64_C(1) << i), flag_at(i)->doubt);
	assert_false(flag_any_doubt(0));
	assert_true(flag_any_doubt(FLAG_BIT(few_samples) | FLAG_BIT(partial_job)));
}

static void names_are_read_as_printed(void **state)
{
	uint64_t all = (UINT64_C(1) << FLAG_COUNT) - 1;
	char doubts[1024], notes[1024];

	(void)state;
	flag_print(all, true, doubts, sizeof(doubts));
	flag_print(all, false, notes, sizeof(notes));
	assert_true((flag_parse(doubts) | flag_parse(notes)) == all);
	assert_false(flag_parse(doubts) & flag_parse(notes));
	assert_true(flag_parse("") == 0);
	assert_true(flag_parse("wid widest  wide ") == FLAG_BIT(wide));
	assert_int_equal(flag_find("wide stalls", 4), FLAG_wide);
	assert_int_equal(flag_find("wide", 3), FLAG_COUNT);
}

TEST_MAIN(cmocka_unit_test(names_are_read_as_printed),
          cmocka_unit_test(names_are_words_of_their_own),
          cmocka_unit_test(positions_never_change),
          cmocka_unit_test(prints_doubts_and_notes_apart),
          cmocka_unit_test(only_doubts_are_doubts))
