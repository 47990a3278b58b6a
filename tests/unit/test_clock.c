/* clock_jump(): a wall clock that is set, told from time that passes. */
#include "support/test.h"

#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define S (int64_t) SEC

static void jumps(void **state)
{
	/* wall and boot clock at each look, and what is said */
	static const struct {
		int64_t wall, boot;
		const char *text;
	} looks[] = {
		{ 1000 * S, 10 * S, "" }, /* the first look knows nothing */
		{ 1030 * S, 40 * S, "" },
		{ 1031 * S + S / 2, 41 * S, "" }, /* half a second is below what is told */
		{ 1131 * S + S / 2, 141 * S, "" },
		{ 1133 * S, 141 * S + S / 2, "" }, /* exactly one is, too */
		{ 8333 * S, 141 * S + S / 2, "the wall clock was set forward by 7200.0 s" },
		{ 8334 * S, 142 * S + S / 2, "" },
		{ 1134 * S, 142 * S + S / 2, "the wall clock was set back by 7200.0 s" },
		{ 1135 * S, 143 * S + S / 2, "" },
		{ -5 * S, 144 * S, "the wall clock was set back by 1140.5 s" },
	};
	int64_t offset = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		char text[80] = "";
		bool told =
		    clock_jump(&offset, looks[i].wall, looks[i].boot, text, sizeof(text));

		assert_string_equal(text, looks[i].text);
		assert_int_equal(told, *looks[i].text != '\0');
	}
}

/* The boot clock never lies behind the monotonic one. */
static void boot(void **state)
{
	uint64_t mono = clock_mono_ns();

	(void)state;
	assert_true(clock_boot_ns() >= mono);
}

static void utc(void **state)
{
	char buf[40];

	(void)state;
	assert_string_equal(clock_utc(buf, sizeof(buf), INT64_C(1796061600) * S),
	                    "2026-11-30T18:00:00Z");
}

TEST_MAIN(cmocka_unit_test(jumps), cmocka_unit_test(boot), cmocka_unit_test(utc))
