/* The three orders: every combination and repeat exactly once, in rounds, the same for the same
 * seed. wrap: engine_ops */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "base/units.h"
#include "plan/plan.h"
#include "plan/seen.h"
#include "support/fixture.h"

const struct engine_ops *__wrap_engine_ops(uint64_t id);
const struct engine_ops *__wrap_engine_ops(uint64_t id)
{
	static const struct engine_ops ops[ENGINE_COUNT] = {
		[ENGINE_IO_URING] = { .name = "io_uring", .caps = ENGINE_ASYNC },
		[ENGINE_LIBAIO] = { .name = "libaio", .caps = ENGINE_ASYNC },
		[ENGINE_PSYNC] = { .name = "psync" },
		[ENGINE_NULL] = { .name = "null", .caps = ENGINE_ASYNC | ENGINE_NO_TARGET },
	};

	return id < ENGINE_COUNT ? &ops[id] : NULL;
}

static void powers(struct sweep *s, enum axis_id a, uint64_t first, size_t n)
{
	uint64_t val[32];

	for (size_t i = 0; i < n; i++)
		val[i] = first << i;
	fixture_axis(s, a, val, n);
}

/* targets, rw patterns, bs, numjobs, iodepth levels, repeats, include entries */
struct shape {
	size_t targets, rw, bs, jobs, depth, repeats, includes;
};

static struct sweep *sweep_of(const struct shape *shape, enum order order, uint64_t seed)
{
	static const uint64_t rw[] = { RW_RANDWRITE, RW_READ,     RW_RANDRW,
		                       RW_WRITE,     RW_RANDREAD, RW_RW };
	struct sweep *s = fixture_sweep();

	fixture_targets(s, shape->targets);
	fixture_axis(s, AXIS_ioengine, VALUES(ENGINE_LIBAIO));
	fixture_axis(s, AXIS_rw, rw, shape->rw);
	powers(s, AXIS_bs, 4096, shape->bs);
	powers(s, AXIS_numjobs, 1, shape->jobs);
	powers(s, AXIS_iodepth, 1, shape->depth);
	for (size_t i = 0; i < shape->includes; i++) {
		struct partial *x = fixture_include(s, NULL);

		fixture_partial(x, AXIS_rw, VALUES(RW_READ));
		fixture_partial(x, AXIS_bs, VALUES(512 * (3 + 2 * i)));
		fixture_partial(x, AXIS_filename, VALUES(i % shape->targets));
	}
	s->repeats = shape->repeats;
	s->order = order;
	s->seed = seed;
	return s;
}

static struct plan *plan_of(const struct sweep *s, struct world *w)
{
	struct err e = { 0 };
	struct plan *p = NULL;

	fixture_world(w, s);
	assert_int_equal(plan_new(&p, s, w, PLAN_MAX_DEFAULT, &e), 0);
	return p;
}

static void check_rounds(const struct plan *p, enum order order)
{
	uint64_t *rounds = xcalloc(p->combinations, sizeof(*rounds)), last_target = 0,
		 last_repeat = 1;
	struct plan_row row;

	for (uint64_t i = 0; i < p->runs; i++) {
		plan_row(p, i, &row);
		assert_true(row.combination < p->combinations);
		/* repeat k+1 of a combination comes after its repeat k, and each once */
		assert_int_equal(row.repeat, ++rounds[row.combination]);
		if (order != ORDER_RANDOM && row.job.filename != last_target) {
			assert_true(row.job.filename > last_target);
			last_repeat = 1;
		}
		assert_true(row.repeat >= last_repeat);
		last_repeat = row.repeat;
		last_target = row.job.filename;
	}
	for (uint64_t i = 0; i < p->combinations; i++)
		assert_int_equal(rounds[i], p->sweep->repeats);
	free(rounds);
}

static void every_row_once_in_rounds(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 7);
	for (unsigned n = 0; n < 150; n++) {
		struct shape shape = { 1 + rng_below(&rng, 3),
			               1 + rng_below(&rng, 6),
			               1 + rng_below(&rng, 5),
			               1 + rng_below(&rng, 4),
			               1 + rng_below(&rng, 4),
			               1 + rng_below(&rng, 3),
			               0 };
		enum order order = (enum order)(n % 3);
		struct sweep *s;
		struct world w;
		struct plan *p;

		shape.includes = shape.bs == 1 ? 0 : rng_below(&rng, 3);
		/* what an include entry does not name must be scalar */
		if (shape.includes)
			shape.jobs = shape.depth = 1;
		s = sweep_of(&shape, order, n);
		p = plan_of(s, &w);
		assert_int_equal(p->combinations, shape.targets * shape.rw * shape.bs *
		                                          shape.jobs * shape.depth +
		                                      shape.includes);
		check_rounds(p, order);
		plan_free(p);
		fixture_world_fini(&w);
		sweep_free(s);
	}
}

/* Combination numbers in run order. */
static uint64_t *sequence(const struct shape *shape, enum order order, uint64_t seed,
                          uint64_t *n)
{
	struct sweep *s = sweep_of(shape, order, seed);
	struct plan_row row;
	struct world w;
	struct plan *p = plan_of(s, &w);
	uint64_t *v = xcalloc(p->runs, sizeof(*v));

	for (uint64_t i = 0; i < p->runs; i++) {
		plan_row(p, i, &row);
		v[i] = row.combination;
	}
	*n = p->runs;
	plan_free(p);
	fixture_world_fini(&w);
	sweep_free(s);
	return v;
}

static void the_seed_decides(void **state)
{
	static const enum order orders[] = { ORDER_SPREAD, ORDER_RANDOM };
	const struct shape shape = { 1, 2, 5, 3, 4, 2, 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		uint64_t n;
		uint64_t *a = sequence(&shape, orders[i], 1, &n),
			 *b = sequence(&shape, orders[i], 1, &n);
		uint64_t *c = sequence(&shape, orders[i], 2, &n);

		assert_memory_equal(a, b, n * sizeof(*a));
		assert_memory_not_equal(a, c, n * sizeof(*a));
		free(a);
		free(b);
		free(c);
	}
}

static void a_later_random_round_has_other_neighbours(void **state)
{
	const struct shape shape = { 1, 2, 5, 3, 4, 2, 0 };
	uint64_t n, half, same = 0;
	uint64_t *v = sequence(&shape, ORDER_RANDOM, 1, &n);

	(void)state;
	half = n / 2;
	for (uint64_t i = 0; i + 1 < half; i++)
		for (uint64_t k = half; k + 1 < n; k++)
			same += v[i] == v[k] && v[i + 1] == v[k + 1];
	assert_int_equal(same, 0);
	free(v);
}

/* The reference grid: blocks in the order of enum rw, a quarter of each first, then the rest of
 * each. */
static void spread_goes_by_quarters_and_blocks(void **state)
{
	const struct shape shape = { 1, 6, 11, 6, 6, 1, 0 };
	struct sweep *s = sweep_of(&shape, ORDER_SPREAD, 1);
	struct plan_row row;
	struct world w;
	struct plan *p = plan_of(s, &w);

	(void)state;
	assert_int_equal(p->runs, 2376);
	for (uint64_t i = 0; i < p->runs; i++) {
		uint64_t rw = i < 6 * 99 ? i / 99 : (i - 6 * 99) / 297;

		plan_row(p, i, &row);
		assert_int_equal(row.job.rw, rw);
	}
	plan_free(p);
	fixture_world_fini(&w);
	sweep_free(s);
}

static unsigned level(uint64_t value, uint64_t first)
{
	return (unsigned)__builtin_ctzll(value / first);
}

static unsigned bits(uint64_t v)
{
	return (unsigned)__builtin_popcountll(v);
}

/* Every box of two levels per axis has a measured cell after the quarter; every level and pair
 * is met early. */
static void the_quarter_covers_the_grid(void **state)
{
	const struct shape shape = { 1, 6, 11, 6, 6, 1, 0 };
	struct sweep *s = sweep_of(&shape, ORDER_SPREAD, 3);
	bool seen[11][6][6] = { 0 };
	uint64_t bs_seen = 0, depth_seen = 0;
	struct plan_row row;
	struct world w;
	struct plan *p = plan_of(s, &w);

	(void)state;
	for (uint64_t i = 0; i < 99; i++) {
		plan_row(p, i, &row);
		seen[level(row.job.bs, 4096)][level(row.job.numjobs, 1)]
		    [level(row.job.iodepth, 1)] = true;
		if (i < 12) { /* of the lattice: 6 block sizes, 3 depths */
			bs_seen |= 1ULL << level(row.job.bs, 4096);
			depth_seen |= 1ULL << level(row.job.iodepth, 1);
		}
	}
	assert_true(bits(bs_seen) >= 5);
	assert_int_equal(bits(depth_seen), 3);
	for (size_t b = 0; b + 1 < 11; b++)
		for (size_t j = 0; j + 1 < 6; j++)
			for (size_t d = 0; d + 1 < 6; d++) {
				bool any = false;

				for (size_t k = 0; k < 8; k++)
					any |=
					    seen[b + (k & 1)][j + (k >> 1 & 1)][d + (k >> 2)];
				assert_true(any);
			}
	plan_free(p);
	fixture_world_fini(&w);
	sweep_free(s);
}

static bool same_as(void *arg, uint64_t combination)
{
	const uint64_t *value = arg;

	return value[combination] == value[1000000];
}

/* The set behind merging: many values, most of them twice. */
static void seen_finds_what_was_there(void **state)
{
	uint64_t *value = xcalloc(1000001, sizeof(*value)), n = 0;
	struct seen set = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 30000; i++) {
		struct job job = { .bs = i % 20000, .numjobs = 1 };
		int64_t there;

		value[1000000] = job.bs;
		there = seen_add(&set, seen_hash(&job), n, same_as, value);
		assert_int_equal(there, i < 20000 ? -1 : (int64_t)(i - 20000));
		if (there < 0)
			value[n++] = job.bs;
	}
	assert_int_equal(set.used, 20000);
	seen_fini(&set);
	free(value);
}

TEST_MAIN(cmocka_unit_test(every_row_once_in_rounds), cmocka_unit_test(the_seed_decides),
          cmocka_unit_test(a_later_random_round_has_other_neighbours),
          cmocka_unit_test(spread_goes_by_quarters_and_blocks),
          cmocka_unit_test(the_quarter_covers_the_grid),
          cmocka_unit_test(seen_finds_what_was_there))
