#include "support/engine_bench.h"

#include "support/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/sim.h"

int engine_setup(void **state)
{
	const struct sim_device device = { .size_bytes = BLOCKS * BLOCK, .servers = 4, .noise.slot_ns = SEC };
	struct engine_bench *b = xcalloc(1, sizeof(*b));

	memcpy(b->path, "/tmp/iosweep-engines.XXXXXX", 28);
	b->fd = mkstemp(b->path);
	b->mem = aligned_alloc(BLOCK, DEPTH * BLOCK);
	b->sim = sim_new();
	*state = b;
	if (!b->sim || sim_begin(b->sim, 0, &device, NULL))
		return -1;
	return b->fd < 0 || !b->mem || ftruncate(b->fd, BLOCKS * BLOCK) ? -1 : 0;
}

int engine_teardown(void **state)
{
	struct engine_bench *b = *state;

	(void)close(b->fd);
	(void)unlink(b->path);
	sim_free(b->sim);
	free(b->mem);
	free(b);
	return 0;
}

bool engine_usable(uint64_t id)
{
	struct err e = { 0 };

	if (!engine_ops(id)->probe(&e))
		return true;
	print_message("%s: not usable here: %s\n", engine_name(id), e.text);
	return false;
}

struct engine *engine_opened(struct engine_bench *b, const struct engine_ops *ops,
                             unsigned depth)
{
	struct engine_env env = { .depth = depth,
		                  .arena = b->mem,
		                  .arena_size = DEPTH * BLOCK };
	struct engine_run run = { .fds = &b->fd, .n = 1, .sim = b->sim };
	struct engine *eng;
	struct err e = { 0 };

	if (engine_open(ops, &eng, &env, &e))
		fail_msg("%s: %s", ops->name, e.text);
	assert_int_equal(engine_bind(ops, eng, &run, &e), 0);
	for (unsigned i = 0; i < DEPTH; i++)
		b->io[i] = (struct io){ .slot = i, .buf = b->mem + i * BLOCK };
	return eng;
}

unsigned engine_do_all(const struct engine_ops *ops, struct engine *eng, struct io *ios[],
                       unsigned n)
{
	struct io *done[DEPTH];
	unsigned sent = 0, got = 0;

	for (int turn = 0; turn < 10000 && got < n; turn++) {
		int r = sent < n ? engine_submit(ops, eng, ios + sent, n - sent) : 0;

		assert_true(r >= 0 || r == -EAGAIN);
		sent += r > 0 ? (unsigned)r : 0;
		r = engine_reap(ops, eng, done, sent > got, DEPTH, clock_mono_ns() + 10 * SEC);
		assert_true(r >= 0);
		got += (unsigned)r;
		for (int i = 0; i < r; i++)
			done[i]->start++; /* seen */
	}
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(ios[i]->start, 1);
	return got;
}

void engine_transfer(struct engine_bench *b, const struct engine_ops *ops, struct engine *eng,
                     enum op op, unsigned first)
{
	unsigned depth = ops->caps & ENGINE_ASYNC ? DEPTH : 1;

	for (unsigned at = 0; at < DEPTH; at += depth) {
		struct io *ios[DEPTH];

		for (unsigned i = 0; i < depth; i++) {
			ios[i] = &b->io[at + i];
			ios[i]->slot = i;
			ios[i]->op = (uint8_t)op;
			ios[i]->len = BLOCK;
			ios[i]->offset = (uint64_t)(first + at + i) * BLOCK;
			ios[i]->start = 0;
			ios[i]->res = 0;
		}
		assert_int_equal(engine_do_all(ops, eng, ios, depth), depth);
		for (unsigned i = 0; i < depth; i++)
			assert_int_equal(ios[i]->res, BLOCK);
	}
}

struct io *engine_one(const struct engine_ops *ops, struct engine *eng, struct io *io,
                      enum op op, uint64_t offset)
{
	io->op = (uint8_t)op;
	io->offset = offset;
	io->len = op == OP_SYNC ? 0 : BLOCK;
	io->start = 0;
	io->slot = 0;
	assert_int_equal(engine_do_all(ops, eng, &io, 1), 1);
	return io;
}
