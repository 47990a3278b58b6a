/* io_uring: submit fills queue entries, reap hands them to the kernel and waits in the same
 * system call. The deadline is a timeout kept in the ring, so that waiting arms no timer of its
 * own each time. */
#include <errno.h>
#include <inttypes.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/branch.h"
#include "base/clock.h"
#include "base/units.h"
#include "engine/engines.h"
#include "engine/rwf.h"
#include "engine/uring_compat.h"
#include "engine/uring_register.h"
#include "engine/uring_ring.h"

#define RING_MAX     32768u /* entries: the kernel's IORING_MAX_ENTRIES */
#define RING_SPARE   8u     /* entries for timeouts */
#define TIMEOUT_DATA 1u     /* user_data of a timeout: no pointer to an I/O is that */

struct engine {
	struct io_uring ring;
	const int *fds;
	unsigned flags, entries;
	bool poll, sq_thread, submit_now;
	int rw_flags; /* RWF_ of each read and write */
	bool sent;    /* by submit itself, since the last reap */
	bool ring_fd; /* registered: saves a lookup per call */
	struct uring_registered reg;
	struct engine_polls polls;
	uint64_t timeout_ns; /* the earliest timeout in the ring; 0: none */
	struct __kernel_timespec timeout;
};

static int uring_open(struct engine **out, const struct engine_env *env, struct err *e)
{
	unsigned asked =
	    (env->poll ? IORING_SETUP_IOPOLL : 0) | (env->sq_thread ? IORING_SETUP_SQPOLL : 0);
	struct engine *eng;
	int r;

	if (env->depth > RING_MAX)
		return err_set(e, -EINVAL,
		               "io_uring: iodepth %u is above the kernel's limit of %u",
		               env->depth, RING_MAX);
	eng = calloc(1, sizeof(*eng));
	if (!eng)
		return err_set(e, -ENOMEM, "io_uring: out of memory");
	eng->entries = env->depth + RING_SPARE < RING_MAX ? env->depth + RING_SPARE : RING_MAX;
	r = uring_init(&eng->ring, eng->entries, asked, &eng->flags);
	if (r) {
		free(eng);
		if (asked && r == -EINVAL)
			return err_set(e, r, "io_uring: this kernel refuses %s",
			               env->sq_thread ? "sqthread_poll=1" : "hipri=1");
		return uring_explain(r, e);
	}
	eng->poll = env->poll;
	eng->sq_thread = env->sq_thread;
	uring_registered_init(&eng->reg, env->arena);
	eng->ring_fd = io_uring_register_ring_fd(&eng->ring) == 1;
	*out = eng;
	return 0;
}

static int uring_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	int r = uring_register(&eng->ring, &eng->reg, run, e);

	if (r)
		return r;
	eng->fds = run->fds;
	eng->rw_flags = run->uncached ? RWF_DONTCACHE : 0;
	eng->submit_now = run->submit_now || eng->sq_thread;
	eng->sent = false;
	eng->polls = (struct engine_polls){ 0 };
	return 0;
}

static void uring_unbind(struct engine *eng)
{
	uring_unregister(&eng->ring, &eng->reg);
}

static void prepare(const struct engine *eng, struct io_uring_sqe *sqe, struct io *io)
{
	int fd = eng->reg.files.used ? io->file : eng->fds[io->file];
	bool write = io->op == OP_WRITE;

	if (likely(io->op <= OP_WRITE)) {
		io_uring_prep_rw(write ? IORING_OP_WRITE : IORING_OP_READ, sqe, fd, io->buf,
		                 io->len, io->offset);
		sqe->rw_flags = eng->rw_flags;
		if (eng->reg.buffers.used) {
			sqe->opcode = write ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED;
			if (unlikely(eng->reg.bytes > eng->reg.piece))
				sqe->buf_index =
				    (uint16_t)((size_t)((uint8_t *)io->buf - eng->reg.mem) /
				               eng->reg.piece);
		}
	} else if (io->op == OP_SYNC) {
		io_uring_prep_fsync(sqe, fd, io->data_only ? IORING_FSYNC_DATASYNC : 0);
	} else {
		io_uring_prep_rw(IORING_OP_URING_CMD, sqe, fd, NULL, 0, 0);
		sqe->cmd_op = BLOCK_URING_CMD_DISCARD;
		sqe->addr = io->offset;
		sqe->addr3 = io->len;
	}
	if (eng->reg.files.used)
		sqe->flags |= IOSQE_FIXED_FILE;
	io_uring_sqe_set_data(sqe, io);
}

static int uring_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&eng->ring);

		if (!sqe)
			break;
		prepare(eng, sqe, ios[i]);
	}
	if (eng->submit_now) {
		(void)io_uring_submit(&eng->ring); /* what is not taken stays queued for reap */
		eng->sent = i;
	}
	return (int)i;
}

/* See to it that a wait ends at the deadline. A timeout left from before may end it earlier:
 * reap waits again. */
static void arm_timeout(struct engine *eng, uint64_t deadline_ns)
{
	struct io_uring_sqe *sqe;

	if (eng->poll || (eng->timeout_ns && eng->timeout_ns <= deadline_ns))
		return; /* polling takes no timeouts, but comes back by itself */
	sqe = io_uring_get_sqe(&eng->ring);
	if (!sqe) { /* full: hand over what is queued first */
		(void)io_uring_submit(&eng->ring);
		sqe = io_uring_get_sqe(&eng->ring);
		if (!sqe)
			return;
	}
	eng->timeout = (struct __kernel_timespec){ .tv_sec = (long long)(deadline_ns / SEC),
		                                   .tv_nsec = (long long)(deadline_ns % SEC) };
	eng->timeout_ns = deadline_ns;
	io_uring_prep_timeout(sqe, &eng->timeout, 0, IORING_TIMEOUT_ABS);
	sqe->user_data = TIMEOUT_DATA;
}

/* A trim says 0 when all of it is done. */
static inline int32_t result(const struct io *io, int32_t res)
{
	return unlikely(io->op == OP_TRIM) && !res ? (int32_t)io->len : res;
}

static unsigned drain(struct engine *eng, struct io *done[], unsigned max)
{
	unsigned head, n = 0, seen = 0;
	struct io_uring_cqe *cqe;

	io_uring_for_each_cqe(&eng->ring, head, cqe)
	{
		if (n == max)
			break;
		seen++;
		if (unlikely(cqe->user_data == TIMEOUT_DATA)) {
			eng->timeout_ns = 0;
			continue;
		}
		if (unlikely(cqe->user_data == LIBURING_UDATA_TIMEOUT))
			continue; /* of a wait for several, before Linux 5.11 */
		done[n] = io_uring_cqe_get_data(cqe);
		done[n]->res = result(done[n], cqe->res);
		n++;
	}
	io_uring_cq_advance(&eng->ring, seen);
	return n;
}

/* Hand over what is queued, and wait for so many completions, or at most until the deadline. */
static int enter(struct engine *eng, unsigned wait, uint64_t deadline_ns)
{
	struct __kernel_timespec ts;
	struct io_uring_cqe *cqe;
	uint64_t now, left;
	int r;

	if (!wait) {
		r = io_uring_submit_and_get_events(&eng->ring);
	} else if (wait == 1 || eng->poll) {
		arm_timeout(eng, deadline_ns);
		r = io_uring_submit_and_wait(&eng->ring, wait);
	} else { /* a timeout in the ring would be only one of them */
		now = clock_mono_ns();
		left = deadline_ns > now ? deadline_ns - now : 0;
		ts = (struct __kernel_timespec){ (long long)(left / SEC),
			                         (long long)(left % SEC) };
		r = io_uring_submit_and_wait_timeout(&eng->ring, &cqe, wait, &ts, NULL);
	}
	/* EAGAIN, EBUSY: no memory, or completions must be taken first; EINTR: a signal.
	 * Entries stay queued. */
	return r == -EAGAIN || r == -EBUSY || r == -EINTR || r == -ETIME ? 0 : r;
}

/* One poll that does not wait: whether it finds anything tells if the device is ahead of us. */
static int look(struct engine *eng, struct io *done[], unsigned max)
{
	int r = enter(eng, 0, 0);

	if (r < 0)
		return r;
	r = (int)drain(eng, done, max);
	eng->polls.all++;
	eng->polls.empty += !r;
	return r;
}

/* Is there a reason to enter the kernel but to wait? What is queued; and completions are posted
 * only to who asks the kernel for them: a caller who never waits must ask, too, but need not in
 * each turn in which submit made a call. */
static bool must_enter(struct engine *eng, unsigned min)
{
	bool sent = eng->sent;

	eng->sent = false;
	return !eng->sq_thread && (io_uring_sq_ready(&eng->ring) || (!min && !sent));
}

static int uring_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                      uint64_t deadline_ns)
{
	unsigned n = drain(eng, done, max);
	bool queued;
	int r;

	if (eng->poll && n < min) {
		r = look(eng, done + n, max - n);
		if (r < 0)
			return n ? (int)n : r;
		n += (unsigned)r;
	}
	do {
		queued = must_enter(eng, min);
		if (n < min || queued) {
			r = enter(eng, n < min ? min - n : 0, deadline_ns);
			if (r < 0)
				return n ? (int)n : r;
		}
		n += drain(eng, done + n, max - n);
	} while (n < min && clock_mono_ns() < deadline_ns);
	return (int)n;
}

static void uring_describe(const struct engine *eng, char *buf, size_t len)
{
	char flags[128], buffers[64], files[64];

	uring_flags(eng->flags, flags, sizeof(flags));
	uring_wish_print(&eng->reg.buffers, buffers, sizeof(buffers));
	uring_wish_print(&eng->reg.files, files, sizeof(files));
	(void)snprintf(buf, len, "flags=%s entries=%u ring_fd=%d fixedbufs=%s registerfiles=%s",
	               flags, eng->entries, eng->ring_fd, buffers, files);
}

static struct engine_polls uring_polls(const struct engine *eng)
{
	return eng->polls;
}

static void uring_close(struct engine *eng)
{
	io_uring_queue_exit(&eng->ring);
	free(eng);
}

const struct engine_ops engine_io_uring = {
	.name = "io_uring",
	.help = "io_uring, one system call per batch to submit and wait",
	.caps = ENGINE_ASYNC | ENGINE_REGISTERS | ENGINE_POLLS | ENGINE_SQ_THREAD | ENGINE_UNCACHED,
	.depth_limit = RING_MAX,
	.probe = uring_probe,
	.open = uring_open,
	.bind = uring_bind,
	.unbind = uring_unbind,
	.submit = uring_submit,
	.reap = uring_reap,
	.describe = uring_describe,
	.polls = uring_polls,
	.close = uring_close,
};
