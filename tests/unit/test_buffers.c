/* wrap: smaps_huge_bytes */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "run/buffers.h"
#include "run/lane.h"
#include "run/smaps.h"

static size_t granted; /* what the kernel is to say next */

size_t __wrap_smaps_huge_bytes(const void *from, size_t len);
size_t __wrap_smaps_huge_bytes(const void *from, size_t len)
{
	(void)from;
	return granted < len ? granted : len;
}

static void arenas_grow_in_place_and_give_back(void **state)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	uint8_t *first;

	(void)state;
	assert_false(arena_fits(&a, 1));
	assert_int_equal(arena_grow(&a, 4096, &e), 0);
	first = a.mem;
	assert_int_equal((uintptr_t)first % (2 * MIB), 0);
	for (size_t size = 4096; size <= 16 * MIB; size *= 4) {
		assert_true(arena_fits(&a, size));
		assert_int_equal(arena_grow(&a, size, &e), 0);
		assert_ptr_equal(a.mem, first);
		a.mem[size - 1] = 1;
	}
	arena_trim(&a, 4096);
	assert_int_equal(a.touched, 2 * MIB);
	assert_int_equal(a.mem[2 * MIB + 1], 0); /* given back, and still there to use */
	assert_int_equal(arena_grow(&a, 4 * MIB, &e), 0);
	arena_fini(&a);
	assert_null(a.mem);
	assert_int_equal(arena_grow(&a, SIZE_MAX / 4, &e), -12);
	assert_non_null(strstr(e.text, "bytes of I/O buffers: Cannot allocate memory"));
	arena_fini(&a);
}

static void what_is_given_back_is_asked_anew(void **state)
{
	struct arena a = { .huge = true };
	struct err e = { 0 };

	(void)state;
	granted = 4 * MIB;
	assert_int_equal(arena_grow(&a, 4 * MIB, &e), 0);
	arena_ask_huge(&a);
	assert_int_equal(a.granted, 4 * MIB);
	granted = 2 * MIB;
	arena_ask_huge(&a);
	assert_int_equal(a.granted, 4 * MIB); /* nothing was touched since */
	arena_trim(&a, 2 * MIB);
	assert_int_equal(arena_grow(&a, 4 * MIB, &e), 0);
	arena_ask_huge(&a);
	assert_int_equal(a.granted, 2 * MIB);
	arena_fini(&a);
}

static int by_bytes(const void *x, const void *y)
{
	return memcmp(x, y, STAMP_STEP);
}

/* Writes of the same slot over and over: no 4 KiB block comes twice. */
static void no_block_repeats(void **state)
{
	static const uint32_t sizes[] = { 4 * STAMP_STEP, STIR_BELOW, 2 * STIR_BELOW };

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(sizes); c++) {
		AUTO(freep) uint8_t *written = xcalloc(4, sizes[c]);
		struct pattern p = { .key = 77 };
		struct arena a = { 0 };
		size_t n = 4 * sizes[c] / STAMP_STEP;

		rng_seed(&p.rng, 77);
		assert_int_equal(arena_grow(&a, sizes[c], NULL), 0);
		arena_fill(&a, sizes[c], 5);
		for (unsigned i = 0; i < 4; i++) {
			pattern_apply(&p, a.mem, sizes[c], 0);
			memcpy(written + i * sizes[c], a.mem, sizes[c]);
		}
		qsort(written, n, STAMP_STEP, by_bytes);
		for (size_t i = 1; i < n; i++)
			assert_memory_not_equal(written + i * STAMP_STEP,
			                        written + (i - 1) * STAMP_STEP, STAMP_STEP);
		arena_fini(&a);
	}
}

static int by_four(const void *x, const void *y)
{
	return memcmp(x, y, 4);
}

/* ... and below 128 KiB nothing of one write is in another, in whatever place: of 64 Ki random
 * words of 4 bytes less than one pair is equal by chance. */
static void small_writes_have_nothing_in_common(void **state)
{
	static const uint32_t sizes[] = { 512, 1000, STAMP_STEP, STIR_BELOW - 512 };

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(sizes); c++) {
		unsigned writes = 256 * 1024 / sizes[c];
		AUTO(freep) uint8_t *written = xcalloc(writes, sizes[c]);
		struct pattern p = { .key = 77 };
		struct arena a = { 0 };
		size_t n = (size_t)writes * sizes[c] / 4;
		unsigned equal = 0;

		rng_seed(&p.rng, 77);
		assert_int_equal(arena_grow(&a, sizes[c], NULL), 0);
		arena_fill(&a, sizes[c], 5);
		for (unsigned i = 0; i < writes; i++) {
			pattern_apply(&p, a.mem, sizes[c], (uint64_t)i * sizes[c]);
			memcpy(written + (size_t)i * sizes[c], a.mem, sizes[c]);
		}
		qsort(written, n, 4, by_four);
		for (size_t i = 1; i < n; i++)
			equal += !memcmp(written + 4 * i, written + 4 * (i - 1), 4);
		assert_in_range(equal, 0, 8);
		arena_fini(&a);
	}
}

/* Every byte value about equally often: nothing for a compressor. */
static void data_is_incompressible(void **state)
{
	unsigned count[256] = { 0 };
	struct arena a = { 0 };

	(void)state;
	assert_int_equal(arena_grow(&a, MIB, NULL), 0);
	arena_fill(&a, MIB, 5);
	for (size_t i = 0; i < MIB; i++)
		count[a.mem[i]]++;
	for (int i = 0; i < 256; i++)
		assert_in_range(count[i], 4096 - 400, 4096 + 400);
	arena_fini(&a);
}

static void reading_into_it_spoils_it(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_int_equal(arena_grow(&a, 2 * STAMP_STEP, NULL), 0);
	arena_fill(&a, 2 * STAMP_STEP, 5);
	memset(a.mem, 0, 2 * STAMP_STEP);
	arena_fill(&a, 2 * STAMP_STEP, 5); /* still believed to be random: nothing to do */
	assert_int_equal(a.mem[100] | a.mem[101] | a.mem[102], 0);
	arena_spoil(&a, STAMP_STEP);
	arena_fill(&a, 2 * STAMP_STEP, 5);
	assert_int_equal(a.mem[100] | a.mem[101] | a.mem[102], 0);
	assert_int_not_equal(a.mem[STAMP_STEP] | a.mem[STAMP_STEP + 1] | a.mem[STAMP_STEP + 2],
	                     0);
	arena_fini(&a);
}

static void zero_and_refill_do_as_they_say(void **state)
{
	static const uint8_t zeros[STAMP_STEP];
	struct pattern zero = { .fixed = true }, refill = { .refill = true };
	uint8_t one[1000], two[1000];
	struct arena a = { 0 };

	(void)state;
	assert_int_equal(arena_grow(&a, STAMP_STEP, NULL), 0);
	arena_fill(&a, STAMP_STEP, 5);
	arena_repeat(&a, STAMP_STEP, STAMP_STEP, NULL, 0);
	pattern_apply(&zero, a.mem, STAMP_STEP, 0);
	assert_memory_equal(a.mem, zeros, STAMP_STEP);
	rng_seed(&refill.rng, 1);
	pattern_apply(&refill, a.mem, 1000, 0);
	memcpy(one, a.mem, 1000);
	pattern_apply(&refill, a.mem, 1000, 0);
	memcpy(two, a.mem, 1000);
	assert_memory_equal(a.mem + 1000, zeros, STAMP_STEP - 1000);
	for (int i = 0; i + 8 <= 1000; i += 8)
		assert_memory_not_equal(one + i, two + i, 8);
	arena_fini(&a);
}

static void bytes_repeat_in_each_buffer(void **state)
{
	static const uint8_t abc[] = "abc";
	struct arena a = { 0 };

	(void)state;
	assert_int_equal(arena_grow(&a, 64, NULL), 0);
	arena_repeat(&a, 24, 10, abc, 3);
	assert_memory_equal(a.mem, "abcabcabcaabcabcabcaabca", 24);
	assert_int_equal(a.mem[24], 0);
	arena_repeat(&a, 4, 2, abc, 3); /* cut */
	assert_memory_equal(a.mem, "abab", 4);
	arena_fill(&a, 24, 5); /* it is not taken for random */
	assert_memory_not_equal(a.mem, "abab", 4);
	arena_fini(&a);
}

/* Which part of a chunk is which, to the byte, also where a write ends within one. */
static void a_recipe_is_followed(void **state)
{
	static const uint8_t ab[] = "ab", none[1000];
	struct pattern p = { .mixed = true, .recipe = { ab, 2, 10, 70, 0 } };
	uint8_t one[1000], two[1000];

	(void)state;
	rng_seed(&p.rng, 1);
	memset(one, 0, sizeof(one));
	pattern_apply(&p, one, 25, 0); /* 3 random, 7 abababa, twice; then 1 and 4 */
	assert_memory_equal(one + 3, "abababa", 7);
	assert_memory_equal(one + 13, "abababa", 7);
	assert_memory_equal(one + 21, "abab", 4);
	assert_memory_equal(one + 25, none, sizeof(one) - 25);
	assert_memory_not_equal(one, one + 10, 3);

	p.recipe = (struct recipe){ NULL, 0, 512, 0, 100 }; /* dedupe alone: the same again */
	pattern_apply(&p, one, sizeof(one), 0);
	pattern_apply(&p, two, sizeof(two), 4096);
	assert_memory_equal(one, two, sizeof(one));
	p.recipe.dedupe = 0;
	pattern_apply(&p, two, sizeof(two), 4096);
	for (size_t i = 0; i + 8 <= sizeof(one); i += 8)
		assert_memory_not_equal(one + i, two + i, 8);
}

static void tiny_writes_stay_inside(void **state)
{
	struct pattern p = { .key = UINT64_MAX };
	uint8_t mem[32] = { 0 }, same[32] = { 0 };

	(void)state;
	for (uint32_t len = 0; len <= 16; len++) {
		memset(mem, 0, sizeof(mem));
		pattern_apply(&p, mem, len, 0x0123456789abcdef);
		assert_memory_equal(mem + len, same, sizeof(mem) - len);
	}
}

static void what_no_pattern_looks_at_is_not_there(void **state)
{
	static const unsigned per_slot[RW_COUNT] = {
		[RW_READ] = 1,     [RW_WRITE] = 1, [RW_RANDREAD] = 1, [RW_RANDWRITE] = 1,
		[RW_RW] = 2,       [RW_RANDRW] = 2, [RW_TRIM] = 0,     [RW_RANDTRIM] = 0,
		[RW_TRIMWRITE] = 1, [RW_RANDTRIMWRITE] = 1,
	};
	struct run_spec spec = { .job.bs = 64 * KIB };
	struct run run = { .spec = &spec, .ops = engine_ops(ENGINE_PSYNC), .depth = 4 };

	(void)state;
	for (uint64_t rw = 0; rw < RW_COUNT; rw++) {
		spec.job.rw = rw;
		assert_int_equal(lane_buffer_bytes(&run), per_slot[rw] * 4 * 64 * KIB);
	}
	run.ops = engine_ops(ENGINE_NULL);
	spec.job.rw = RW_READ;
	assert_int_equal(lane_buffer_bytes(&run), 0);
}

TEST_MAIN(cmocka_unit_test(arenas_grow_in_place_and_give_back),
          cmocka_unit_test(what_is_given_back_is_asked_anew),
          cmocka_unit_test(no_block_repeats),
          cmocka_unit_test(small_writes_have_nothing_in_common),
          cmocka_unit_test(data_is_incompressible), cmocka_unit_test(reading_into_it_spoils_it),
          cmocka_unit_test(zero_and_refill_do_as_they_say),
          cmocka_unit_test(bytes_repeat_in_each_buffer), cmocka_unit_test(a_recipe_is_followed),
          cmocka_unit_test(tiny_writes_stay_inside),
          cmocka_unit_test(what_no_pattern_looks_at_is_not_there))
