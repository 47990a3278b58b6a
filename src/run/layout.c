#include "run/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/engine.h"
#include "run/identity.h"
#include "run/written.h"

#define BLOCK      MIB
#define DEPTH      16
#define TAIL_ALIGN UINT64_C(4096) /* the last bytes below this go through the page cache */

/* Blocks [first, last) of the target, BLOCK bytes each (the last one may be shorter). */
struct range {
	uint64_t first, last;
};

struct work {
	const struct layout *l;
	struct live *live;
	struct err *e;
	int fd, direct; /* direct == fd where O_DIRECT does not work */
	struct range *range;
	size_t ranges, at; /* the range that is being written ... */
	uint64_t block;    /* ... and its next block */
	struct rng rng;
	const struct engine_ops *ops;
	struct engine *engine;
	unsigned char *arena;
	struct io io[DEPTH], *idle[DEPTH];
	unsigned idle_len;
	uint64_t free_bytes; /* of the file system, at the start */
};

static uint64_t block_bytes(const struct work *w, uint64_t block)
{
	uint64_t left = w->l->size_bytes - block * BLOCK;

	return left < BLOCK ? left : BLOCK;
}

static int add_range(void *arg, uint64_t from, uint64_t to)
{
	struct work *w = arg;
	uint64_t first = from / BLOCK, last = (to + BLOCK - 1) / BLOCK;
	struct range *before = w->ranges ? &w->range[w->ranges - 1] : NULL;

	if (before && first <= before->last) {
		before->last = last > before->last ? last : before->last;
		return 0;
	}
	w->range = xrealloc(w->range, w->ranges + 1, sizeof(*w->range));
	w->range[w->ranges++] = (struct range){ first, last };
	return 0;
}

static int find_ranges(struct work *w)
{
	uint64_t total = 0;
	int r;

	if (w->l->whole || w->l->block_device)
		r = w->l->size_bytes ? add_range(w, 0, w->l->size_bytes) : 0;
	else
		r = gaps_each(w->fd, w->l->size_bytes, add_range, w);
	if (r)
		return err_set(w->e, r, "see what is written of %s: %s", w->l->path,
		               err_name(-r));
	for (size_t i = 0; i < w->ranges; i++)
		total += (w->range[i].last - w->range[i].first - 1) * BLOCK +
		         block_bytes(w, w->range[i].last - 1);
	w->block = w->ranges ? w->range[0].first : 0;
	atomic_store(&w->live->layout_done, 0);
	atomic_store(&w->live->layout_total, total);
	return 0;
}

/* Is it still what is to be written? */
static int check_identity(const struct work *w, int fd)
{
	const struct layout *l = w->l;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_set(w->e, -errno, "look at %s: %s", l->path, err_name(errno));
	if (l->block_device && !device_is(fd, &st, makedev(l->major, l->minor), l->diskseq))
		return err_set(w->e, -ESTALE, "%s is no longer the device that it was",
		               l->path);
	if (!l->block_device && !S_ISREG(st.st_mode))
		return err_set(w->e, -ESTALE, "%s is no longer a regular file", l->path);
	if (l->dev && (l->dev != st.st_dev || l->ino != st.st_ino))
		return err_set(w->e, -ESTALE, "%s is no longer the file that it was", l->path);
	return 0;
}

static int open_target(struct work *w)
{
	const struct layout *l = w->l;
	struct stat st, again;
	int r;

	w->fd = open(l->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (w->fd < 0 || fstat(w->fd, &st) != 0)
		return err_set(w->e, -errno, "open %s to write its data: %s", l->path,
		               err_name(errno));
	r = check_identity(w, w->fd);
	if (r)
		return r;
	w->direct = open(l->path, O_RDWR | O_NOFOLLOW | O_DIRECT | O_CLOEXEC);
	if (w->direct < 0) {
		w->direct = w->fd;
		return 0;
	}
	r = check_identity(w, w->direct);
	if (!r && (fstat(w->direct, &again) != 0 || again.st_ino != st.st_ino ||
	           again.st_dev != st.st_dev))
		r = err_set(w->e, -ESTALE, "%s is no longer the file that it was", l->path);
	return r;
}

static int no_space(struct work *w, int code)
{
	char have[32], need[32];

	return err_set(w->e, code, "lay out %s: %s (%s to be written, %s free)", w->l->path,
	               err_name(-code),
	               print_bytes(need, sizeof(need), atomic_load(&w->live->layout_total)),
	               print_bytes(have, sizeof(have), w->free_bytes));
}

/* One contiguous piece where the file system can; whether it can makes no difference to the
 * data. */
static int reserve(struct work *w)
{
	struct statvfs vfs;
	struct rlimit limit;

	if (w->l->block_device)
		return 0;
	if (!fstatvfs(w->fd, &vfs))
		w->free_bytes = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	if (!getrlimit(RLIMIT_FSIZE, &limit) && w->l->size_bytes > limit.rlim_cur)
		return err_set(
		    w->e, -EFBIG,
		    "lay out %s: larger than the file size limit of this process (ulimit -f)",
		    w->l->path);
	if (fallocate(w->fd, 0, 0, (off_t)w->l->size_bytes) != 0 &&
	    (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO))
		return no_space(w, -errno);
	return 0;
}

static int open_engine(struct work *w)
{
	static const enum engine_id by_speed[] = { ENGINE_IO_URING, ENGINE_LIBAIO,
		                                   ENGINE_PSYNC };
	struct engine_env env = { .depth = DEPTH,
		                  .arena = w->arena,
		                  .arena_size = DEPTH * BLOCK };
	struct engine_run run = { .fds = &w->direct, .n = 1 };

	for (size_t i = 0; i < ARRAY_SIZE(by_speed) && !w->engine; i++) {
		struct err why = { 0 }; /* of no interest: the next one will do */

		w->ops = engine_ops(by_speed[i]);
		if (w->ops->probe(&why) || engine_open(w->ops, &w->engine, &env, &why))
			continue;
		if (engine_bind(w->ops, w->engine, &run, &why)) {
			engine_close(w->ops, w->engine);
			w->engine = NULL;
		}
	}
	return w->engine
	           ? 0
	           : err_set(w->e, -ENOSYS, "lay out %s: no I/O engine works here", w->l->path);
}

/* The next block, filled; false when all are under way. */
static bool next_block(struct work *w, struct io *io)
{
	while (w->at < w->ranges && w->block == w->range[w->at].last)
		if (++w->at < w->ranges)
			w->block = w->range[w->at].first;
	if (w->at == w->ranges)
		return false;
	io->offset = w->block * BLOCK;
	io->len = (uint32_t)block_bytes(w, w->block);
	io->op = OP_WRITE;
	rng_fill(&w->rng, io->buf, io->len);
	w->block++;
	return true;
}

/* Through the page cache: what direct I/O would not take, or took only in part. Says the true
 * error, too. */
static int write_plain(struct work *w, const struct io *io, uint64_t from)
{
	while (from < io->len) {
		ssize_t n = pwrite(w->fd, (unsigned char *)io->buf + from, io->len - from,
		                   (off_t)(io->offset + from));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int code = n ? -errno : -EIO;

			if (code == -ENOSPC || code == -EDQUOT)
				return no_space(w, code);
			return err_set(
			    w->e, code,
			    "lay out %s: write of %" PRIu64 " bytes at %" PRIu64 ": %s",
			    w->l->path, io->len - from, io->offset + from, err_name(-code));
		}
		from += (uint64_t)n;
	}
	return 0;
}

static int finish(struct work *w, struct io *io)
{
	int r = 0;

	if (io->res < 0 && io->res != -EINVAL && io->res != -ENOSPC && io->res != -EDQUOT)
		return err_set(w->e, io->res,
		               "lay out %s: write of %u bytes at %" PRIu64 ": %s", w->l->path,
		               io->len, io->offset, err_name(-io->res));
	if (io->res < (int32_t)io->len)
		r = write_plain(w, io, io->res < 0 ? 0 : (uint64_t)io->res);
	if (!r)
		atomic_fetch_add(&w->live->layout_done, io->len);
	return r;
}

/* Submit what is filled; what was not accepted moves to the front. 0 or -errno. */
static int submit(struct work *w, struct io **ready, unsigned *n)
{
	int r;

	if (!*n)
		return 0;
	r = engine_submit(w->ops, w->engine, ready, *n);
	if (r < 0 && r != -EAGAIN)
		return err_set(w->e, r, "lay out %s: %s: %s", w->l->path, w->ops->name,
		               err_name(-r));
	if (r > 0) {
		*n -= (unsigned)r;
		for (unsigned i = 0; i < *n; i++)
			ready[i] = ready[i + (unsigned)r];
	}
	return 0;
}

/* Blocks that direct I/O cannot write whole: the odd tail of the target. */
static bool odd(const struct io *io)
{
	return io->len % TAIL_ALIGN != 0;
}

/* Keep the depth up until nothing is left. After a failure or a stop, what is in flight is
 * still waited for. */
static int write_ranges(struct work *w)
{
	struct io *ready[DEPTH], *done[DEPTH];
	unsigned waiting = 0, n;
	int r = 0, got;

	do {
		if (!r && atomic_load(&w->live->stop))
			r = err_set(w->e, -EINTR, "lay out %s: stopped", w->l->path);
		while (!r && w->idle_len && next_block(w, w->idle[w->idle_len - 1])) {
			struct io *io = w->idle[w->idle_len - 1];

			if (odd(io)) {
				io->res = 0;
				r = finish(w, io);
				continue;
			}
			ready[waiting++] = io;
			w->idle_len--;
		}
		if (!r)
			r = submit(w, ready, &waiting);
		n = DEPTH - w->idle_len - waiting; /* in flight */
		got =
		    n ? engine_reap(w->ops, w->engine, done, 1, n, clock_mono_ns() + 100 * MSEC)
		      : 0;
		if (got < 0)
			return err_set(w->e, got, "lay out %s: %s: %s", w->l->path,
			               w->ops->name, err_name(-got));
		for (int i = 0; i < got; i++) {
			int bad = finish(w, done[i]);

			r = r ? r : bad;
			w->idle[w->idle_len++] = done[i];
		}
		n -= (unsigned)got;
	} while (n || (!r && (waiting || w->at < w->ranges)));
	return r;
}

/* Our marker says how large the file may be: anything up to the end while it grows. */
static int mark_sizes(const struct work *w, bool grown)
{
	struct stat st;
	uint64_t size;
	int r;

	if (w->l->block_device)
		return 0;
	if (fstat(w->fd, &st) != 0)
		return err_set(w->e, -errno, "look at %s: %s", w->l->path, err_name(errno));
	size = (uint64_t)st.st_size;
	r = target_mark_sizes(w->fd, size,
	                      grown || size > w->l->size_bytes ? size : w->l->size_bytes);
	return r ? err_set(w->e, r, "mark %s as made by iosweep: %s", w->l->path, err_name(-r))
	         : 0;
}

static int run(struct work *w)
{
	struct stat st;
	int r = open_target(w);

	if (!r)
		r = mark_sizes(w, false);
	if (!r)
		r = find_ranges(w);
	if (r || !w->ranges)
		return r;
	r = reserve(w);
	if (r)
		return r;
	w->arena = aligned_alloc(BLOCK, DEPTH * BLOCK);
	if (!w->arena)
		return err_set(w->e, -ENOMEM, "lay out %s: out of memory", w->l->path);
	if (fstat(w->fd, &st) != 0)
		return err_set(w->e, -errno, "look at %s: %s", w->l->path, err_name(errno));
	for (unsigned i = 0; i < DEPTH; i++) {
		w->io[i] = (struct io){ .buf = w->arena + i * BLOCK, .slot = i };
		w->idle[w->idle_len++] = &w->io[i];
	}
	/* Files that share a seed, and parts written later, must not repeat each other. */
	rng_seed(&w->rng, w->l->seed ^ (st.st_ino * 0x9e3779b97f4a7c15ULL) ^ (w->block << 20));
	r = open_engine(w);
	if (!r)
		r = write_ranges(w);
	engine_close(w->ops, w->engine);
	if (!r && fsync(w->fd) != 0)
		r = err_set(w->e, -errno, "lay out %s: fsync: %s (%s)", w->l->path,
		            err_name(errno), strerrorname_np(errno));
	return r;
}

int layout_run(const struct layout *l, struct live *live, struct err *e)
{
	struct work w = { .l = l, .live = live, .e = e, .fd = -1, .direct = -1 };
	int r;

	live_phase(live, LIVE_LAYOUT);
	r = run(&w);
	if (!r)
		r = mark_sizes(&w, true);
	if (w.direct >= 0 && w.direct != w.fd)
		close(w.direct);
	if (w.fd >= 0)
		close(w.fd);
	free(w.arena);
	free(w.range);
	return r;
}
