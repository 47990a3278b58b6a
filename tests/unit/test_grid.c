/* The grid of a sweep, to the letter. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/grid.h"

static const struct draw_style ascii = { 0 };

static void add(struct grid *g, const char *const value[AXIS_COUNT], enum grid_state state)
{
	uint32_t runs[GRID_STATES] = { 0 };

	runs[state] = 1;
	assert_true(grid_add(g, value, runs));
}

/* 2 patterns x 3 block sizes x 2 jobs x 3 depths, of which some are something else. */
static void add_some(struct grid *g, const char *filename)
{
	static const char *const rw[] = { "read", "randwrite" }, *const bs[] = { "65536", "4096", "1048576" },
					*const jobs[] = { "1", "16" }, *const depth[] = { "32", "1", "4" };
	unsigned n = 0;

	for (int r = 0; r < 2; r++)
		for (int b = 0; b < 3; b++)
			for (int j = 0; j < 2; j++)
				for (int d = 0; d < 3; d++, n++) {
					const char *value[AXIS_COUNT] = {
						[AXIS_rw] = rw[r],	 [AXIS_bs] = bs[b],
						[AXIS_numjobs] = jobs[j], [AXIS_iodepth] = depth[d],
						[AXIS_direct] = "1",	 [AXIS_filename] = filename
					};

					add(g, value,
					    n == 3    ? GRID_DOUBTED
					    : n == 7  ? GRID_FAILED
					    : n == 12 ? GRID_SKIPPED
					    : n == 20 ? GRID_NOW
					    : n > 20  ? GRID_LEFT
					              : GRID_DONE);
				}
}

static void patterns_sizes_jobs_and_depths(void **state)
{
	AUTO(grid_fini) struct grid g = { 0 };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	add_some(&g, "/dev/x");
	grid_sort(&g);
	grid_draw(&t, &ascii, &g);
	assert_string_equal(t.s, "grid: # done, o in doubt, X failed, - skipped, > now, . not yet\n"
	                         "  columns: numjobs 1 16\n"
	                         "    in each: iodepth 1 4 32\n"
	                         "  rows: bs 4k 64k 1m\n"
	                         "\n"
	                         "  read: 18/18, 1 failed, 1 in doubt\n"
	                         "            1   16\n"
	                         "         4k X## ###\n"
	                         "        64k ### ##o\n"
	                         "         1m ##- ###\n"
	                         "\n"
	                         "  randwrite: 2/18\n"
	                         "            1   16\n"
	                         "         4k ... ...\n"
	                         "        64k #># ...\n"
	                         "         1m ... ...\n");
}

static void signs_and_colours_of_a_terminal(void **state)
{
	static const struct draw_style terminal = { .utf8 = true, .colour = true };
	AUTO(grid_fini) struct grid g = { 0 };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	for (int i = 0; i < GRID_STATES; i++) {
		static const char *const depth[] = { "1", "2", "4", "8", "16", "32" };
		const char *value[AXIS_COUNT] = { [AXIS_iodepth] = depth[i] };

		add(&g, value, (enum grid_state)i);
	}
	grid_sort(&g);
	grid_draw(&t, &terminal, &g);
	assert_non_null(strstr(t.s, "            1  2  4  8  16 32\n"
	                            "            \x1b[90m·\x1b[0m  \x1b[32m■\x1b[0m  \x1b[33m□\x1b[0m  "
	                            "\x1b[31m×\x1b[0m  \x1b[90m–\x1b[0m  \x1b[34m▸\x1b[0m\n"));
}

static void one_axis_is_one_line_and_none_is_nothing(void **state)
{
	AUTO(grid_fini) struct grid g = { 0 };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	grid_draw(&t, &ascii, &g);
	add(&g, (const char *const[AXIS_COUNT]){ [AXIS_bs] = "4096" }, GRID_DONE);
	grid_draw(&t, &ascii, &g);
	assert_int_equal(t.len, 0);
	add(&g, (const char *const[AXIS_COUNT]){ [AXIS_bs] = "8192" }, GRID_LEFT);
	grid_draw(&t, &ascii, &g);
	assert_string_equal(t.s, "grid: # done, . not yet\n"
	                         "  columns: bs 4k 8k\n"
	                         "\n"
	                         "  1/2\n"
	                         "            4k 8k\n"
	                         "            #  .\n");
}

/* What one sign tells of several runs. */
static void several_runs_behind_a_sign(void **state)
{
	static const struct {
		uint32_t runs[GRID_STATES];
		char sign;
	} cases[] = {
		{ { [GRID_DONE] = 3 }, '#' },
		{ { [GRID_DONE] = 2, [GRID_LEFT] = 1 }, '+' },
		{ { [GRID_DONE] = 2, [GRID_SKIPPED] = 1 }, '#' },
		{ { [GRID_DONE] = 1, [GRID_DOUBTED] = 1, [GRID_LEFT] = 1 }, 'o' },
		{ { [GRID_DOUBTED] = 2, [GRID_FAILED] = 1 }, 'X' },
		{ { [GRID_FAILED] = 2, [GRID_NOW] = 1 }, '>' },
		{ { [GRID_LEFT] = 2, [GRID_SKIPPED] = 1 }, '.' },
		{ { [GRID_SKIPPED] = 3 }, '-' },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(grid_fini) struct grid g = { 0 };
		AUTO(text_fini) struct text t = { 0 };
		char line[32];

		assert_true(grid_add(&g, (const char *const[AXIS_COUNT]){ [AXIS_iodepth] = "1" },
		                     cases[i].runs));
		add(&g, (const char *const[AXIS_COUNT]){ [AXIS_iodepth] = "2" }, GRID_DONE);
		grid_draw(&t, &ascii, &g);
		(void)snprintf(line, sizeof(line), "\n            %c #\n", cases[i].sign);
		assert_non_null(strstr(t.s, line));
		assert_non_null(strstr(t.s, "\n  a sign stands for up to 3 runs: "));
	}
}

/* Where no combination is, nothing was skipped. */
static void a_gap_is_no_state(void **state)
{
	AUTO(grid_fini) struct grid g = { 0 };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	add(&g, (const char *const[AXIS_COUNT]){ [AXIS_bs] = "4096", [AXIS_iodepth] = "1" }, GRID_DONE);
	add(&g, (const char *const[AXIS_COUNT]){ [AXIS_bs] = "4096", [AXIS_iodepth] = "2" }, GRID_LEFT);
	add(&g, (const char *const[AXIS_COUNT]){ [AXIS_bs] = "8192", [AXIS_iodepth] = "2" }, GRID_DONE);
	grid_draw(&t, &ascii, &g);
	assert_string_equal(t.s, "grid: # done, . not yet\n"
	                         "  columns: iodepth 1 2\n"
	                         "  rows: bs 4k 8k\n"
	                         "\n"
	                         "  2/3\n"
	                         "            1 2\n"
	                         "         4k # .\n"
	                         "         8k   #\n");
}

static void too_many_values_of_an_axis(void **state)
{
	AUTO(grid_fini) struct grid g = { 0 };
	uint32_t runs[GRID_STATES] = { 1 };
	char depth[32];
	int i = 0;

	(void)state;
	do
		(void)snprintf(depth, sizeof(depth), "%d", ++i);
	while (grid_add(&g, (const char *const[AXIS_COUNT]){ [AXIS_iodepth] = depth }, runs) && i < 10000);
	assert_int_equal(i, 4097);
	assert_int_equal(g.cells, 4096);
}

static size_t check_width(const char *s)
{
	size_t lines = 0;

	for (; *s; s = strchr(s, '\n') + 1, lines++)
		if (strcspn(s, "\n") > DRAW_WIDTH)
			fail_msg("too wide: %.*s", (int)strcspn(s, "\n"), s);
	return lines;
}

/* 40 targets, 100 sizes and 1,000 depths do not fit: places are shared, and it says so. */
static void more_than_fits(void **state)
{
	AUTO(grid_fini) struct grid g = { 0 };
	AUTO(text_fini) struct text t = { 0 };
	char path[128], bs[32], depth[32];

	(void)state;
	for (int f = 0; f < 40; f++)
		for (int b = 0; b < 100; b++)
			for (int d = 0; d < 1000; d += f + b ? 50 : 1) {
				const char *value[AXIS_COUNT] = { [AXIS_filename] = path,
					                          [AXIS_bs] = bs,
					                          [AXIS_iodepth] = depth };

				(void)snprintf(path, sizeof(path), "/a/path/that/is/much/longer/than/any/line/of/"
				                                   "eighty/columns/could/hold/\x1b[2J%d", f);
				(void)snprintf(bs, sizeof(bs), "%d", 4096 * (b + 1));
				(void)snprintf(depth, sizeof(depth), "%d", d + 1);
				add(&g, value, d ? GRID_DONE : GRID_FAILED);
			}
	grid_sort(&g);
	grid_draw(&t, &ascii, &g);
	assert_true(check_width(t.s) <= 210);
	assert_non_null(strstr(t.s, "  columns: iodepth 1 to 1000 (1000 values, 15 to a place)\n"));
	assert_non_null(strstr(t.s, "  rows: bs 4k to 400k (100 values, 4 to a place)\n"));
	assert_non_null(strstr(t.s, "  not told apart: filename\n"));
	assert_non_null(strstr(t.s, "\n         4k X###"));
	assert_null(strchr(t.s, '\x1b'));
}

static void blocks_of_long_names(void **state)
{
	AUTO(grid_fini) struct grid g = { 0 };
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	add_some(&g, "/a/path/that/is/much/longer/than/any/line/of/eighty/columns/could/hold/one");
	add_some(&g, "/a/path/that/is/much/longer/than/any/line/of/eighty/columns/could/hold/\x1b[2Jtwo");
	grid_sort(&g);
	grid_draw(&t, &ascii, &g);
	(void)check_width(t.s);
	assert_non_null(strstr(t.s, "/could/hold/one: 18/18, 1 failed, 1 in doubt\n"));
	assert_non_null(strstr(t.s, "hold/?[2Jtwo: 2/18\n"));
}

TEST_MAIN(cmocka_unit_test(patterns_sizes_jobs_and_depths), cmocka_unit_test(signs_and_colours_of_a_terminal),
          cmocka_unit_test(one_axis_is_one_line_and_none_is_nothing),
          cmocka_unit_test(several_runs_behind_a_sign), cmocka_unit_test(a_gap_is_no_state),
          cmocka_unit_test(more_than_fits), cmocka_unit_test(too_many_values_of_an_axis),
          cmocka_unit_test(blocks_of_long_names))
