#include "support/test.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "base/text.h"
#include "model/hist.h"

static struct hist a, b, c;

static void reset(void)
{
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	memset(&c, 0, sizeof(c));
}

static void index_is_fixed(void **state)
{
	/* clang-format off */
	static const struct {
		uint64_t value;
		unsigned index;
	} cases[] = {
		{ 0, 0 }, { 1, 1 }, { 127, 127 }, { 128, 128 }, { 255, 255 }, { 256, 256 }, { 257, 256 }, { 258, 257 },
		{ 511, 383 }, { 512, 384 }, { 1000, 506 }, { 1024, 512 }, { 1000000, 1780 }, { 1ULL << 40, 4352 },
		{ (1ULL << 41) - 1, HIST_BUCKETS - 1 },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(hist_index(cases[i].value), cases[i].index);
}

static void buckets_tile_the_range(void **state)
{
	(void)state;
	assert_int_equal(hist_low(0), 0);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		assert_int_equal(hist_index(hist_low(i)), i);
		assert_int_equal(hist_index(hist_high(i)), i);
		if (i)
			assert_int_equal(hist_low(i), hist_high(i - 1) + 1);
		/* half the width is at most 1/256 of the smallest value in it */
		assert_true(hist_low(i) < 256 ||
		            (hist_high(i) - hist_low(i) + 1) * 128 <= hist_low(i));
	}
	assert_int_equal(hist_high(HIST_BUCKETS - 1), (1ULL << HIST_TOP_BITS) - 1);
}

static int by_value(const void *x, const void *y)
{
	uint64_t p = *(const uint64_t *)x, q = *(const uint64_t *)y;

	return (p > q) - (p < q);
}

static uint64_t draw(struct rng *r, int shape)
{
	unsigned shift = 23 + (unsigned)rng_below(r, 40);

	switch (shape) {
	case 0:
		return rng_below(r, 1000000);
	case 1:
		return rng_next(r) >> shift;
	case 2:
		return rng_below(r, 2) ? 1024 : 5000000;
	default:
		return 4242;
	}
}

/* v: n sorted samples, which are all in histogram a */
static void assert_like_samples(const uint64_t *v, size_t n)
{
	static const double p[] = { 0.01, 1, 50, 90, 95, 99, 99.9, 99.99, 100 };
	double sum = 0, squares = 0, mean;

	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		size_t rank = (size_t)ceil(p[i] * (double)n / 100);
		double exact = (double)v[rank - 1], got = hist_percentile(&a, p[i]);

		assert_true(fabs(got - exact) <= exact / 256);
		assert_true(got >= (double)v[0] && got <= (double)v[n - 1]);
	}
	for (size_t i = 0; i < n; i++)
		sum += (double)v[i];
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += ((double)v[i] - mean) * ((double)v[i] - mean);
	assert_true(fabs(hist_mean(&a) - mean) <= mean * 1e-9);
	squares /= (double)n;
	/* every midpoint is within 1/256 of its values: so is the deviation, of their root mean
	 * square */
	assert_true(fabs(hist_stddev(&a) - sqrt(squares)) <= sqrt(squares + mean * mean) / 256);
	assert_int_equal(a.min, v[0]);
	assert_int_equal(a.max, v[n - 1]);
	assert_int_equal(a.n, n);
}

static void percentiles_match_sorted_samples(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 100, 9999 };
	struct rng r;

	(void)state;
	rng_seed(&r, 7);
	for (int shape = 0; shape < 4; shape++)
		for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
			AUTO(freep) uint64_t *v = xcalloc(sizes[s], sizeof(*v));

			reset();
			for (size_t i = 0; i < sizes[s]; i++) {
				v[i] = draw(&r, shape);
				hist_record(&a, v[i]);
			}
			qsort(v, sizes[s], sizeof(*v), by_value);
			assert_like_samples(v, sizes[s]);
		}
}

static void one_sample_is_exact(void **state)
{
	(void)state;
	reset();
	hist_record(&a, 123456);
	assert_true(hist_percentile(&a, 50) == 123456);
	assert_true(hist_percentile(&a, 99.99) == 123456);
	assert_true(hist_stddev(&a) == 0);
}

static void overflow_is_counted_apart(void **state)
{
	(void)state;
	reset();
	hist_record(&a, 10);
	hist_record(&a, (1ULL << 41) + 5);
	hist_record(&a, UINT64_MAX);
	assert_int_equal(a.n, 3);
	assert_int_equal(a.overflow, 2);
	assert_true(a.sum == UINT64_MAX);
	assert_true(hist_percentile(&a, 99) == (double)UINT64_MAX);
	assert_true(hist_percentile(&a, 1) == 10);
	hist_clear(&a);
	assert_memory_equal(&a, &b, sizeof(a));
}

static void merging_is_addition(void **state)
{
	struct rng r;

	(void)state;
	reset();
	rng_seed(&r, 9);
	for (int i = 0; i < 5000; i++) {
		unsigned shift = (unsigned)rng_below(&r, 64);
		uint64_t v = rng_next(&r) >> shift;

		hist_record(i % 3 ? &a : &b, v);
		hist_record(&c, v);
	}
	hist_merge(&a, &b);
	assert_memory_equal(&a, &c, sizeof(a));
	hist_clear(&b);
	hist_merge(&a, &b);
	assert_memory_equal(&a, &c, sizeof(a));
	hist_merge(&b, &a);
	assert_memory_equal(&b, &c, sizeof(b));
}

static void packing_round_trips(void **state)
{
	static const int counts[] = { 0, 1, 2, 5000 };
	AUTO(freep) uint8_t *blob = xcalloc(1, 65536);
	struct rng r;
	size_t len;

	(void)state;
	rng_seed(&r, 11);
	for (size_t k = 0; k < ARRAY_SIZE(counts); k++) {
		reset();
		for (int i = 0; i < counts[k]; i++)
			hist_record(&a, draw(&r, 1));
		len = hist_pack(&a, blob, 65536);
		assert_true(len < 65536);
		blob[3] = 0xee;
		assert_int_equal(hist_pack(&a, blob, 3), len);
		assert_int_equal(blob[3], 0xee); /* nothing beyond the size was written */
		(void)hist_pack(&a, blob, 65536);
		assert_int_equal(hist_unpack(&b, blob, len, NULL), 0);
		assert_memory_equal(&a, &b, sizeof(a));
		for (size_t cut = 0; cut < len; cut++)
			assert_int_equal(hist_unpack(&b, blob, cut, NULL), -EINVAL);
	}
}

static void packed_form_is_fixed(void **state)
{
	static const uint8_t want[] = { 1, 7, 0, 2, 0xad, 2, 1, 0xac, 2, 0, 1, 1, 0x94, 2, 1 };
	uint8_t blob[32];

	(void)state;
	reset();
	hist_record(&a, 1);
	hist_record(&a, 300); /* bucket 278: a gap of 276 after bucket 1 */
	assert_int_equal(hist_pack(&a, blob, sizeof(blob)), sizeof(want));
	assert_memory_equal(blob, want, sizeof(want));
}

static void malformed_blobs_are_refused(void **state)
{
	/* clang-format off */
	static const struct {
		const char *text;
		uint8_t len, blob[24];
	} cases[] = {
		{ "not version 1", 3, { 2, 7, 0 } },
		{ "not version 1", 3, { 1, 6, 0 } },
		{ "not version 1", 3, { 1, 7, 1 } },
		{ "cut short in its header", 6, { 1, 7, 0, 1, 5, 5 } },
		{ "cut short in its header", 14, { 1, 7, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1 } },
		{ "cut short in its buckets", 9, { 1, 7, 0, 1, 5, 5, 5, 0, 5 } },
		{ "no such bucket", 11, { 1, 7, 0, 1, 5, 5, 5, 0, 0x80, 0x23, 1 } },
		{ "no such bucket", 10, { 1, 7, 0, 1, 5, 5, 5, 0, 5, 0 } },
		{ "do not add up", 10, { 1, 7, 0, 2, 10, 5, 5, 0, 5, 1 } },
		{ "contradict", 10, { 1, 7, 0, 1, 5, 6, 5, 0, 5, 1 } },
		{ "contradict", 8, { 1, 7, 0, 0, 5, 0, 0, 0 } },
		{ "sum is not between", 10, { 1, 7, 0, 1, 9, 5, 5, 0, 5, 1 } },
		{ "max and overflow", 8, { 1, 7, 0, 1, 5, 5, 5, 1 } },
		{ "in no bucket", 10, { 1, 7, 0, 1, 5, 5, 5, 0, 6, 1 } },
		{ "outside min and max", 14, { 1, 7, 0, 3, 17, 5, 6, 0, 5, 1, 0, 1, 3, 1 } },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err e = { 0 };

		assert_int_equal(hist_unpack(&a, cases[i].blob, cases[i].len, &e), -EINVAL);
		if (!strstr(e.text, cases[i].text))
			fail_msg("case %zu: \"%s\" does not say \"%s\"", i, e.text,
			         cases[i].text);
	}
}

/* Whatever the bytes: no crash, and what is accepted survives another round. */
static void noise_never_breaks_it(void **state)
{
	static uint8_t again[65536];
	uint8_t blob[64] = { 0 };
	struct rng r;

	(void)state;
	rng_seed(&r, 13);
	for (int i = 0; i < 5000; i++) {
		size_t len = rng_below(&r, sizeof(blob));

		for (size_t k = 3; k < len; k++)
			blob[k] = (uint8_t)draw(&r, 1);
		blob[0] = 1;
		blob[1] = 7;
		blob[2] = 0;
		if (hist_unpack(&a, blob, len, NULL))
			continue;
		assert_int_equal(
		    hist_unpack(&b, again, hist_pack(&a, again, sizeof(again)), NULL), 0);
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

TEST_MAIN(cmocka_unit_test(index_is_fixed), cmocka_unit_test(buckets_tile_the_range),
          cmocka_unit_test(percentiles_match_sorted_samples),
          cmocka_unit_test(one_sample_is_exact), cmocka_unit_test(overflow_is_counted_apart),
          cmocka_unit_test(merging_is_addition), cmocka_unit_test(packing_round_trips),
          cmocka_unit_test(packed_form_is_fixed), cmocka_unit_test(malformed_blobs_are_refused),
          cmocka_unit_test(noise_never_breaks_it))
