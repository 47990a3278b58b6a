/* pread(2), pwrite(2), fsync(2), fdatasync(2): submit does the I/O, so one is in flight at a time. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/engines.h"
#include "engine/one.h"
#include "engine/trim.h"

struct engine {
	const int *fds;
	struct one one;
};

static int psync_probe(struct err *e)
{
	(void)e;
	return 0;
}

static int psync_open(struct engine **eng, const struct engine_env *env, struct err *e)
{
	(void)env;
	*eng = calloc(1, sizeof(**eng));
	return *eng ? 0 : err_set(e, -ENOMEM, "psync: out of memory");
}

static int psync_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	(void)e;
	eng->fds = run->fds;
	return 0;
}

static ssize_t transfer(int fd, const struct io *io)
{
	switch ((enum op)io->op) {
	case OP_READ:
		return pread(fd, io->buf, io->len, (off_t)io->offset);
	case OP_WRITE:
		return pwrite(fd, io->buf, io->len, (off_t)io->offset);
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

static int psync_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	ssize_t r;

	if (one_busy(&eng->one, n))
		return 0;
	do
		r = transfer(eng->fds[ios[0]->file], ios[0]);
	while (r < 0 && errno == EINTR);
	return one_complete(&eng->one, ios[0], r < 0 ? -errno : (int32_t)r);
}

static int psync_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                      uint64_t deadline_ns)
{
	(void)min;
	(void)deadline_ns;
	return one_reap(&eng->one, done, max);
}

static void psync_close(struct engine *eng)
{
	free(eng);
}

const struct engine_ops engine_psync = {
	.name = "psync",
	.help = "pread and pwrite, one I/O at a time per job: iodepth makes no difference",
	.probe = psync_probe,
	.open = psync_open,
	.bind = psync_bind,
	.submit = psync_submit,
	.reap = psync_reap,
	.close = psync_close,
};
