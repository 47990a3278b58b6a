#include "support/engine_sim.h"

#include <errno.h>
#include <stdlib.h>

struct engine {
	uint64_t now_ns, free_ns; /* the time; when the server has nothing left to do */
	unsigned head, tail, depth;
	struct io **queue;
	uint64_t *ready_ns;
};

static int sim_probe(struct err *e)
{
	(void)e;
	return 0;
}

static int sim_open(struct engine **out, const struct engine_env *env, struct err *e)
{
	struct engine *eng = calloc(1, sizeof(*eng));

	if (!eng)
		return err_set(e, -ENOMEM, "sim: out of memory");
	eng->now_ns = 1000000000;
	eng->depth = env->depth;
	eng->queue = calloc(env->depth, sizeof(struct io *));
	eng->ready_ns = calloc(env->depth, sizeof(uint64_t));
	*out = eng;
	return eng->queue && eng->ready_ns ? 0 : err_set(e, -ENOMEM, "sim: out of memory");
}

static int sim_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned at = eng->tail++ % eng->depth;

		if (eng->free_ns < eng->now_ns)
			eng->free_ns = eng->now_ns;
		eng->free_ns += SIM_SERVICE_NS;
		ios[i]->res = (int32_t)ios[i]->len;
		eng->queue[at] = ios[i];
		eng->ready_ns[at] = eng->free_ns;
	}
	return (int)n;
}

static int sim_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                    uint64_t deadline_ns)
{
	unsigned n = 0;

	if (min &&
	    (eng->head == eng->tail || eng->ready_ns[eng->head % eng->depth] > deadline_ns)) {
		if (deadline_ns > eng->now_ns)
			eng->now_ns = deadline_ns;
	} else if (min && eng->ready_ns[eng->head % eng->depth] > eng->now_ns) {
		eng->now_ns = eng->ready_ns[eng->head % eng->depth];
	}
	while (n < max && eng->head != eng->tail &&
	       eng->ready_ns[eng->head % eng->depth] <= eng->now_ns)
		done[n++] = eng->queue[eng->head++ % eng->depth];
	return (int)n;
}

static uint64_t sim_now(struct engine *eng)
{
	return eng->now_ns;
}

static void sim_close(struct engine *eng)
{
	free(eng->queue);
	free(eng->ready_ns);
	free(eng);
}

const struct engine_ops engine_sim = {
	.name = "sim",
	.help = "a simulated device",
	.caps = ENGINE_ASYNC | ENGINE_NO_TARGET,
	.probe = sim_probe,
	.open = sim_open,
	.submit = sim_submit,
	.reap = sim_reap,
	.now = sim_now,
	.close = sim_close,
};
