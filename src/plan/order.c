#include "plan/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/divisor.h"
#include "base/rng.h"

const struct space *order_decode(const struct plan_order *o, uint64_t number, struct job *job,
                                 size_t level[AXIS_COUNT])
{
	size_t s = 0;

	while (number >= o->first[s + 1])
		s++;
	space_decode(&o->space[s], number - o->first[s], job, level);
	return &o->space[s];
}

/* A step near `about` that visits all of 0..n-1 before it comes back. */
static uint64_t coprime_near(uint64_t about, uint64_t n)
{
	uint64_t step = about % n;

	while (greatest_divisor(step ? step : n, n) != 1 && n > 1)
		step = (step + 1) % n;
	return step;
}

/* Stable: targets one after another, inside in listed order. Include entries came last and move
 * to their target. */
static void group_by_target(struct plan_order *o)
{
	uint64_t *sorted = xcalloc(o->combinations, sizeof(*sorted));
	uint64_t *next = xcalloc(o->targets + 1, sizeof(*next));
	struct job job;

	for (uint64_t i = 0; i < o->combinations; i++) {
		(void)order_decode(o, o->index[i], &job, NULL);
		o->target_first[job.filename + 1]++;
	}
	for (size_t t = 0; t < o->targets; t++)
		o->target_first[t + 1] += o->target_first[t];
	memcpy(next, o->target_first, (o->targets + 1) * sizeof(*next));
	for (uint64_t i = 0; i < o->combinations; i++) {
		(void)order_decode(o, o->index[i], &job, NULL);
		sorted[next[job.filename]++] = o->index[i];
	}
	free(o->index);
	free(next);
	o->index = sorted;
}

static void shuffle(uint32_t *v, uint64_t n, uint64_t seed)
{
	struct rng rng;

	rng_seed(&rng, seed);
	for (uint64_t i = n; i > 1; i--) {
		uint64_t j = rng_below(&rng, i);
		uint32_t tmp = v[i - 1];

		v[i - 1] = v[j];
		v[j] = tmp;
	}
}

/* --- spread ---
 * The rows of one target and rw are a block. Its lattice, the rows on every other level of each
 * axis, leads; then come rows with one odd level, with two, and so on: any optimum that is at
 * least two levels wide is met early. Inside such a class rows are visited in steps of the
 * golden ratio, so that any prefix lies spread over the grid. */

#define CLASSES (AXIS_COUNT + 1)
#define BUCKETS ((size_t)RW_COUNT * CLASSES)

static size_t bucket_of(const struct plan_order *o, uint64_t combination)
{
	size_t level[AXIS_COUNT], odd = 0;
	struct job job;

	(void)order_decode(o, o->index[combination], &job, level);
	for (size_t a = 0; a < AXIS_COUNT; a++)
		odd += a != AXIS_filename && a != AXIS_rw && level[a] % 2;
	return rw_of(job.rw) * CLASSES + odd;
}

/* Copy v[0..n-1] to out, in golden steps from a seeded start. */
static void visit_golden(uint32_t *out, const uint32_t *v, uint64_t n, uint64_t *seed)
{
	uint64_t step, at;

	if (!n)
		return;
	step = coprime_near((uint64_t)((double)n * 0.6180339887498949), n);
	at = rng_splitmix(seed) % n;
	for (uint64_t i = 0; i < n; i++) {
		out[i] = v[at];
		at = (at + step) % n;
	}
}

struct block_sizes {
	uint64_t first[BUCKETS + 1]; /* of each bucket among the target's rows, sorted */
};

/* The target's combinations from..to-1, sorted by rw and class. */
static void sort_blocks(const struct plan_order *o, uint64_t from, uint64_t to,
                        uint32_t *sorted, struct block_sizes *b)
{
	uint64_t next[BUCKETS];

	*b = (struct block_sizes){ 0 };
	for (uint64_t i = from; i < to; i++)
		b->first[bucket_of(o, i) + 1]++;
	for (size_t k = 0; k < BUCKETS; k++)
		b->first[k + 1] += b->first[k];
	memcpy(next, b->first, sizeof(next));
	for (uint64_t i = from; i < to; i++)
		sorted[next[bucket_of(o, i)]++] = (uint32_t)i;
}

static void spread_target(struct plan_order *o, uint64_t from, uint64_t to, uint64_t seed,
                          uint32_t *scratch[2])
{
	uint32_t *sorted = scratch[0], *ordered = scratch[1], *out = o->run + from;
	struct block_sizes b;

	sort_blocks(o, from, to, sorted, &b);
	for (size_t k = 0; k < BUCKETS; k++)
		visit_golden(ordered + b.first[k], sorted + b.first[k],
		             b.first[k + 1] - b.first[k], &seed);
	for (int round = 1; round <= 2; round++)
		for (size_t rw = 0; rw < RW_COUNT; rw++) {
			uint64_t lo = b.first[rw * CLASSES], hi = b.first[(rw + 1) * CLASSES];
			uint64_t quarter = lo + (hi - lo + 3) / 4;

			for (uint64_t i = round == 1 ? lo : quarter;
			     i < (round == 1 ? quarter : hi); i++)
				*out++ = ordered[i];
		}
	assert(out == o->run + to);
}

static void spread(struct plan_order *o)
{
	uint32_t *scratch[2];

	for (size_t i = 0; i < 2; i++)
		scratch[i] = xcalloc(o->combinations, sizeof(*scratch[i]));
	for (size_t t = 0; t < o->targets; t++)
		spread_target(o, o->target_first[t], o->target_first[t + 1], o->seed, scratch);
	free(scratch[0]);
	free(scratch[1]);
}

void order_build(struct plan_order *o)
{
	o->target_first = xcalloc(o->targets + 1, sizeof(*o->target_first));
	o->run = xcalloc(o->combinations, sizeof(*o->run));
	group_by_target(o);
	if (o->order == ORDER_SPREAD) {
		spread(o);
		return;
	}
	for (uint64_t i = 0; i < o->combinations; i++)
		o->run[i] = (uint32_t)i;
	if (o->order == ORDER_RANDOM)
		shuffle(o->run, o->combinations, o->seed);
}

/* A later round of a random order: the shuffled list once more, from another start and in other
 * steps, so that a run seldom follows the same one again, without a list per round. */
static uint64_t random_round(const struct plan_order *o, uint64_t i, uint64_t round)
{
	uint64_t n = o->combinations, state = o->seed ^ (round * 0x9e3779b97f4a7c15ULL);
	uint64_t step = coprime_near(rng_splitmix(&state), n), start = rng_splitmix(&state) % n;

	return round ? (uint64_t)(((unsigned __int128)step * i + start) % n) : i;
}

void order_at(const struct plan_order *o, uint64_t i, uint64_t *combination, uint64_t *repeat)
{
	uint64_t from = 0, n = o->combinations;

	assert(i < n * o->repeats);
	if (o->order == ORDER_RANDOM) {
		*repeat = i / n + 1;
		*combination = o->run[random_round(o, i % n, i / n)];
		return;
	}
	for (size_t t = 0; t < o->targets; t++) {
		from = o->target_first[t];
		n = o->target_first[t + 1] - from;
		if (i < o->target_first[t + 1] * o->repeats)
			break;
	}
	assert(n > 0); /* i lies inside a target that has combinations */
	i -= from * o->repeats;
	*repeat = i / n + 1;
	*combination = o->run[from + i % n];
}
