/* io_uring: submit fills queue entries, reap hands them to the kernel and waits in the same
 * system call. The deadline is a timeout kept in the ring, so that waiting arms no timer of its
 * own each time. */
#include <errno.h>
#include <inttypes.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "engine/engines.h"
#include "engine/uring_compat.h"

#define RING_MAX     32768u /* entries: the kernel's IORING_MAX_ENTRIES */
#define RING_SPARE   8u     /* entries for timeouts */
#define TIMEOUT_DATA 1u     /* user_data of a timeout: no pointer to an I/O is that */

struct engine {
	struct io_uring ring;
	const int *fds;
	unsigned flags, entries;
	bool ring_fd;        /* registered: saves a lookup per call */
	uint64_t timeout_ns; /* the earliest timeout in the ring; 0: none */
	struct __kernel_timespec timeout;
};

/* The best first; a kernel that does not know a flag answers EINVAL. */
static const struct {
	unsigned flags;
	const char *name;
} ladder[] = {
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER |
	      IORING_SETUP_DEFER_TASKRUN,
	  "submit_all,coop_taskrun,single_issuer,defer_taskrun" },
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN, "submit_all,coop_taskrun" },
	{ IORING_SETUP_SUBMIT_ALL, "submit_all" },
	{ 0, "none" },
};

static int ring_init(struct io_uring *ring, unsigned entries, unsigned *flags)
{
	int r = -EINVAL;

	for (size_t i = 0; i < ARRAY_SIZE(ladder) && r == -EINVAL; i++) {
		struct io_uring_params p = { .flags = ladder[i].flags };

		*flags = ladder[i].flags;
		r = io_uring_queue_init_params(entries, ring, &p);
	}
	return r;
}

/* -1: there is no such file. */
static int sysctl_disabled(void)
{
	AUTO(fclosep) FILE *f = fopen("/proc/sys/kernel/io_uring_disabled", "re");
	char text[16] = "";

	return f && fgets(text, sizeof(text), f) ? text[0] - '0' : -1;
}

static int explain(int r, struct err *e)
{
	struct rlimit lock = { 0 };
	int disabled;

	switch (-r) {
	case EPERM:
		disabled = sysctl_disabled();
		if (disabled == 1)
			return err_set(
			    e, r,
			    "io_uring: %s: kernel.io_uring_disabled=1 and this user is not in "
			    "kernel.io_uring_group",
			    err_name(-r));
		if (disabled > 0)
			return err_set(e, r, "io_uring: %s: kernel.io_uring_disabled=%d",
			               err_name(-r), disabled);
		return err_set(e, r, "io_uring: %s: blocked by seccomp (container default?)",
		               err_name(-r));
	case ENOSYS:
		return err_set(e, r, "io_uring: %s: not in this kernel, or blocked by seccomp",
		               err_name(-r));
	case ENOMEM:
		(void)getrlimit(RLIMIT_MEMLOCK, &lock);
		return err_set(e, r,
		               "io_uring: %s: locked memory is limited to %llu KiB (ulimit -l)",
		               err_name(-r), (unsigned long long)lock.rlim_cur / 1024);
	default:
		return err_set(e, r, "io_uring: %s", err_name(-r));
	}
}

static int uring_probe(struct err *e)
{
	static const int needed[] = { IORING_OP_READ, IORING_OP_WRITE, IORING_OP_FSYNC,
		                      IORING_OP_TIMEOUT };
	struct io_uring_probe *known;
	struct io_uring ring;
	unsigned flags;
	int r = ring_init(&ring, RING_SPARE, &flags);

	if (r)
		return explain(r, e);
	known = io_uring_get_probe_ring(&ring);
	for (size_t i = 0; i < ARRAY_SIZE(needed) && !r; i++)
		if (!known || !io_uring_opcode_supported(known, needed[i]))
			r = err_set(e, -EOPNOTSUPP,
			            "io_uring: this kernel lacks plain reads and writes (5.6 "
			            "has them)");
	if (known)
		io_uring_free_probe(known);
	io_uring_queue_exit(&ring);
	return r;
}

static int uring_open(struct engine **out, const struct engine_env *env, struct err *e)
{
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
	r = ring_init(&eng->ring, eng->entries, &eng->flags);
	if (r) {
		free(eng);
		return explain(r, e);
	}
	eng->ring_fd = io_uring_register_ring_fd(&eng->ring) == 1;
	*out = eng;
	return 0;
}

static int uring_bind(struct engine *eng, const int *fds, unsigned n, struct err *e)
{
	(void)n;
	(void)e;
	eng->fds = fds;
	return 0;
}

static void prepare(const struct engine *eng, struct io_uring_sqe *sqe, struct io *io)
{
	int fd = eng->fds[io->file];

	switch ((enum op)io->op) {
	case OP_READ:
		io_uring_prep_read(sqe, fd, io->buf, io->len, io->offset);
		break;
	case OP_WRITE:
		io_uring_prep_write(sqe, fd, io->buf, io->len, io->offset);
		break;
	case OP_SYNC:
		io_uring_prep_fsync(sqe, fd, 0);
		break;
	case OP_TRIM:
	case OP_COUNT:
		io_uring_prep_rw(IORING_OP_LAST, sqe, fd, NULL, 0,
		                 0); /* the kernel answers EINVAL */
		break;
	}
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
	return (int)i;
}

/* See to it that a wait ends at the deadline. A timeout left from before may end it earlier:
 * reap waits again. */
static void arm_timeout(struct engine *eng, uint64_t deadline_ns)
{
	struct io_uring_sqe *sqe;

	if (eng->timeout_ns && eng->timeout_ns <= deadline_ns)
		return;
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

static unsigned drain(struct engine *eng, struct io *done[], unsigned max)
{
	unsigned head, n = 0, seen = 0;
	struct io_uring_cqe *cqe;

	io_uring_for_each_cqe(&eng->ring, head, cqe)
	{
		if (n == max)
			break;
		seen++;
		if (cqe->user_data == TIMEOUT_DATA) {
			eng->timeout_ns = 0;
			continue;
		}
		done[n] = io_uring_cqe_get_data(cqe);
		done[n++]->res = cqe->res;
	}
	io_uring_cq_advance(&eng->ring, seen);
	return n;
}

/* Hand over what is queued, and wait for one completion if asked to. */
static int enter(struct engine *eng, bool wait)
{
	int r;

	if (wait)
		r = io_uring_submit_and_wait(&eng->ring, 1);
	else
		r = io_uring_submit_and_get_events(&eng->ring);
	/* EAGAIN, EBUSY: no memory, or completions must be taken first; EINTR: a signal.
	 * Entries stay queued. */
	return r == -EAGAIN || r == -EBUSY || r == -EINTR ? 0 : r;
}

static int uring_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                      uint64_t deadline_ns)
{
	unsigned n = drain(eng, done, max);
	int r;

	do {
		if (n < min)
			arm_timeout(eng, deadline_ns);
		if (n < min || !min || io_uring_sq_ready(&eng->ring)) {
			r = enter(eng, n < min);
			if (r < 0)
				return n ? (int)n : r;
		}
		n += drain(eng, done + n, max - n);
	} while (n < min && clock_mono_ns() < deadline_ns);
	return (int)n;
}

static void uring_describe(const struct engine *eng, char *buf, size_t len)
{
	const char *flags = "";

	for (size_t i = 0; i < ARRAY_SIZE(ladder); i++)
		if (ladder[i].flags == eng->flags)
			flags = ladder[i].name;
	(void)snprintf(buf, len, "flags=%s entries=%u ring_fd=%d", flags, eng->entries,
	               eng->ring_fd);
}

static void uring_close(struct engine *eng)
{
	io_uring_queue_exit(&eng->ring);
	free(eng);
}

const struct engine_ops engine_io_uring = {
	.name = "io_uring",
	.help = "io_uring, one system call per batch to submit and wait",
	.caps = ENGINE_ASYNC,
	.depth_limit = RING_MAX,
	.probe = uring_probe,
	.open = uring_open,
	.bind = uring_bind,
	.submit = uring_submit,
	.reap = uring_reap,
	.describe = uring_describe,
	.close = uring_close,
};
