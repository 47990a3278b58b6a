/* io_uring: submit fills queue entries, reap hands them to the kernel and waits in the same
 * system call. The deadline is a timeout kept in the ring, so that waiting arms no timer of its
 * own each time. */
#include <errno.h>
#include <inttypes.h>
#include <liburing.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/branch.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "engine/engines.h"
#include "engine/uring_compat.h"

#define RING_MAX     32768u /* entries: the kernel's IORING_MAX_ENTRIES */
#define RING_SPARE   8u     /* entries for timeouts */
#define TIMEOUT_DATA 1u     /* user_data of a timeout: no pointer to an I/O is that */
#define SQ_IDLE_MS   1000u  /* a submission thread without work goes to sleep after this */
#define PIECE_MAX    GIB    /* the kernel's limit of one registered buffer */

/* Something registered with the ring, from run to run. */
struct registered {
	bool used;   /* by this run */
	int refused; /* errno of the last attempt; 0: none failed */
};

struct engine {
	struct io_uring ring;
	const int *fds;
	uint8_t *arena; /* of engine_env */
	uint8_t *fixed; /* what is registered begins here ... */
	bool limited; /* locked memory is: what one run keeps registered is not there for others
	               */
	unsigned flags, entries;
	bool poll, sq_thread, submit_now;
	bool sent;    /* by submit itself, since the last reap */
	bool ring_fd; /* registered: saves a lookup per call */
	struct registered buffers, files;
	struct engine_polls polls;
	size_t fixed_bytes;  /* ... and is so long; 0: nothing is */
	size_t piece;        /* ... in pieces of this size */
	unsigned slots;      /* of the file table; 0: there is none */
	uint64_t timeout_ns; /* the earliest timeout in the ring; 0: none */
	struct __kernel_timespec timeout;
};

/* The best first; a kernel that does not know a flag answers EINVAL. A submission thread runs
 * completions by itself. */
static const struct {
	unsigned flags;
	bool sq_thread;
} ladder[] = {
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER |
	      IORING_SETUP_DEFER_TASKRUN,
	  false },
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER, true },
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN, false },
	{ IORING_SETUP_SUBMIT_ALL, true },
	{ 0, true },
};

/* For describe. */
static const struct {
	unsigned flag;
	const char *name;
} flag_name[] = {
	{ IORING_SETUP_IOPOLL, "iopoll" },
	{ IORING_SETUP_SQPOLL, "sqpoll" },
	{ IORING_SETUP_SUBMIT_ALL, "submit_all" },
	{ IORING_SETUP_COOP_TASKRUN, "coop_taskrun" },
	{ IORING_SETUP_SINGLE_ISSUER, "single_issuer" },
	{ IORING_SETUP_DEFER_TASKRUN, "defer_taskrun" },
};

/* `asked` are flags that the caller must have; *flags are those that the kernel took. */
static int ring_init(struct io_uring *ring, unsigned entries, unsigned asked, unsigned *flags)
{
	int r = -EINVAL;

	for (size_t i = 0; i < ARRAY_SIZE(ladder) && r == -EINVAL; i++) {
		struct io_uring_params p = { .flags = asked | ladder[i].flags,
			                     .sq_thread_idle = SQ_IDLE_MS };

		if (asked & IORING_SETUP_SQPOLL && !ladder[i].sq_thread)
			continue;
		*flags = p.flags;
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
	int r = ring_init(&ring, RING_SPARE, 0, &flags);

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

/* By the kernel's rule for what rings lock: not for those who may lock anything. */
static bool memlock_limited(void)
{
	struct __user_cap_header_struct who = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3] = { 0 };
	struct rlimit lock = { 0 };

	if (getrlimit(RLIMIT_MEMLOCK, &lock) == 0 && lock.rlim_cur == RLIM_INFINITY)
		return false;
	return syscall(SYS_capget, &who, caps) != 0 ||
	       !(caps[0].effective & 1U << CAP_IPC_LOCK);
}

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
	r = ring_init(&eng->ring, eng->entries, asked, &eng->flags);
	if (r) {
		free(eng);
		if (asked && r == -EINVAL)
			return err_set(e, r, "io_uring: this kernel refuses %s",
			               env->sq_thread ? "sqthread_poll=1" : "hipri=1");
		return explain(r, e);
	}
	eng->poll = env->poll;
	eng->sq_thread = env->sq_thread;
	eng->arena = env->arena;
	eng->limited = memlock_limited();
	eng->ring_fd = io_uring_register_ring_fd(&eng->ring) == 1;
	*out = eng;
	return 0;
}

/* --- registration --- */

/* Kept from run to run, growing only where nothing limits it; but a run has only what it asked
 * for. */

static void drop_buffers(struct engine *eng)
{
	if (eng->fixed_bytes)
		(void)io_uring_unregister_buffers(&eng->ring);
	eng->fixed_bytes = 0;
}

/* Register so many bytes from `mem` on, in pieces that no buffer crosses. */
static int register_buffers(struct engine *eng, uint8_t *mem, size_t bytes, size_t piece)
{
	size_t n = (bytes + piece - 1) / piece;
	struct iovec *v = calloc(n, sizeof(*v));
	int r;

	if (!v)
		return -ENOMEM;
	drop_buffers(eng);
	for (size_t i = 0; i < n; i++) {
		v[i].iov_base = mem + i * piece;
		v[i].iov_len = i + 1 < n ? piece : bytes - i * piece;
	}
	r = io_uring_register_buffers(&eng->ring, v, (unsigned)n);
	free(v);
	if (r < 0)
		return r;
	eng->fixed = mem;
	eng->fixed_bytes = bytes;
	eng->piece = piece;
	return 0;
}

static int fix_buffers(struct engine *eng, const struct engine_run *run)
{
	size_t piece = run->buffer_stride ? PIECE_MAX / run->buffer_stride * run->buffer_stride
	                                  : PIECE_MAX;
	uint8_t *mem = run->buffers ? run->buffers : eng->arena;

	if (!run->buffer_bytes || !piece)
		return -EINVAL;
	/* One piece serves any stride. */
	if (eng->fixed == mem && eng->fixed_bytes >= run->buffer_bytes &&
	    (eng->fixed_bytes <= eng->piece || eng->piece == piece))
		return 0;
	return register_buffers(eng, mem, run->buffer_bytes, piece);
}

static int fix_files(struct engine *eng, const struct engine_run *run)
{
	int r;

	if (eng->slots >= run->n) {
		r = io_uring_register_files_update(&eng->ring, 0, run->fds, run->n);
		return r < 0 ? r : 0;
	}
	if (eng->slots)
		(void)io_uring_unregister_files(&eng->ring);
	eng->slots = 0;
	r = io_uring_register_files(&eng->ring, run->fds, run->n);
	if (r < 0)
		return r;
	eng->slots = run->n;
	return 0;
}

static int refused(int r, const char *what, struct err *e)
{
	struct rlimit lock = { 0 };

	if (r != -ENOMEM)
		return err_set(e, r, "io_uring: %s=1: %s", what, err_name(-r));
	(void)getrlimit(RLIMIT_MEMLOCK, &lock);
	return err_set(e, r,
	               "io_uring: %s=1: %s: locked memory is limited to %llu KiB (ulimit -l)",
	               what, err_name(-r), (unsigned long long)lock.rlim_cur / 1024);
}

static int wish(struct registered *reg, enum engine_wish wish, int r)
{
	reg->used = wish != WISH_NO && !r;
	reg->refused = wish != WISH_NO ? -r : 0;
	return wish == WISH_REQUIRED ? r : 0;
}

static int uring_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	int r = run->fixed_buffers != WISH_NO ? fix_buffers(eng, run) : 0;

	if (wish(&eng->buffers, run->fixed_buffers, r))
		return refused(r, "fixedbufs", e);
	r = run->fixed_files != WISH_NO ? fix_files(eng, run) : 0;
	if (wish(&eng->files, run->fixed_files, r))
		return refused(r, "registerfiles", e);
	eng->fds = run->fds;
	eng->submit_now = run->submit_now || eng->sq_thread;
	eng->sent = false;
	eng->polls = (struct engine_polls){ 0 };
	return 0;
}

/* A file in the table would stay open; and a limit would count what this run locked against the
 * next one, of this thread or another. */
static void uring_unbind(struct engine *eng)
{
	static const int none = -1;

	if (eng->limited)
		drop_buffers(eng);
	for (unsigned i = 0; i < eng->slots; i++)
		(void)io_uring_register_files_update(&eng->ring, i, &none, 1);
}

/* --- I/O --- */

static void prepare(const struct engine *eng, struct io_uring_sqe *sqe, struct io *io)
{
	int fd = eng->files.used ? io->file : eng->fds[io->file];
	bool write = io->op == OP_WRITE;

	if (likely(io->op <= OP_WRITE)) {
		io_uring_prep_rw(write ? IORING_OP_WRITE : IORING_OP_READ, sqe, fd, io->buf,
		                 io->len, io->offset);
		if (eng->buffers.used) {
			sqe->opcode = write ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED;
			if (unlikely(eng->fixed_bytes > eng->piece))
				sqe->buf_index =
				    (uint16_t)((size_t)((uint8_t *)io->buf - eng->fixed) /
				               eng->piece);
		}
	} else if (io->op == OP_SYNC) {
		io_uring_prep_fsync(sqe, fd, 0);
	} else {
		io_uring_prep_rw(IORING_OP_LAST, sqe, fd, NULL, 0,
		                 0); /* the kernel answers EINVAL */
	}
	if (eng->files.used)
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
		done[n++]->res = cqe->res;
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

static void describe_flags(const struct engine *eng, char *buf, size_t len)
{
	size_t n = 0;

	(void)snprintf(buf, len, "none");
	for (size_t i = 0; i < ARRAY_SIZE(flag_name) && n < len; i++)
		if (eng->flags & flag_name[i].flag)
			n += (size_t)snprintf(buf + n, len - n, "%s%s", n ? "," : "",
			                      flag_name[i].name);
}

/* "1", "0", or "0 (why)" when it was asked for and not granted. */
static void describe_registered(const struct registered *reg, char *buf, size_t len)
{
	if (reg->refused)
		(void)snprintf(buf, len, "0 (%s)",
		               reg->refused == ENOMEM ? "memlock" : err_name(reg->refused));
	else
		(void)snprintf(buf, len, "%d", reg->used);
}

static void uring_describe(const struct engine *eng, char *buf, size_t len)
{
	char flags[128], buffers[64], files[64];

	describe_flags(eng, flags, sizeof(flags));
	describe_registered(&eng->buffers, buffers, sizeof(buffers));
	describe_registered(&eng->files, files, sizeof(files));
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
	.caps = ENGINE_ASYNC | ENGINE_REGISTERS | ENGINE_POLLS | ENGINE_SQ_THREAD,
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
