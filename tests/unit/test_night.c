/* stat/night.h: changes between sentinels. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "stat/night.h"

static unsigned fill(struct stat_visit *v, const double *rate, unsigned n)
{
	memset(v, 0, n * sizeof(*v));
	for (unsigned i = 0; i < n; i++)
		v[i] = (struct stat_visit){ .at_s = 1800.0 * i, .rate = rate[i] };
	return n;
}

static void who_is_away(void **state)
{
	static const struct {
		const char *what;
		double rate[10];
		const char *away; /* a letter for each run: a or . */
	} cases[] = {
		{ "one run knows nothing", { 100 }, "." },
		{ "same", { 100, 100, 100 }, "..." },
		{ "within 3 %", { 100, 100, 100, 100, 97.1 }, "....." },
		{ "a step after one run", { 100, 70 }, ".a" },
		{ "smaller: two runs alone do not tell", { 100, 93 }, ".." },
		{ "a step and no way back",
		  { 100, 100.3, 99.8, 100.1, 90, 90.2, 89.9 },
		  "....aaa" },
		{ "and back", { 100, 100.3, 99.8, 100.1, 80, 100.2, 81 }, "....a.a" },
		{ "faster is away, too", { 100, 100.3, 99.8, 100.1, 112 }, "....a" },
		{ "a device that scatters", { 100, 106, 95, 103, 97, 109, 92 }, "......." },
		{ "... and a step beyond that", { 100, 106, 95, 103, 97, 104, 60 }, "......a" },
	};
	struct stat_visit v[10];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned n = fill(v, cases[i].rate, (unsigned)strlen(cases[i].away)), away = 0;

		print_message("%s\n", cases[i].what);
		away = stat_visits(v, n);
		for (unsigned k = 0; k < n; k++) {
			assert_int_equal(v[k].away, cases[i].away[k] == 'a');
			away -= v[k].away;
		}
		assert_int_equal(away, 0);
	}
}

static void usual_is_the_mean_of_those_before(void **state)
{
	static const double rate[] = { 100, 102, 50, 101 };
	struct stat_visit v[4];

	(void)state;
	assert_int_equal(stat_visits(v, fill(v, rate, 4)), 1);
	assert_float_equal(v[0].usual, 0, 0);
	assert_float_equal(v[1].usual, 100, 1e-9);
	assert_float_equal(v[2].usual, 101, 1e-9);
	assert_float_equal(v[3].usual, 101, 1e-9); /* without the one that was away */
}

static double normal(struct rng *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)rng_below(r, 1U << 20) / (1U << 20);
	return sum;
}

/* Of 1,000 sweeps with eight sentinels each, whose runs differ by a known standard deviation
 * and nothing else, hardly any is told to have changed. */
static void false_alarms_are_rare(void **state)
{
	static const double sd[] = { 0.002, 0.01, 0.02, 0.05 };
	struct rng r;

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(sd); k++) {
		unsigned steps = 0, trends = 0;

		rng_seed(&r, 7);
		for (int sweep = 0; sweep < 1000; sweep++) {
			struct stat_trend t;
			struct stat_visit v[8];
			double rate[8];

			for (int i = 0; i < 8; i++)
				rate[i] = 1000 * (1 + sd[k] * normal(&r));
			steps += stat_visits(v, fill(v, rate, 8)) > 0;
			stat_trend(&t, v, 8);
			trends += t.found;
		}
		print_message("sd %g: %u steps, %u trends\n", sd[k], steps, trends);
		assert_in_range(steps, 0, sd[k] > 0.02 ? 120 : 25);
		assert_in_range(trends, 0, 10);
	}
}

static void trends(void **state)
{
	static const struct {
		const char *what;
		double rate[10];
		unsigned n, from;
		double rise; /* 0: none is found */
	} cases[] = {
		{ "too few", { 100, 98, 96, 94 }, 4, 0, 0 },
		{ "falls", { 100, 98, 96, 94, 92, 90 }, 6, 2, -0.1 },
		{ "rises", { 100, 101.2, 101.8, 103.1, 103.9, 105 }, 6, 4, 0.0495 },
		{ "a little", { 100, 99.5, 99, 98.5, 98, 97.5 }, 6, 0, 0 },
		{ "up and down", { 100, 95, 104, 96, 103, 97, 101 }, 7, 0, 0 },
	};
	struct stat_visit v[10];
	struct stat_trend t;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		print_message("%s\n", cases[i].what);
		fill(v, cases[i].rate, cases[i].n);
		(void)stat_visits(v, cases[i].n);
		stat_trend(&t, v, cases[i].n);
		assert_int_equal(t.found, cases[i].rise != 0);
		if (!t.found)
			continue;
		assert_float_equal(t.rise, cases[i].rise, 5e-4);
		assert_int_equal(t.from, cases[i].from);
	}
}

TEST_MAIN(cmocka_unit_test(who_is_away), cmocka_unit_test(usual_is_the_mean_of_those_before),
          cmocka_unit_test(false_alarms_are_rare), cmocka_unit_test(trends))
