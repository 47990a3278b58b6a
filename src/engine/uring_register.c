#include "engine/uring_register.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/units.h"

#define PIECE_MAX GIB /* the kernel's limit of one registered buffer */

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

void uring_registered_init(struct uring_registered *reg, uint8_t *arena)
{
	*reg = (struct uring_registered){ .limited = memlock_limited() };
	reg->arena = arena;
}

static void drop_buffers(struct io_uring *ring, struct uring_registered *reg)
{
	if (reg->bytes)
		(void)io_uring_unregister_buffers(ring);
	reg->bytes = 0;
}

/* Register so many bytes from `mem` on, in pieces that no buffer crosses. */
static int register_buffers(struct io_uring *ring, struct uring_registered *reg, uint8_t *mem,
                            size_t bytes, size_t piece)
{
	size_t n = (bytes + piece - 1) / piece;
	struct iovec *v = calloc(n, sizeof(*v));
	int r;

	if (!v)
		return -ENOMEM;
	drop_buffers(ring, reg);
	for (size_t i = 0; i < n; i++) {
		v[i].iov_base = mem + i * piece;
		v[i].iov_len = i + 1 < n ? piece : bytes - i * piece;
	}
	r = io_uring_register_buffers(ring, v, (unsigned)n);
	free(v);
	if (r < 0)
		return r;
	reg->mem = mem;
	reg->bytes = bytes;
	reg->piece = piece;
	return 0;
}

static int fix_buffers(struct io_uring *ring, struct uring_registered *reg,
                       const struct engine_run *run)
{
	size_t piece = run->buffer_stride ? PIECE_MAX / run->buffer_stride * run->buffer_stride
	                                  : PIECE_MAX;
	uint8_t *mem = run->buffers ? run->buffers : reg->arena;

	if (!run->buffer_bytes || !piece)
		return -EINVAL;
	/* One piece serves any stride. */
	if (reg->mem == mem && reg->bytes >= run->buffer_bytes &&
	    (reg->bytes <= reg->piece || reg->piece == piece))
		return 0;
	return register_buffers(ring, reg, mem, run->buffer_bytes, piece);
}

static int fix_files(struct io_uring *ring, struct uring_registered *reg,
                     const struct engine_run *run)
{
	int r;

	if (reg->slots >= run->n) {
		r = io_uring_register_files_update(ring, 0, run->fds, run->n);
		return r < 0 ? r : 0;
	}
	if (reg->slots)
		(void)io_uring_unregister_files(ring);
	reg->slots = 0;
	r = io_uring_register_files(ring, run->fds, run->n);
	if (r < 0)
		return r;
	reg->slots = run->n;
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

static bool asked_for(enum engine_wish wish)
{
	return wish == WISH_IF_GRANTED || wish == WISH_REQUIRED;
}

static int grant(struct uring_wish *w, enum engine_wish wish, int r)
{
	if (wish == WISH_NO_ROOM)
		r = -ENOMEM;
	w->used = wish != WISH_NO && !r;
	w->refused = wish != WISH_NO ? -r : 0;
	return wish == WISH_REQUIRED ? r : 0;
}

int uring_register(struct io_uring *ring, struct uring_registered *reg,
                   const struct engine_run *run, struct err *e)
{
	int r = asked_for(run->fixed_buffers) ? fix_buffers(ring, reg, run) : 0;

	if (grant(&reg->buffers, run->fixed_buffers, r))
		return refused(r, "fixedbufs", e);
	r = asked_for(run->fixed_files) ? fix_files(ring, reg, run) : 0;
	if (grant(&reg->files, run->fixed_files, r))
		return refused(r, "registerfiles", e);
	return 0;
}

/* A file in the table would stay open; and a limit would count what this run locked against the
 * next one, of this thread or another. */
void uring_unregister(struct io_uring *ring, struct uring_registered *reg)
{
	static const int none = -1;

	if (reg->limited)
		drop_buffers(ring, reg);
	for (unsigned i = 0; i < reg->slots; i++)
		(void)io_uring_register_files_update(ring, i, &none, 1);
}

void uring_wish_print(const struct uring_wish *w, char *buf, size_t len)
{
	if (w->refused)
		(void)snprintf(buf, len, "0 (%s)",
		               w->refused == ENOMEM ? "memlock" : err_name(w->refused));
	else
		(void)snprintf(buf, len, "%d", w->used);
}
