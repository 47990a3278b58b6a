/* The sim engine: a simulated device on a clock of its own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/heap.h"
#include "engine/engines.h"
#include "engine/sim.h"

#define NTH_MAX 256 /* completions that may be waited for together */

struct engine {
	struct sim *sim; /* borrowed while bound */
	unsigned n, depth;
	uint64_t order;
	struct heap_item flight[]; /* by the time of completion */
};

static int probe(struct err *e)
{
	(void)e;
	return 0;
}

static int open_port(struct engine **eng, const struct engine_env *env, struct err *e)
{
	*eng = calloc(1, sizeof(**eng) + env->depth * sizeof(struct heap_item));
	if (!*eng)
		return err_set(e, -ENOMEM, "sim: out of memory for %u I/Os", env->depth);
	(*eng)->depth = env->depth;
	return 0;
}

static int bind_port(struct engine *eng, const struct engine_run *run, struct err *e)
{
	if (!run->sim)
		return err_set(e, -EINVAL, "sim: there is no device to simulate");
	eng->sim = run->sim;
	eng->n = 0;
	return 0;
}

static int submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	unsigned i;

	for (i = 0; i < n && eng->n < eng->depth; i++) {
		struct io *io = ios[i];

		io->res = io->op == OP_SYNC ? 0 : (int32_t)io->len;
		heap_push(eng->flight, eng->n++,
		          (struct heap_item){ sim_serve(eng->sim, (enum op)io->op, io->len),
		                              eng->order++, io });
	}
	return (int)i;
}

/* When the n-th of those in flight will be complete: n are taken out and put back. */
static uint64_t nth(struct engine *eng, unsigned n)
{
	struct heap_item out[NTH_MAX];
	uint64_t key;

	for (unsigned i = 0; i < n; i++)
		out[i] = heap_pop(eng->flight, eng->n--);
	key = out[n - 1].key;
	for (unsigned i = 0; i < n; i++)
		heap_push(eng->flight, eng->n++, out[i]);
	return key;
}

static uint64_t due(struct engine *eng, unsigned min, uint64_t deadline_ns)
{
	uint64_t now = sim_now(eng->sim), at = deadline_ns;

	if (!min)
		return now;
	if (min <= eng->n)
		at = min == 1 ? eng->flight[0].key : nth(eng, min);
	if (at > deadline_ns)
		at = deadline_ns;
	return at > now ? at : now;
}

static int reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                uint64_t deadline_ns)
{
	uint64_t now = due(eng, min, deadline_ns);
	unsigned n = 0;

	sim_pass(eng->sim, now - sim_now(eng->sim));
	while (n < max && eng->n && eng->flight[0].key <= now) {
		done[n++] = eng->flight[0].what;
		(void)heap_pop(eng->flight, eng->n--);
	}
	return (int)n;
}

static void describe(const struct engine *eng, char *buf, size_t len)
{
	(void)snprintf(buf, len, "device=simulated clock_s=%.3f",
	               (double)(sim_now(eng->sim) - SIM_EPOCH_NS) / 1e9);
}

static uint64_t now(struct engine *eng)
{
	return sim_now(eng->sim);
}

static void close_port(struct engine *eng)
{
	free(eng);
}

const struct engine_ops engine_sim = {
	.name = "sim",
	.help = "a simulated device, described by the JSON file that filename names, on a "
		"clock of its own: a rehearsal "
		"in moments; opens no target, writes nothing",
	.caps = ENGINE_ASYNC | ENGINE_NO_TARGET | ENGINE_SIMULATED,
	.probe = probe,
	.open = open_port,
	.bind = bind_port,
	.submit = submit,
	.reap = reap,
	.describe = describe,
	.now = now,
	.due = due,
	.close = close_port,
};
