/* The null engine: every I/O is complete as soon as it is submitted. Measures this program
 * alone. */
#include <errno.h>
#include <stdlib.h>

#include "engine/engines.h"

struct engine {
	unsigned head, tail, mask; /* a ring of completed I/Os */
	struct io *done[];
};

static int null_probe(struct err *e)
{
	(void)e;
	return 0;
}

static int null_open(struct engine **eng, const struct engine_env *env, struct err *e)
{
	unsigned n = 1;

	while (n < env->depth)
		n *= 2;
	*eng = calloc(1, sizeof(**eng) + n * sizeof(struct io *));
	if (!*eng)
		return err_set(e, -ENOMEM, "null: out of memory for %u I/Os", env->depth);
	(*eng)->mask = n - 1;
	return 0;
}

static int null_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	unsigned room = eng->mask + 1 - (eng->tail - eng->head);

	if (n > room)
		n = room;
	for (unsigned i = 0; i < n; i++) {
		ios[i]->res = (int32_t)ios[i]->len;
		if (ios[i]->op == OP_SYNC)
			ios[i]->res = 0;
		eng->done[eng->tail++ & eng->mask] = ios[i];
	}
	return (int)n;
}

static int null_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                     uint64_t deadline_ns)
{
	unsigned n = eng->tail - eng->head;

	(void)min;
	(void)deadline_ns; /* nothing in flight is ever incomplete: there is nothing to wait for
	                    */
	if (n > max)
		n = max;
	for (unsigned i = 0; i < n; i++)
		done[i] = eng->done[eng->head++ & eng->mask];
	return (int)n;
}

static void null_close(struct engine *eng)
{
	free(eng);
}

const struct engine_ops engine_null = {
	.name = "null",
	.help =
	    "no I/O at all: the cost of this program; needs size, opens and creates no target",
	.caps = ENGINE_ASYNC | ENGINE_NO_TARGET,
	.probe = null_probe,
	.open = null_open,
	.submit = null_submit,
	.reap = null_reap,
	.close = null_close,
};
