/* Drawings in a terminal, to the letter. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/draw.h"
#include "cmd/show_value.h"

static const struct draw_style ascii = { 0 }, utf8 = { .utf8 = true };

static void record(struct hist *h, uint64_t ns, unsigned times)
{
	while (times--)
		hist_record(h, ns);
}

static struct hist *hist_of_three(void)
{
	struct hist *h = xcalloc(1, sizeof(*h));

	record(h, 10000, 600);
	record(h, 200000, 399);
	record(h, 4000000, 1);
	return h;
}

static void a_histogram(void **state)
{
	AUTO(freep) struct hist *h = hist_of_three();
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	draw_histogram(&t, &ascii, h);
	assert_string_equal(t.s,
	                    "     10.0 us | ##############################    60.0 % p50\n"
	                    "     12.6 us |\n"
	                    "     15.8 us |\n"
	                    "     20.0 us |\n"
	                    "     25.1 us |\n"
	                    "     31.6 us |\n"
	                    "     39.8 us |\n"
	                    "     50.1 us |\n"
	                    "     63.1 us |\n"
	                    "     79.4 us |\n"
	                    "      100 us |\n"
	                    "      126 us |\n"
	                    "      158 us |\n"
	                    "      200 us | ####################              39.9 % p90 p99 p99.9\n"
	                    "      251 us |\n"
	                    "      316 us |\n"
	                    "      398 us |\n"
	                    "      501 us |\n"
	                    "      631 us |\n"
	                    "      794 us |\n"
	                    "     1.00 ms |\n"
	                    "     1.26 ms |\n"
	                    "     1.58 ms |\n"
	                    "     2.00 ms |\n"
	                    "     2.51 ms |\n"
	                    "     3.16 ms |\n"
	                    "     3.98 ms | #                                  0.1 %\n");
}

static void a_histogram_in_eighths(void **state)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	draw_histogram(&t, &utf8, h);
	assert_int_equal(t.len, 0);
	record(h, 100, 699);
	record(h, 108, 300);
	draw_histogram(&t, &utf8, h);
	assert_string_equal(t.s,
	                    "      100 ns │ ██████████████████████████████    70.0 % p50\n"
	                    "      106 ns │ ████████████▉                     30.0 % p90 p99\n");
}

/* Beyond what the histogram has buckets for, and 0 ns. */
static void a_histogram_of_extremes(void **state)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	record(h, 0, 1);
	record(h, UINT64_MAX, 1);
	draw_histogram(&t, &ascii, h);
	assert_non_null(strstr(t.s, "        1 ns | ##############################    50.0 % p50\n"));
	assert_non_null(strstr(t.s, " s  | ##############################    50.0 %\n"));
	for (const char *line = t.s; *line; line = strchr(line, '\n') + 1)
		assert_true(strcspn(line, "\n") <= DRAW_WIDTH);
}

static void a_course_with_a_gap_and_moments(void **state)
{
	static const double value[] = { 1000, 500, 0, (double)NAN, 1500, 10 };
	static const struct draw_moment moment[] = { { 1.5, "stalls" }, { 6, "the end" } };
	const struct draw_course c = { .value = value,
		                       .n = 6,
		                       .seconds = 6,
		                       .print = show_count,
		                       .moment = moment,
		                       .moments = 2 };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	draw_course(&t, &ascii, &c);
	assert_string_equal(t.s, "        2000 |\n"
	                         "             |                        ::::::\n"
	                         "             |                        ######\n"
	                         "             |######                  ######\n"
	                         "             |######::::::            ######\n"
	                         "             |############            ######......\n"
	                         "           0 +------------------      ------------ 6 s\n"
	                         "                       ^ stalls\n"
	                         "                                                 ^ the end\n");
	text_clear(&t);
	draw_course(&t, &utf8, &c);
	assert_string_equal(t.s, "        2000 │\n"
	                         "             │                        ▄▄▄▄▄▄\n"
	                         "             │                        ██████\n"
	                         "             │██████                  ██████\n"
	                         "             │██████▄▄▄▄▄▄            ██████\n"
	                         "             │████████████            ██████▁▁▁▁▁▁\n"
	                         "           0 └──────────────────      ──────────── 6 s\n"
	                         "                       ^ stalls\n"
	                         "                                                 ^ the end\n");
}

/* A word beside a moment never leaves the line. */
static void moments_near_the_end(void **state)
{
	static const struct draw_moment moment[] = { { 55, "stalls: the longest" } };
	static const double value[DRAW_COLUMNS] = { 1 };
	const struct draw_course c = { .value = value,
		                       .n = DRAW_COLUMNS,
		                       .seconds = 60,
		                       .print = show_count,
		                       .moment = moment,
		                       .moments = 1 };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	draw_course(&t, &ascii, &c);
	assert_non_null(strstr(t.s, "\n                                                 stalls: the longest ^\n"));
	assert_non_null(strstr(t.s, "           0 +---------------------------------------"
	                            "--------------------- 60 s\n"));
}

static void a_course_of_nothing(void **state)
{
	static const double value[] = { 0, 0 };
	const struct draw_course c = { .value = value, .n = 2, .seconds = 2, .print = show_us };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	draw_course(&t, &ascii, &c);
	assert_non_null(strstr(t.s, "           0 +------------ 2 s\n"));
	assert_null(strchr(t.s, '#'));
}

static void names_are_cut_at_their_beginning(void **state)
{
	static const struct {
		const char *name, *shown;
		size_t columns, width;
	} cases[] = {
		{ "short", "short", 10, 5 },
		{ "/mnt/very/long/name", "...g/name", 9, 9 },
		{ "a\x1b[2Jb\xff", "a?[2Jb?", 10, 7 },
		{ "äöü", "äöü", 3, 3 },
		{ "日本語日本語", "...日本語", 9, 9 },
		{ "日本語日本語", "...本語", 8, 7 },
		{ "", "", 4, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char buf[64];

		assert_int_equal(draw_clip(buf, sizeof(buf), cases[i].name, cases[i].columns),
		                 cases[i].width);
		assert_string_equal(buf, cases[i].shown);
	}
}

static void the_style_follows_the_environment(void **state)
{
	AUTO(fclosep) FILE *f = tmpfile();

	(void)state;
	(void)setenv("LC_ALL", "", 1);
	(void)setenv("LC_CTYPE", "de_DE.utf8", 1);
	(void)setenv("LANG", "C", 1);
	assert_true(draw_style_of(f).utf8);
	assert_false(draw_style_of(f).colour); /* no terminal */
	(void)setenv("LC_ALL", "POSIX", 1);
	assert_false(draw_style_of(f).utf8);
}

TEST_MAIN(cmocka_unit_test(a_histogram), cmocka_unit_test(a_histogram_in_eighths),
          cmocka_unit_test(a_histogram_of_extremes), cmocka_unit_test(a_course_with_a_gap_and_moments),
          cmocka_unit_test(moments_near_the_end), cmocka_unit_test(a_course_of_nothing), cmocka_unit_test(names_are_cut_at_their_beginning),
          cmocka_unit_test(the_style_follows_the_environment))
