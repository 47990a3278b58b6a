/* cmd/outcome_words.h: the words of a run that went wrong. */
#include "support/test.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/outcome_words.h"

static void a_window_without_completions(void **state)
{
	static const struct {
		uint64_t drain_ios;
		const char *text;
	} cases[] = {
		{ 0, "no I/O completed in the window, and none after it" },
		{ 7, "no I/O completed in the window; 7 did after it, within 2.500 s, and "
		     "those of 1 of 4 jobs never" },
	};
	AUTO(freep) struct sample *s = xcalloc(1, sizeof(*s));

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[160];

		s->jobs = 4;
		s->jobs_hung = 1;
		s->drain_ios = cases[i].drain_ios;
		s->drain_ns = 2500 * MSEC;
		outcome_unseen(s, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

static void a_short_transfer(void **state)
{
	AUTO(freep) struct sample *s = xcalloc(1, sizeof(*s));
	char text[160];

	(void)state;
	s->first_short = (struct io_error){ .op = OP_WRITE, .offset = 8192, .len = 4096 };
	s->first_short_bytes = 2048;
	outcome_short(s, text, sizeof(text));
	assert_string_equal(text,
	                    "write of 4096 bytes at offset 8192: short: 2048 of 4096 bytes");
}

TEST_MAIN(cmocka_unit_test(a_window_without_completions), cmocka_unit_test(a_short_transfer))
