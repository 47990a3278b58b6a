#include "run/written.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "base/units.h"
#include "run/target.h"

#define EXTENTS 128

struct walk {
	uint64_t at, end; /* all before `at` is known */
	int (*fn)(void *arg, uint64_t from, uint64_t to);
	void *arg;
};

/* [from, to) holds data: what lies before it is a gap. */
static int data_found(struct walk *w, uint64_t from, uint64_t to)
{
	int r = 0;

	if (from > w->end)
		from = w->end;
	if (from > w->at)
		r = w->fn(w->arg, w->at, from);
	if (to > w->at)
		w->at = to;
	return r;
}

static int walk_fiemap(struct walk *w, int fd)
{
	AUTO(freep)
	struct fiemap *map = xcalloc(1, sizeof(*map) + EXTENTS * sizeof(struct fiemap_extent));
	uint64_t start = 0;
	int r;

	do {
		map->fm_start = start;
		map->fm_length = w->end - start;
		map->fm_flags = FIEMAP_FLAG_SYNC;
		map->fm_extent_count = EXTENTS;
		if (ioctl(fd, FS_IOC_FIEMAP, map) != 0)
			return -errno;
		for (uint32_t i = 0; i < map->fm_mapped_extents; i++) {
			const struct fiemap_extent *x = &map->fm_extents[i];

			start = x->fe_logical + x->fe_length;
			if (x->fe_flags & (FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_DELALLOC))
				continue;
			r = data_found(w, x->fe_logical, start);
			if (r)
				return r;
		}
	} while (map->fm_mapped_extents > 0 && start < w->end);
	return 0;
}

/* Where extents cannot be listed: holes only. */
static int walk_seek(struct walk *w, int fd)
{
	while (w->at < w->end) {
		off_t data = lseek(fd, (off_t)w->at, SEEK_DATA), hole;
		int r;

		if (data < 0)
			return errno == ENXIO ? 0 : -errno;
		hole = lseek(fd, data, SEEK_HOLE);
		if (hole < 0)
			return -errno;
		r = data_found(w, (uint64_t)data, (uint64_t)hole);
		if (r)
			return r;
	}
	return 0;
}

int gaps_each(int fd, uint64_t size_bytes, int (*fn)(void *arg, uint64_t from, uint64_t to),
              void *arg)
{
	struct walk w = { .end = size_bytes, .fn = fn, .arg = arg };
	struct stat st;
	int r;

	if (fstat(fd, &st) != 0)
		return -errno;
	if ((uint64_t)st.st_size < size_bytes)
		w.end = (uint64_t)st.st_size;
	r = w.end ? walk_fiemap(&w, fd) : 0;
	if (r == -EOPNOTSUPP || r == -ENOTTY || r == -EINVAL)
		r = walk_seek(&w, fd);
	if (r)
		return r;
	w.end = size_bytes; /* the rest, past the end of the file too, in one piece */
	return data_found(&w, size_bytes, size_bytes);
}

static int any_gap(void *arg, uint64_t from, uint64_t to)
{
	(void)arg;
	(void)from;
	(void)to;
	return 1;
}

static int add_gap(void *arg, uint64_t from, uint64_t to)
{
	*(uint64_t *)arg += to - from;
	return 0;
}

/* Bytes of the file that a layout would write. */
static uint64_t file_gaps(const char *path, uint64_t size_bytes)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint64_t sum = 0;

	if (fd < 0 || gaps_each(fd, size_bytes, add_gap, &sum) < 0)
		return size_bytes;
	return sum;
}

uint64_t target_layout_bytes(const struct target_info *t, const struct intent *want)
{
	char path[PATH_MAX + 32];
	uint64_t sum = 0;

	if (t->kind == TARGET_MISSING)
		return want->size_bytes;
	if (t->kind == TARGET_FILE)
		return t->ours ? file_gaps(t->path, want->size_bytes) : 0;
	if (t->kind != TARGET_DIRECTORY)
		return 0;
	for (uint64_t i = 0; i < want->files; i++) {
		uint64_t need;

		target_file_path(path, sizeof(path), t->path, true, (unsigned)i);
		need = file_gaps(path, want->size_bytes);
		if (__builtin_add_overflow(sum, need, &sum))
			return UINT64_MAX;
	}
	return sum;
}

#define SAMPLES      256
#define SAMPLE_BYTES UINT64_C(4096)

static bool all_zero(const unsigned char *p, size_t n)
{
	return p[0] == 0 && !memcmp(p, p + 1, n - 1);
}

/* Share in percent of 256 seeded random 4 KiB reads that are all zero; -1 when nothing could be
 * read. */
static int sample_zeros(const char *path, uint64_t size_bytes, uint64_t seed)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_DIRECT | O_NONBLOCK | O_CLOEXEC);
	AUTO(freep) unsigned char *buf = aligned_alloc(SAMPLE_BYTES, SAMPLE_BYTES);
	uint64_t blocks = size_bytes / SAMPLE_BYTES;
	int zero = 0, good = 0;
	struct rng rng;

	if (fd < 0 || !buf || !blocks)
		return -1;
	rng_seed(&rng, seed);
	for (int i = 0; i < SAMPLES; i++) {
		off_t at = (off_t)(rng_below(&rng, blocks) * SAMPLE_BYTES);

		if (pread(fd, buf, SAMPLE_BYTES, at) != (ssize_t)SAMPLE_BYTES)
			continue;
		good++;
		zero += all_zero(buf, SAMPLE_BYTES);
	}
	return good ? zero * 100 / good : -1;
}

int target_nowait(const struct target_info *t)
{
	int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (t->offset_align ? O_DIRECT : 0);
	AUTO(closep) int fd = t->size_bytes < SAMPLE_BYTES ? -1 : open(t->path, flags);
	AUTO(freep) void *buf = aligned_alloc(SAMPLE_BYTES, SAMPLE_BYTES);
	struct iovec vec = { .iov_base = buf, .iov_len = SAMPLE_BYTES };

	if (fd < 0 || !buf)
		return -1;
	if (preadv2(fd, &vec, 1, 0, RWF_NOWAIT) >= 0 || errno == EAGAIN)
		return 1;
	return errno == EOPNOTSUPP ? 0 : -1;
}

void target_check_written(struct target_info *t, uint64_t size_bytes, uint64_t seed)
{
	if (t->kind == TARGET_BLOCK) {
		t->zero_pct = sample_zeros(t->path, t->size_bytes, seed);
		t->unwritten = t->zero_pct >= 5;
	} else if (t->kind == TARGET_FILE &&
	           !t->ours) { /* ours are laid out before they are read */
		AUTO(closep)
		int fd = open(t->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (!size_bytes || size_bytes > t->size_bytes)
			size_bytes = t->size_bytes;
		t->unwritten = fd >= 0 && gaps_each(fd, size_bytes, any_gap, NULL) == 1;
	}
}
