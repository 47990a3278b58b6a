/* Batch means, warm-up, and what repeats say, against values that another program computed by
 * the plain formulas, and closed forms. */
#include "support/test.h"

#include <math.h>

#include "base/cleanup.h"
#include "stat/batch.h"
#include "stat/between.h"

static void close_to(double got, double expect)
{
	if (!(fabs(got - expect) <= 1e-9 * fmax(1, fabs(expect))))
		fail_msg("%.15g, not %.15g", got, expect);
}

/* z[i] = base + i x step mod modulus */
static void batch_means_as_computed_elsewhere(void **state)
{
	static const struct {
		unsigned n, step, modulus;
		double base;
		struct stat_interval expect;
	} cases[] = {
		{ 10,
		  3,
		  7,
		  100,
		  { 103, 1.61726219733, 0, 10, 1, 100, 106, 0.0137687555163, 0.610624809991 } },
		{ 20,
		  7919,
		  101,
		  1000,
		  { 1046.1, 14.0181633215, 0, 20, 1, 1000, 1091, 0.0219318011116,
		    1.04195696658 } },
		{ 47,
		  37,
		  211,
		  5000,
		  { 5104.955555555556, 20.0016936295, 0, 15, 3, 5044, 5166, -0.00144957187569,
		    -0.23647986702 } },
		{ 70,
		  13,
		  17,
		  50,
		  { 58, 0.649085785764, 0, 17, 4, 56, 60, 0.00287356321839, 0.161514570617 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct stat_interval *want = &cases[i].expect;
		struct stat_interval got;
		double z[70];

		for (unsigned k = 0; k < cases[i].n; k++)
			z[k] = cases[i].base + k * cases[i].step % cases[i].modulus;
		stat_batch_means(&got, z, cases[i].n, 0.95);
		assert_int_equal(got.batches, want->batches);
		assert_int_equal(got.per, want->per);
		close_to(got.mean, want->mean);
		close_to(got.half_width, want->half_width);
		close_to(got.rho, want->rho);
		close_to(got.lowest, want->lowest);
		close_to(got.highest, want->highest);
		close_to(got.drift, want->drift);
		close_to(got.drift_t, want->drift_t);
	}
}

/* A staircase: r1 of 1..5 is 0.4, so that rho is 0.6, S^2 2.5, t(4) 2.776. */
static void neighbours_widen_the_interval(void **state)
{
	static const double z[] = { 1, 2, 3, 4, 5 };
	struct stat_interval in;

	(void)state;
	stat_batch_means(&in, z, 5, 0.95);
	close_to(in.rho, 0.6);
	close_to(in.half_width, 2.776445105197800 * sqrt(2.5 / 5 * 1.6 / 0.4));
	close_to(in.drift, 4.0 / 3);
	assert_true(in.drift_t > 1e6);
}

static void a_constant_has_no_width(void **state)
{
	static const double z[7] = { 5, 5, 5, 5, 5, 5, 5 };
	struct stat_interval in;

	(void)state;
	stat_batch_means(&in, z, 7, 0.95);
	assert_true(in.mean == 5 && in.half_width == 0 && in.rho == 0 && in.drift == 0);
	assert_true(in.lowest == 5 && in.highest == 5);
	assert_int_equal(in.batches, 7);
}

static void warm_up_is_cut_only_when_it_is_one(void **state)
{
	double y[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		y[i] = 1000 - 400 * pow(0.5, i) + i * 7 % 5;
	assert_int_equal(stat_warm_up(y, 40, 20, 0.01), 7);
	assert_int_equal(stat_warm_up(y, 40, 20, 0.2), 0); /* the head is 11 % lower */
	for (int i = 0; i < 40; i++)
		y[i] = 1000 + i * 7 % 5;
	assert_int_equal(stat_warm_up(y, 40, 20, 0), 0); /* without the guard: 1 */
	for (int i = 0; i < 40; i++)
		y[i] = 1000 + 10 * i;
	assert_int_equal(stat_warm_up(y, 40, 20, 0.01), 20); /* never settles */
}

static void repeats_widen_what_is_reproducible(void **state)
{
	static const double rate[] = { 990, 1000, 1010, 1000 };

	(void)state;
	close_to(stat_run_spread(rate, 4), sqrt(200.0 / 3) / 1000);
	close_to(stat_reproducible(0.01, 0, 8, 0.95), 0.01);
	close_to(stat_reproducible(0.03, 0.02, 5, 0.95), hypot(0.03, 2.776445105197800 * 0.02));
}

static void steady_by_both_tests_of_snia(void **state)
{
	static const struct {
		double round[6];
		unsigned n;
		bool steady;
		double excursion, rise;
	} cases[] = {
		{ { 100, 100, 100, 100 }, 4, false, 0, 0 },
		{ { 100, 100, 100, 100, 100 }, 5, true, 0, 0 },
		{ { 90, 110, 90, 110, 100 }, 5, true, 0.2, 0.08 },
		{ { 89, 110, 90, 111, 100 }, 5, false, 0.22, 0.092 },
		{ { 95, 97.5, 100, 102.5, 105 }, 5, true, 0.1, 0.1 },
		{ { 94, 97, 100, 103, 106 }, 5, false, 0.12, 0.12 },
		{ { 106, 103, 100, 97, 94 }, 5, false, 0.12, -0.12 },
		{ { 500, 100, 100, 100, 100, 100 }, 6, true, 0, 0 }, /* the last five */
		{ { 0, 0, 0, 0, 0 }, 5, false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct stat_steady got;

		stat_snia_steady(&got, cases[i].round, cases[i].n);
		assert_int_equal(got.steady, cases[i].steady);
		close_to(got.excursion, cases[i].excursion);
		close_to(got.rise, cases[i].rise);
	}
}

TEST_MAIN(cmocka_unit_test(batch_means_as_computed_elsewhere),
          cmocka_unit_test(neighbours_widen_the_interval),
          cmocka_unit_test(a_constant_has_no_width),
          cmocka_unit_test(warm_up_is_cut_only_when_it_is_one),
          cmocka_unit_test(repeats_widen_what_is_reproducible),
          cmocka_unit_test(steady_by_both_tests_of_snia))
