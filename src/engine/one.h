/* engine/one.h: what the synchronous engines share: submit does the I/O, so that one is in flight
 * at a time and reap has nothing to wait for. */
#ifndef ENGINE_ONE_H
#define ENGINE_ONE_H

#include "engine/engine.h"

struct one {
	struct io *done; /* the one that is complete and not reaped yet */
};

static inline bool one_busy(const struct one *one, unsigned n)
{
	return !n || one->done;
}

static inline int one_complete(struct one *one, struct io *io, int32_t res)
{
	io->res = res;
	one->done = io;
	return 1;
}

static inline int one_reap(struct one *one, struct io *done[], unsigned max)
{
	if (!one->done || !max)
		return 0;
	done[0] = one->done;
	one->done = NULL;
	return 1;
}

#endif
