/* preadv2(2), pwritev2(2) with one vector: like psync, with flags per I/O. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engine/engines.h"
#include "engine/one.h"
#include "engine/trim.h"
#include "engine/rwf.h"

struct engine {
	const int *fds;
	int flags; /* RWF_ */
	struct engine_polls polls;
	struct one one;
};

static int pvsync2_probe(struct err *e)
{
	char byte;
	struct iovec v = { &byte, 1 };

	/* No descriptor is -1: EBADF says that the call itself is there. */
	if (preadv2(-1, &v, 1, 0, 0) < 0 && errno != EBADF)
		return err_set(e, -errno, "pvsync2: preadv2: %s", err_name(errno));
	return 0;
}

static int pvsync2_open(struct engine **eng, const struct engine_env *env, struct err *e)
{
	*eng = calloc(1, sizeof(**eng));
	if (!*eng)
		return err_set(e, -ENOMEM, "pvsync2: out of memory");
	(*eng)->flags = env->poll ? RWF_HIPRI : 0;
	return 0;
}

static int pvsync2_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	(void)e;
	eng->fds = run->fds;
	eng->flags = (eng->flags & RWF_HIPRI) | (run->uncached ? RWF_DONTCACHE : 0);
	eng->polls = (struct engine_polls){ 0 };
	return 0;
}

static ssize_t transfer(const struct engine *eng, const struct io *io)
{
	struct iovec v = { .iov_base = io->buf, .iov_len = io->len };
	int fd = eng->fds[io->file];

	switch ((enum op)io->op) {
	case OP_READ:
		return preadv2(fd, &v, 1, (off_t)io->offset, eng->flags);
	case OP_WRITE:
		return pwritev2(fd, &v, 1, (off_t)io->offset, eng->flags);
	case OP_SYNC:
		return io->data_only ? fdatasync(fd) : fsync(fd);
	case OP_TRIM:
		return trim_now(fd, io);
	case OP_COUNT:
		break;
	}
	errno = EOPNOTSUPP;
	return -1;
}

static int pvsync2_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	ssize_t r;

	if (one_busy(&eng->one, n))
		return 0;
	if (eng->flags & RWF_HIPRI) { /* the call itself polls until its I/O is there */
		eng->polls.all++;
		eng->polls.empty++;
	}
	do
		r = transfer(eng, ios[0]);
	while (r < 0 && errno == EINTR);
	return one_complete(&eng->one, ios[0], r < 0 ? -errno : (int32_t)r);
}

static int pvsync2_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                        uint64_t deadline_ns)
{
	(void)min;
	(void)deadline_ns;
	return one_reap(&eng->one, done, max);
}

static void pvsync2_describe(const struct engine *eng, char *buf, size_t len)
{
	(void)snprintf(buf, len, "hipri=%d", eng->flags & RWF_HIPRI ? 1 : 0);
}

static struct engine_polls pvsync2_polls(const struct engine *eng)
{
	return eng->polls;
}

static void pvsync2_close(struct engine *eng)
{
	free(eng);
}

const struct engine_ops engine_pvsync2 = {
	.name = "pvsync2",
	.help = "preadv2 and pwritev2, one I/O at a time per job; hipri=1 sets RWF_HIPRI, "
	        "which polls for its completion, uncached=1 RWF_DONTCACHE",
	.caps = ENGINE_POLLS | ENGINE_UNCACHED,
	.probe = pvsync2_probe,
	.open = pvsync2_open,
	.bind = pvsync2_bind,
	.submit = pvsync2_submit,
	.reap = pvsync2_reap,
	.describe = pvsync2_describe,
	.polls = pvsync2_polls,
	.close = pvsync2_close,
};
