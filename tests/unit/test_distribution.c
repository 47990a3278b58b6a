#include "support/test.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "run/draw.h"

#define DRAWS 400000

static struct draw drawn(const char *text, bool once, uint64_t n, uint64_t seed)
{
	struct distribution by;
	struct draw d;

	assert_int_equal(distribution_parse(text, &by, NULL), 0);
	draw_init(&d, &by, once, n, seed);
	return d;
}

/* How often each rank came, the most frequent first: what the scattering moved is moved back. */
static uint64_t *count(struct draw *d)
{
	uint64_t *block = xcalloc(d->n, sizeof(*block)), *rank = xcalloc(d->n, sizeof(*rank));
	const struct permute where = d->order;

	for (int i = 0; i < DRAWS; i++) {
		uint64_t b = draw_next(d);

		assert_true(b < d->n);
		block[b]++;
	}
	for (uint64_t i = 0; i < d->n; i++)
		rank[i] = block[d->kind == DRAW_AGAIN ? i : permute_at(&where, i)];
	free(block);
	return rank;
}

/* Pearson's statistic over bins that are expected to hold 20 or more, against its expectation
 * plus six standard deviations. */
static void assert_fits(const uint64_t *n, const double *p, uint64_t ranks)
{
	double chi2 = 0, seen = 0, expected = 0;
	unsigned bins = 0;

	for (uint64_t i = 0; i < ranks; i++) {
		seen += (double)n[i];
		expected += p[i] * DRAWS;
		if (expected < 20)
			continue;
		chi2 += (seen - expected) * (seen - expected) / expected;
		seen = expected = 0;
		bins++;
	}
	assert_true(bins > 0);
	if (chi2 > bins + 6 * sqrt(2.0 * bins))
		print_message("chi2 %.1f over %u bins of %" PRIu64 " ranks\n", chi2, bins, ranks);
	assert_true(chi2 <= bins + 6 * sqrt(2.0 * bins));
}

static double normal_cdf(double x)
{
	return 0.5 * erfc(-x / sqrt(2));
}

/* The share of rank i of n. */
static double share(const struct distribution *by, uint64_t i, uint64_t n)
{
	double x = (double)i / (double)n, y = (double)(i + 1) / (double)n, a = 1;

	switch (by->kind) {
	case DISTRIBUTION_ZIPF:
		return pow((double)(i + 1), -by->value);
	case DISTRIBUTION_PARETO:
		a = log(1 - by->value) / log(by->value);
		return pow(y, a) - pow(x, a);
	case DISTRIBUTION_NORMAL:
		a = by->value / 100;
		return normal_cdf((y - 0.5) / a) - normal_cdf((x - 0.5) / a);
	case DISTRIBUTION_RANDOM:
		break;
	}
	return 1;
}

static void draws_follow_their_distribution(void **state)
{
	static const char *const text[] = {
		"random",     "zipf:0.5",   "zipf:0.99",  "zipf:1",   "zipf:1.1",  "zipf:1.2",
		"zipf:3",     "pareto:0.2", "pareto:0.5", "pareto:0.9", "normal:10", "normal:50",
		"normal:0.5",
	};
	static const uint64_t sizes[] = { 2, 3, 1000, 1024, 65537 };

	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(text); t++)
		for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
			uint64_t n = sizes[s], *seen;
			double *p = xcalloc(n, sizeof(*p)), sum = 0;
			struct draw d = drawn(text[t], false, n, 100 + s);
			struct distribution by;

			(void)distribution_parse(text[t], &by, NULL);
			for (uint64_t i = 0; i < n; i++)
				sum += p[i] = share(&by, i, n);
			for (uint64_t i = 0; i < n; i++)
				p[i] /= sum;
			seen = count(&d);
			assert_fits(seen, p, n);
			free(seen);
			free(p);
		}
}

/* 1024 draws of 1024 blocks. fio 3.33, two jobs: zipf:1.2: 209 and 220 different ones, the hottest
 * 22 and 24 %; pareto:0.2: 301 and 301, 39 and 39 %. By the formulas: 234, 23 %; 317, 38 %. */
static void as_hot_as_in_fio(void **state)
{
	/* clang-format off */
	static const struct {
		const char *text;
		unsigned distinct[2], hottest[2];
	} cases[] = {
		{ "zipf:1.2",   { 190, 280 }, { 190, 285 } },
		{ "pareto:0.2", { 275, 360 }, { 330, 450 } },
	};
	/* clang-format on */

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++)
		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct draw d = drawn(cases[c].text, false, 1024, seed);
			unsigned seen[1024] = { 0 }, distinct = 0, hottest = 0;

			for (int i = 0; i < 1024; i++)
				seen[draw_next(&d)]++;
			for (int i = 0; i < 1024; i++) {
				distinct += seen[i] > 0;
				hottest = seen[i] > hottest ? seen[i] : hottest;
			}
			assert_in_range(distinct, cases[c].distinct[0], cases[c].distinct[1]);
			assert_in_range(hottest, cases[c].hottest[0], cases[c].hottest[1]);
		}
}

static void frequent_blocks_lie_apart(void **state)
{
	const uint64_t n = 1 << 20;
	struct draw d = drawn("zipf:1.1", false, n, 3);
	uint64_t hot[16], near = 0;

	(void)state;
	for (uint64_t i = 0; i < 16; i++)
		hot[i] = permute_at(&d.order, i);
	for (int i = 0; i < 16; i++)
		for (int k = 0; k < i; k++)
			near += hot[i] > hot[k] ? hot[i] - hot[k] < n / 4096
			                        : hot[k] - hot[i] < n / 4096;
	assert_in_range(near, 0, 2);
}

static void scattering_loses_no_block(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 3, 5, 1000, 1024, 1025, 65537 };

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		struct permute p;
		unsigned char *seen = xcalloc(sizes[s], 1);

		permute_init(&p, sizes[s], s);
		for (uint64_t i = 0; i < sizes[s]; i++) {
			uint64_t at = permute_at(&p, i);

			assert_true(at < sizes[s]);
			assert_int_equal(seen[at]++, 0);
		}
		free(seen);
	}
}

static void large_regions_stay_inside(void **state)
{
	static const char *const text[] = { "random", "zipf:0.5", "zipf:1.1", "pareto:0.2",
		                            "normal:100" };

	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(text); t++) {
		struct draw d = drawn(text[t], false, UINT64_C(1) << 53, 1);

		for (int i = 0; i < 20000; i++)
			assert_true(draw_next(&d) < d.n);
	}
}

TEST_MAIN(cmocka_unit_test(draws_follow_their_distribution), cmocka_unit_test(as_hot_as_in_fio),
          cmocka_unit_test(frequent_blocks_lie_apart),
          cmocka_unit_test(scattering_loses_no_block),
          cmocka_unit_test(large_regions_stay_inside))
