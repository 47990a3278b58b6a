/* Lists of CPUs: what is taken, what is refused, one spelling for equal sets. */
#include "support/test.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/cpulist.h"

static void equal_sets_print_the_same(void **state)
{
	static const struct {
		const char *text, *print;
		int count;
	} cases[] = {
		{ "0", "0", 1 },
		{ "0-3,5", "0-3,5", 5 },
		{ "5,3,0-2", "0-3,5", 5 },
		{ "1,1,1-1", "1", 1 },
		{ "7,6", "6-7", 2 },
		{ "0-3,2-6", "0-6", 7 },
		{ "0-1023", "0-1023", 1024 },
		{ "1023", "1023", 1 },
		{ "00,08", "0,8", 2 },
	};
	char buf[64];
	cpu_set_t set;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(cpulist_parse(cases[i].text, &set), 0);
		assert_int_equal(CPU_COUNT(&set), cases[i].count);
		assert_string_equal(cpulist_print(buf, sizeof(buf), &set), cases[i].print);
	}
	CPU_ZERO(&set);
	assert_string_equal(cpulist_print(buf, sizeof(buf), &set), "");
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const text[] = { "",
		                            ",",
		                            "1,",
		                            ",1",
		                            "1,,2",
		                            "a",
		                            "1-",
		                            "-1",
		                            "3-1",
		                            "1024",
		                            "0-1024",
		                            " 1",
		                            "1 ",
		                            "1-2-3",
		                            "0x1",
		                            "1.5",
		                            "99999999999999999999" };
	cpu_set_t set;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(text); i++)
		if (cpulist_parse(text[i], &set) != -EINVAL)
			fail_msg("'%s' was taken", text[i]);
}

static void a_short_buffer_cuts(void **state)
{
	char buf[8];
	cpu_set_t set;

	(void)state;
	assert_int_equal(cpulist_parse("0,2,4,6,8", &set), 0);
	assert_string_equal(cpulist_print(buf, sizeof(buf), &set), "0,2,4,6");
}

static void jobs_take_turns(void **state)
{
	static const int want[] = { 1, 4, 5, 1, 4 };
	cpu_set_t set;

	(void)state;
	assert_int_equal(cpulist_parse("4-5,1", &set), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(cpulist_nth(&set, i), want[i]);
	CPU_ZERO(&set);
	assert_int_equal(cpulist_nth(&set, 0), -1);
}

TEST_MAIN(cmocka_unit_test(equal_sets_print_the_same),
          cmocka_unit_test(what_is_no_list_is_refused), cmocka_unit_test(a_short_buffer_cuts),
          cmocka_unit_test(jobs_take_turns))
