/* Looking at targets that may hang. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "run/target.h"

struct look {
	struct target_info t;
	char filename[PATH_MAX];
};

struct written {
	struct target_info t;
	uint64_t size_bytes, seed;
};

/* A device says what it is from the kernel's memory: only a read shows that it answers. */
static void read_once(const char *path, bool direct)
{
	AUTO(closep)
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (direct ? O_DIRECT : 0));
	AUTO(freep) void *buf = aligned_alloc(4096, 4096);

	if (fd >= 0 && buf)
		(void)!pread(fd, buf, 4096, 0);
}

struct question {
	char path[PATH_MAX];
	bool direct;
};

static void ask(void *data)
{
	struct question *q = data;

	read_once(q->path, q->direct);
}

int target_ask(struct bounded *b, const struct target_info *t)
{
	struct question q = { .direct = t->offset_align != 0 };

	target_file_path(q.path, sizeof(q.path), t->path, t->kind == TARGET_DIRECTORY, 0);
	return bounded_start(b, ask, &q, sizeof(q));
}

bool target_answered(struct bounded *b, uint64_t limit_ns)
{
	struct question q;

	return bounded_wait(b, &q, limit_ns) != -ETIMEDOUT;
}

static void look(void *data)
{
	struct look *l = data;

	target_inspect(&l->t, l->filename);
	if (l->t.kind == TARGET_BLOCK || l->t.kind == TARGET_FILE)
		read_once(l->t.path, l->t.offset_align != 0);
}

static void check_written(void *data)
{
	struct written *w = data;

	target_check_written(&w->t, w->size_bytes, w->seed);
}

struct nowait {
	const struct target_info *t;
	int answer;
};

static void ask_nowait(void *data)
{
	struct nowait *n = data;

	n->answer = target_nowait(n->t);
}

int target_look_nowait(const struct target_info *t, uint64_t limit_ns)
{
	struct nowait n = { .t = t };

	return bounded_call(ask_nowait, &n, sizeof(n), limit_ns) ? -1 : n.answer;
}

struct layout_look {
	const struct target_info *t;
	const struct intent *want;
	uint64_t bytes;
};

static void look_at_layout(void *data)
{
	struct layout_look *l = data;

	l->bytes = target_layout_bytes(l->t, l->want);
}

uint64_t target_look_layout(const struct target_info *t, const struct intent *want,
                            uint64_t limit_ns)
{
	struct layout_look l = { .t = t, .want = want };
	uint64_t whole;

	if (t->kind == TARGET_MISSING)
		return target_layout_bytes(t, want);
	if (!bounded_call(look_at_layout, &l, sizeof(l), limit_ns))
		return l.bytes;
	if (t->kind == TARGET_FILE)
		return t->ours ? want->size_bytes : 0;
	if (t->kind != TARGET_DIRECTORY)
		return 0;
	return __builtin_mul_overflow(want->size_bytes, want->files, &whole) ? UINT64_MAX
	                                                                     : whole;
}

void target_look(struct target_info *t, const char *filename, uint64_t limit_ns)
{
	AUTO(freep) struct look *l = xcalloc(1, sizeof(*l));
	char limit[32], raw[sizeof(t->problem)];
	int r;

	(void)snprintf(l->filename, sizeof(l->filename), "%s", filename);
	r = bounded_call(look, l, sizeof(*l), limit_ns);
	*t = l->t;
	if (!r)
		return;
	*t = (struct target_info){ .kind = TARGET_UNUSABLE,
		                   .problem_errno = -r,
		                   .zero_pct = -1 };
	(void)snprintf(t->filename, sizeof(t->filename), "%s", filename);
	if (r == -ETIMEDOUT)
		(void)snprintf(raw, sizeof(raw), "%.200s does not answer (%s s)", filename,
		               print_seconds(limit, sizeof(limit), limit_ns));
	else
		(void)snprintf(raw, sizeof(raw), "%.200s cannot be looked at: %s", filename,
		               r == -ECHILD ? "the process that did so died" : err_name(-r));
	text_printable(t->problem, sizeof(t->problem), raw);
}

void target_look_written(struct target_info *t, uint64_t size_bytes, uint64_t seed,
                         uint64_t limit_ns)
{
	AUTO(freep) struct written *w = xcalloc(1, sizeof(*w));

	*w = (struct written){ *t, size_bytes, seed };
	if (!bounded_call(check_written, w, sizeof(*w), limit_ns))
		*t = w->t;
}
