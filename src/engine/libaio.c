/* Linux native AIO: io_submit(2); completions are taken from the ring that the kernel maps into
 * the process, io_getevents(2) is only called to wait; but always by a run whose submit makes
 * its own calls, so that it costs what these cost. */
#include <errno.h>
#include <inttypes.h>
#include <libaio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "engine/engines.h"
#include "engine/trim.h"

#define RING_MAGIC 0xa10a10a1u
#define EVENTS     64 /* per io_getevents() */

/* What io_setup() returns the address of (kernel ABI since 2.6). */
struct aio_ring {
	unsigned id, nr;
	_Atomic unsigned head, tail;
	unsigned magic, compat_features, incompat_features, header_length;
	struct io_event event[];
};

struct engine {
	io_context_t ctx;
	struct aio_ring *ring; /* NULL: its layout is not the known one; io_getevents() then */
	const int *fds;
	bool by_call; /* completions are taken by io_getevents() */
	uint64_t submitted,
	    at_once; /* since bind: at_once were complete when io_submit() returned */
	unsigned depth;
	unsigned local; /* complete without the kernel's help: failed or done in submit */
	struct io **done_local;
	struct iocb **list; /* of one io_submit() */
	struct iocb iocb[]; /* by slot */
};

static uint64_t sysctl_value(const char *path)
{
	AUTO(fclosep) FILE *f = fopen(path, "re");
	char text[32] = "";
	uint64_t v = 0;

	if (f && fgets(text, sizeof(text), f)) {
		text[strcspn(text, "\n")] = '\0';
		(void)parse_u64(text, &v);
	}
	return v;
}

static int explain(int r, unsigned depth, struct err *e)
{
	if (r == -EAGAIN)
		return err_set(
		    e, r,
		    "libaio: io_setup: %s: %u events needed by this job, fs.aio-nr=%" PRIu64
		    " of fs.aio-max-nr=%" PRIu64 " in use",
		    err_name(-r), depth, sysctl_value("/proc/sys/fs/aio-nr"),
		    sysctl_value("/proc/sys/fs/aio-max-nr"));
	if (r == -ENOSYS)
		return err_set(
		    e, r, "libaio: io_setup: %s: not in this kernel, or blocked by seccomp",
		    err_name(-r));
	return err_set(e, r, "libaio: io_setup for %u events: %s", depth, err_name(-r));
}

static int aio_probe(struct err *e)
{
	io_context_t ctx = NULL;
	int r = io_setup(0, &ctx);

	/* A kernel that has the call refuses no events as invalid. A real context would cost
	 * some 30 ms: giving it back waits for the other CPUs. */
	return r == 0 || r == -EINVAL ? 0 : explain(r, 1, e);
}

static void aio_close(struct engine *eng)
{
	if (eng->ctx)
		(void)io_destroy(eng->ctx);
	free(eng->done_local);
	free(eng->list);
	free(eng);
}

static int aio_open(struct engine **out, const struct engine_env *env, struct err *e)
{
	struct engine *eng = calloc(1, sizeof(*eng) + env->depth * sizeof(eng->iocb[0]));
	int r;

	if (!eng)
		return err_set(e, -ENOMEM, "libaio: out of memory for %u I/Os", env->depth);
	eng->depth = env->depth;
	eng->done_local = calloc(env->depth, sizeof(struct io *));
	eng->list = calloc(env->depth, sizeof(struct iocb *));
	if (!eng->done_local || !eng->list) {
		aio_close(eng);
		return err_set(e, -ENOMEM, "libaio: out of memory for %u I/Os", env->depth);
	}
	r = io_setup((int)env->depth, &eng->ctx);
	if (r) {
		eng->ctx = NULL;
		aio_close(eng);
		return explain(r, env->depth, e);
	}
	eng->ring = (struct aio_ring *)(void *)eng->ctx;
	if (eng->ring->magic != RING_MAGIC || eng->ring->incompat_features)
		eng->ring = NULL;
	*out = eng;
	return 0;
}

static int aio_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	(void)e;
	eng->fds = run->fds;
	eng->by_call = !eng->ring || run->submit_now;
	eng->submitted = eng->at_once = 0;
	return 0;
}

/* The rest of an iocb stays as aio_open() left it: 0. */
static struct iocb *prepare(struct engine *eng, struct io *io)
{
	struct iocb *cb = &eng->iocb[io->slot];
	bool sync = io->op == OP_SYNC; /* which the kernel takes without a range only */

	cb->data = io;
	cb->aio_fildes = eng->fds[io->file];
	if (sync)
		cb->aio_lio_opcode = io->data_only ? IO_CMD_FDSYNC : IO_CMD_FSYNC;
	else
		cb->aio_lio_opcode = io->op == OP_READ ? IO_CMD_PREAD : IO_CMD_PWRITE;
	cb->u.c.buf = sync ? NULL : io->buf;
	cb->u.c.nbytes = sync ? 0 : io->len;
	cb->u.c.offset = sync ? 0 : (long long)io->offset;
	return cb;
}

static void done_locally(struct engine *eng, struct io *io, int res)
{
	io->res = res;
	eng->done_local[eng->local++] = io;
}

/* The kernel refused this one outright. Kernels before 4.18 do not take a sync at all. */
static void refused(struct engine *eng, struct io *io, int r)
{
	if (io->op == OP_SYNC && r == -EINVAL) {
		int fd = eng->fds[io->file];

		do
			r = (io->data_only ? fdatasync(fd) : fsync(fd)) ? -errno : 0;
		while (r == -EINTR);
	}
	done_locally(eng, io, r);
}

/* Completions that wait in the ring. */
static unsigned waiting(const struct aio_ring *ring)
{
	unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed),
		 tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	return tail >= head ? tail - head : tail + ring->nr - head;
}

/* Did the kernel do the work inside of io_submit(), so that the depth was only a number? */
static void note_at_once(struct engine *eng, unsigned n, unsigned before)
{
	unsigned now = waiting(eng->ring), more = now > before ? now - before : 0;

	eng->submitted += n;
	eng->at_once += more < n ? more : n;
}

static int aio_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	unsigned before = eng->ring ? waiting(eng->ring) : 0;
	int r;

	if (n > eng->depth)
		n = eng->depth;
	if (!n)
		return 0;
	if (ios[0]->op == OP_TRIM) {
		ssize_t len = trim_now(eng->fds[ios[0]->file], ios[0]);

		done_locally(eng, ios[0], len < 0 ? -errno : (int)len);
		return 1;
	}
	for (unsigned i = 0; i < n; i++) {
		if (ios[i]->op == OP_TRIM)
			n = i;
		else
			eng->list[i] = prepare(eng, ios[i]);
	}
	do
		r = io_submit(eng->ctx, (long)n, eng->list);
	while (r == -EINTR);
	if (r > 0 && eng->ring)
		note_at_once(eng, (unsigned)r, before);
	if (r >= 0 || r == -EAGAIN)
		return r;
	refused(eng, ios[0], r);
	return 1;
}

static struct io *completed(const struct io_event *ev)
{
	struct io *io = ev->data;

	io->res = (int32_t)(long)ev->res;
	return io;
}

static unsigned take_local(struct engine *eng, struct io *done[], unsigned max)
{
	unsigned n = 0;

	while (eng->local && n < max)
		done[n++] = eng->done_local[--eng->local];
	return n;
}

static unsigned take_ring(struct engine *eng, struct io *done[], unsigned max)
{
	struct aio_ring *ring = eng->ring;
	unsigned head, tail, n = 0;

	if (eng->by_call)
		return 0;
	head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	while (head != tail && n < max) {
		done[n++] = completed(&ring->event[head]);
		head = head + 1 < ring->nr ? head + 1 : 0;
	}
	if (n)
		atomic_store_explicit(&ring->head, head, memory_order_release);
	return n;
}

static unsigned at_most(unsigned n, unsigned most)
{
	return n < most ? n : most;
}

/* Room for at most that many events, and that many to wait for until the deadline. */
static int get_events(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                      uint64_t deadline_ns)
{
	struct io_event ev[EVENTS];
	uint64_t now = deadline_ns ? clock_mono_ns() : 0,
		 left = deadline_ns > now ? deadline_ns - now : 0;
	struct timespec ts = { .tv_sec = (time_t)(left / SEC), .tv_nsec = (long)(left % SEC) };
	int r = io_getevents(eng->ctx, left ? (long)min : 0, (long)max, ev, &ts);

	for (int i = 0; i < r; i++)
		done[i] = completed(&ev[i]);
	return r == -EINTR ? 0 : r;
}

static int aio_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                    uint64_t deadline_ns)
{
	unsigned n = take_local(eng, done, max);
	int r;

	n += take_ring(eng, done + n, max - n);
	while (n < min || (eng->by_call && n < max)) {
		unsigned room = at_most(max - n, EVENTS);

		r = get_events(eng, done + n, at_most(min > n ? min - n : 0, room), room,
		               n < min ? deadline_ns : 0);
		if (r < 0)
			return n ? (int)n : r;
		n += (unsigned)r;
		n += take_ring(eng, done + n, max - n);
		if (n >= min && (unsigned)r < room)
			break; /* there are no more */
		if (n < min && clock_mono_ns() >= deadline_ns)
			break;
	}
	return (int)n;
}

static void aio_describe(const struct engine *eng, char *buf, size_t len)
{
	size_t n;

	(void)snprintf(buf, len, "events=%u reap=%s", eng->depth,
	               eng->by_call ? "syscall" : "user");
	n = strlen(buf);
	if (eng->submitted)
		(void)snprintf(buf + n, len - n, " done_at_submit_pct=%" PRIu64,
		               100 * eng->at_once / eng->submitted);
}

const struct engine_ops engine_libaio = {
	.name = "libaio",
	.help = "Linux native AIO; asynchronous only with direct=1; trims one at a time",
	.caps = ENGINE_ASYNC,
	.probe = aio_probe,
	.open = aio_open,
	.bind = aio_bind,
	.submit = aio_submit,
	.reap = aio_reap,
	.describe = aio_describe,
	.close = aio_close,
};
