/* Quantiles against published tables and closed forms. */
#include "support/test.h"

#include <math.h>

#include "base/cleanup.h"
#include "stat/quantile.h"

static void close_to(double got, double expect, double relative)
{
	if (!(fabs(got - expect) <= relative * fabs(expect)))
		fail_msg("%.15g, not %.15g", got, expect);
}

static void normal_as_in_tables(void **state)
{
	static const struct {
		double p, z;
	} cases[] = {
		{ 0.9, 1.2815515655446004 },     { 0.95, 1.6448536269514722 },
		{ 0.975, 1.959963984540054 },    { 0.995, 2.5758293035489004 },
		{ 0.999999, 4.753424308822899 }, { 1e-10, -6.361340902404056 },
		{ 0.025, -1.959963984540054 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		close_to(stat_normal_quantile(cases[i].p), cases[i].z, 1e-11);
	assert_true(fabs(stat_normal_quantile(0.5)) < 1e-12);
}

static void t_as_in_tables(void **state)
{
	static const struct {
		unsigned df;
		double p, t;
	} cases[] = {
		{ 1, 0.975, 12.706204736432095 },   { 2, 0.975, 4.302652729911275 },
		{ 3, 0.975, 3.182446305284263 },    { 4, 0.975, 2.776445105197800 },
		{ 5, 0.975, 2.570581836614740 },    { 7, 0.975, 2.364624251010299 },
		{ 9, 0.975, 2.262157162740992 },    { 19, 0.975, 2.093024054408263 },
		{ 30, 0.975, 2.042272456301238 },   { 100, 0.975, 1.983971518449634 },
		{ 1000, 0.975, 1.962339080826408 }, { 3, 0.995, 5.840909309738857 },
		{ 10, 0.9, 1.372183641110336 },     { 9, 0.025, -2.262157162740992 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		close_to(stat_t_quantile(cases[i].df, cases[i].p), cases[i].t, 1e-9);
}

static void t_is_the_inverse_of_its_distribution(void **state)
{
	static const double p[] = { 0.51, 0.6, 0.9, 0.975, 0.999, 0.99999 };

	(void)state;
	for (unsigned df = 1; df <= 300; df++)
		for (size_t i = 0; i < ARRAY_SIZE(p); i++)
			close_to(stat_t_below(df, stat_t_quantile(df, p[i])), p[i], 1e-9);
	close_to(stat_t_below(1, 1), 0.75, 1e-14); /* Cauchy */
	close_to(stat_t_below(2, -sqrt(2)), 0.5 - 0.5 * sqrt(0.5), 1e-14);
}

TEST_MAIN(cmocka_unit_test(normal_as_in_tables), cmocka_unit_test(t_as_in_tables),
          cmocka_unit_test(t_is_the_inverse_of_its_distribution))
