#include "run/pre_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "run/workload.h"

#define CHUNK MIB

struct stretch {
	const struct lane_file *file;
	uint64_t from, to; /* bytes */
};

/* What job i must read: nothing when the one before it has read it. */
static struct stretch stretch_of(const struct pool *p, unsigned i)
{
	const struct lane_place at = lane_place(p->lane[i]->run, i);
	const struct run_spec *spec = at.spec;
	struct stretch s = { .file = &p->lane[i]->file };
	struct region r, before;

	if (workload_region(&r, spec, at.job, NULL))
		return s;
	if (at.job && !spec->directory && !workload_region(&before, spec, at.job - 1, NULL) &&
	    before.start == r.start)
		return s;
	s.from = r.start;
	s.to = r.start + r.bytes;
	return s;
}

static int read_stretch(const struct stretch *s, void *buf, struct live *live, struct err *e)
{
	for (uint64_t at = s->from; at < s->to && !atomic_load(&live->stop);) {
		size_t len = s->to - at < CHUNK ? (size_t)(s->to - at) : CHUNK;
		ssize_t n = pread(s->file->fd, buf, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(e, -errno, "pre_read of %s at %" PRIu64 ": %s",
			               s->file->path, at, err_name(errno));
		if (!n)
			return 0;
		at += (uint64_t)n;
		atomic_fetch_add(&live->layout_done, (uint64_t)n);
	}
	return 0;
}

int pre_read(const struct pool *p, unsigned jobs, struct live *live, struct err *e)
{
	AUTO(freep) void *buf = malloc(CHUNK);
	uint64_t total = 0;
	int r = 0;

	if (!buf)
		return err_set(e, -ENOMEM, "out of memory");
	for (unsigned i = 0; i < jobs; i++) {
		struct stretch s = stretch_of(p, i);

		total += s.to - s.from;
	}
	atomic_store(&live->layout_done, 0);
	atomic_store(&live->layout_total, total);
	live_phase(live, LIVE_PRE_READ);
	for (unsigned i = 0; i < jobs && !r; i++) {
		struct stretch s = stretch_of(p, i);

		r = read_stretch(&s, buf, live, e);
	}
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): buf goes at the end of its scope */
	live_phase(live, LIVE_OPEN);
	return r;
}
