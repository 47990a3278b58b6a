#include "support/test.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "run/permute.h"

static void assert_pass_is_bijective(struct permute *p, bool *seen)
{
	uint64_t wrong = 0;

	memset(seen, 0, p->n);
	for (uint64_t i = 0; i < p->n; i++) {
		uint64_t x = permute_next(p);

		if (x >= p->n) {
			fail_msg("%zu of %zu", (size_t)x, (size_t)p->n);
			return;
		}
		wrong += seen[x];
		seen[x] = true;
	}
	assert_int_equal(wrong, 0);
}

static void every_number_once_per_pass(void **state)
{
	AUTO(freep) bool *seen = xcalloc(1, 1 << 20);
	struct permute p;

	(void)state;
	for (uint64_t n = 1; n <= 300; n++)
		for (uint64_t seed = 0; seed < 20; seed++) {
			permute_init(&p, n, seed);
			for (int pass = 0; pass < 3; pass++)
				assert_pass_is_bijective(&p, seen);
		}
	for (unsigned k = 9; k <= 18; k++)
		for (uint64_t d = 0; d < 3; d++) {
			permute_init(&p, (1ULL << k) - 1 + d, k);
			assert_pass_is_bijective(&p, seen);
			assert_pass_is_bijective(&p, seen);
		}
	permute_init(&p, 700001, 1);
	assert_pass_is_bijective(&p, seen);
}

static void same_seed_same_order_else_another(void **state)
{
	struct permute a, b, c;
	unsigned same = 0, same_pass = 0;
	uint64_t first[1000];

	(void)state;
	permute_init(&a, 1000, 5);
	permute_init(&b, 1000, 5);
	permute_init(&c, 1000, 6);
	for (int i = 0; i < 1000; i++) {
		first[i] = permute_next(&a);
		assert_int_equal(first[i], permute_next(&b));
		same += first[i] == permute_next(&c);
	}
	for (int i = 0; i < 1000; i++)
		same_pass += first[i] == permute_next(&a);
	assert_in_range(same, 0, 20);
	assert_in_range(same_pass, 0, 20);
}

/* The first tenth of a pass spreads evenly over 256 equal parts, and neighbours are not
 * related. */
static void order_looks_random(void **state)
{
	const uint64_t n = 700001, draws = n / 10;
	unsigned bin[256] = { 0 }, rising = 0;
	double chi2 = 0, want = (double)draws / 256;
	struct permute p;
	uint64_t last = 0;

	(void)state;
	permute_init(&p, n, 3);
	for (uint64_t i = 0; i < draws; i++) {
		uint64_t x = permute_next(&p);

		bin[x * 256 / n]++;
		rising += x > last;
		last = x;
	}
	for (int i = 0; i < 256; i++)
		chi2 += ((double)bin[i] - want) * ((double)bin[i] - want) / want;
	assert_true(chi2 < 340); /* 255 degrees of freedom: above this once in 4000 */
	assert_in_range(rising, draws * 48 / 100, draws * 52 / 100);
}

static void huge_ranges_work(void **state)
{
	struct permute p;

	(void)state;
	permute_init(&p, UINT64_C(1) << 62, 3);
	for (int i = 0; i < 1000; i++)
		assert_true(permute_next(&p) < UINT64_C(1) << 62);
	permute_init(&p, (UINT64_C(1) << 62) + 1, 3);
	for (int i = 0; i < 1000; i++)
		assert_true(permute_next(&p) <= UINT64_C(1) << 62);
}

TEST_MAIN(cmocka_unit_test(every_number_once_per_pass),
          cmocka_unit_test(same_seed_same_order_else_another),
          cmocka_unit_test(order_looks_random), cmocka_unit_test(huge_ranges_work))
