#include "engine/engine.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>

#include "engine/engines.h"

/* The engines; to add one: its file, its line in engines.h, its id, and its row here. */
static const struct engine_ops *const table[ENGINE_COUNT] = {
	[ENGINE_IO_URING] = &engine_io_uring, [ENGINE_LIBAIO] = &engine_libaio,
	[ENGINE_PSYNC] = &engine_psync,       [ENGINE_NULL] = &engine_null,
	[ENGINE_PVSYNC2] = &engine_pvsync2,   [ENGINE_MMAP] = &engine_mmap,
	[ENGINE_SIM] = &engine_sim,
};

const char *op_name(uint64_t op)
{
	static const char *const name[OP_COUNT] = { "read", "write", "trim", "sync" };

	return op < OP_COUNT ? name[op] : NULL;
}

const struct engine_ops *engine_ops(uint64_t id)
{
	return id < ENGINE_COUNT ? table[id] : NULL;
}

const char *engine_name(uint64_t id)
{
	return id < ENGINE_COUNT ? table[id]->name : NULL;
}

int engine_open(const struct engine_ops *ops, struct engine **eng, const struct engine_env *env,
                struct err *e)
{
	int r;

	assert(env->depth >= 1 && env->depth <= ENGINE_DEPTH_MAX);
	*eng = NULL;
	r = ops->open(eng, env, e);
	assert(r == 0 ? *eng != NULL : r < 0);
	return r;
}

int engine_bind(const struct engine_ops *ops, struct engine *eng, const struct engine_run *run,
                struct err *e)
{
	return ops->bind ? ops->bind(eng, run, e) : 0;
}

void engine_unbind(const struct engine_ops *ops, struct engine *eng)
{
	if (eng && ops->unbind)
		ops->unbind(eng);
}

int engine_submit(const struct engine_ops *ops, struct engine *eng, struct io *const ios[],
                  unsigned n)
{
	int r = ops->submit(eng, ios, n);

	assert(r <= (int)n);
	return r;
}

int engine_reap(const struct engine_ops *ops, struct engine *eng, struct io *done[],
                unsigned min, unsigned max, uint64_t deadline_ns)
{
	int r;

	assert(min <= max);
	r = ops->reap(eng, done, min, max, deadline_ns);
	assert(r <= (int)max);
	return r;
}

void engine_describe(const struct engine_ops *ops, const struct engine *eng, char *buf,
                     size_t len)
{
	(void)snprintf(buf, len, "%s", "");
	if (ops->describe)
		ops->describe(eng, buf, len);
}

struct engine_polls engine_polls(const struct engine_ops *ops, const struct engine *eng)
{
	return ops->polls ? ops->polls(eng) : (struct engine_polls){ 0 };
}

void engine_close(const struct engine_ops *ops, struct engine *eng)
{
	if (eng)
		ops->close(eng);
}
