/* tests/support/engine_bench.h: a temporary file, buffers and I/Os to try an engine with. */
#ifndef SUPPORT_ENGINE_BENCH_H
#define SUPPORT_ENGINE_BENCH_H

#include "engine/engine.h"

#define BLOCK  4096u
#define BLOCKS 256u
#define DEPTH  32u

struct engine_bench {
	char path[64];
	int fd;
	uint8_t *mem;
	struct io io[DEPTH];
	struct sim *sim; /* for the engine that simulates */
};

int engine_setup(void **state);
int engine_teardown(void **state);

/* Says why when it is not. */
bool engine_usable(uint64_t id);
/* Opened and bound to the file; all of io[] is ready. */
struct engine *engine_opened(struct engine_bench *b, const struct engine_ops *ops,
                             unsigned depth);
/* Submit all n and wait for all; how many came back. */
unsigned engine_do_all(const struct engine_ops *ops, struct engine *eng, struct io *ios[],
                       unsigned n);
/* One block per I/O of io[], from block `first` of the file on. */
void engine_transfer(struct engine_bench *b, const struct engine_ops *ops, struct engine *eng,
                     enum op op, unsigned first);
/* One I/O of a block, or a sync. */
struct io *engine_one(const struct engine_ops *ops, struct engine *eng, struct io *io,
                      enum op op, uint64_t offset);

#endif
