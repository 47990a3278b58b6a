#include "run/loop_fail.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"

#define AGAIN_NS SEC /* "try again" is believed for so long while nothing completes */

void loop_fail(struct loop *l, const struct io *io, int error, uint64_t now)
{
	struct tally *t = l->tally;

	t->errors[io->op]++;
	if (!t->first_error.error) {
		t->first_error = (struct io_error){ .error = error,
			                            .op = io->op,
			                            .data_only = io->data_only,
			                            .offset = io->offset,
			                            .len = io->len };
		t->first_error_ns = now;
	}
	l->aborted = true;
	atomic_store_explicit(&l->run->stop, 1, memory_order_relaxed);
}

/* The kernel says "try again", and has said nothing else for long. */
static bool again_too_long(struct loop *l, uint64_t now)
{
	if (!l->again_ns || l->again_ios != l->ios) {
		l->again_ns = now;
		l->again_ios = l->ios;
	}
	return now > l->again_ns && now - l->again_ns > AGAIN_NS;
}

static void note_short(struct tally *t, const struct io *io)
{
	t->short_ios[io->op]++;
	if (t->first_short.len)
		return;
	t->first_short =
	    (struct io_error){ .op = io->op, .offset = io->offset, .len = io->len };
	t->first_short_bytes = (uint32_t)io->res;
}

bool loop_odd_result(struct loop *l, struct io *io, uint64_t now)
{
	bool again = io->res == -EAGAIN || io->res == -EINTR;

	if (again && l->phase == LOOP_DRAIN) {
		l->free[l->nfree++] = io;
		return true;
	}
	if (again && !again_too_long(l, now)) {
		l->batch[l->nbatch++] = io; /* again, with its first stamp */
		return true;
	}
	if (io->res > 0 && (uint32_t)io->res < io->len) {
		if (l->phase == LOOP_WINDOW)
			note_short(l->tally, io);
		return false;
	}
	if (io->res < 0)
		loop_fail(l, io, -io->res, now);
	else /* nothing there to read, or no progress in writing: going on would count I/Os that
	        are none */
		loop_fail(l, io, io->op == OP_READ ? ENODATA : EIO, now);
	l->free[l->nfree++] = io;
	return true;
}

void loop_submit_less(struct loop *l, int r, uint64_t now)
{
	unsigned taken = r > 0 ? (unsigned)r : 0;
	bool again = r == -EAGAIN || r == -EBUSY || r == -EINTR;

	if (again && l->inflight == l->nbatch)
		again = !again_too_long(l, now); /* nothing is in flight that could make room */
	if (r < 0 && !again) {
		loop_fail(l, l->batch[0], -r, now);
		l->inflight -= l->nbatch;
		l->free[l->nfree++] = l->batch[0];
		memmove(&l->batch[0], &l->batch[1], --l->nbatch * sizeof(struct io *));
		return;
	}
	l->nbatch -= taken;
	l->inflight -= l->nbatch;
	memmove(&l->batch[0], &l->batch[taken], l->nbatch * sizeof(struct io *));
	for (unsigned i = 0; i < l->nbatch; i++)
		if (!l->batch[i]->res)
			l->batch[i]->start = 0; /* stamped when it is really submitted */
}
