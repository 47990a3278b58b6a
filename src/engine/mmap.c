/* Loads and stores on a shared mapping of the target: measures page faults, the page cache and
 * its read-ahead. A page that cannot be had (the file was cut, the device failed) is a SIGBUS
 * in the thread that touches it: it becomes the result of that one I/O. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engines.h"
#include "engine/one.h"

struct engine {
	uint8_t *map; /* NULL: nothing bound */
	uint64_t size;
	bool writable;
	struct one one;
};

/* Where a SIGBUS of this thread goes on; NULL outside of a transfer. A signal handler has no
 * other way to its thread's state. */
static _Thread_local sigjmp_buf *volatile bus_error;

static void on_bus_error(int signum)
{
	if (bus_error)
		siglongjmp(*bus_error, 1);
	(void)signal(signum, SIG_DFL); /* not ours: returning raises it again */
}

/* Threads start with every signal blocked, and so does a handler that is left by a jump. */
static int unblock_bus_errors(void)
{
	sigset_t bus;

	(void)sigemptyset(&bus);
	(void)sigaddset(&bus, SIGBUS);
	return -pthread_sigmask(SIG_UNBLOCK, &bus, NULL);
}

static int catch_bus_errors(void)
{
	struct sigaction act = { .sa_handler = on_bus_error };

	(void)sigemptyset(&act.sa_mask);
	return sigaction(SIGBUS, &act, NULL) ? -errno : unblock_bus_errors();
}

static int mmap_probe(struct err *e)
{
	(void)e;
	return 0;
}

static int mmap_open(struct engine **eng, const struct engine_env *env, struct err *e)
{
	int r = catch_bus_errors();

	(void)env;
	if (r)
		return err_set(e, r, "mmap: cannot handle SIGBUS: %s", err_name(-r));
	*eng = calloc(1, sizeof(**eng));
	return *eng ? 0 : err_set(e, -ENOMEM, "mmap: out of memory");
}

static void mmap_unbind(struct engine *eng)
{
	if (eng->map)
		(void)munmap(eng->map, eng->size);
	eng->map = NULL;
	eng->size = 0;
}

static int target_size(int fd, uint64_t *size)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	*size = (uint64_t)st.st_size;
	if (S_ISBLK(st.st_mode) && ioctl(fd, BLKGETSIZE64, size))
		return -errno;
	return 0;
}

static int mmap_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	int flags = fcntl(run->fds[0], F_GETFL), r;
	void *map;

	mmap_unbind(eng);
	r = flags < 0 ? -errno : target_size(run->fds[0], &eng->size);
	if (!r && !eng->size)
		r = -ENODATA;
	if (r)
		return err_set(e, r, "mmap: size of the target: %s", err_name(-r));
	eng->writable = (flags & O_ACCMODE) == O_RDWR;
	map = mmap(NULL, eng->size, PROT_READ | (eng->writable ? PROT_WRITE : 0), MAP_SHARED,
	           run->fds[0], 0);
	if (map == MAP_FAILED) {
		eng->size = 0;
		return err_set(e, -errno, "mmap of the target: %s", err_name(errno));
	}
	eng->map = map;
	if (run->advice == ADVICE_RANDOM || run->advice == ADVICE_SEQUENTIAL)
		(void)madvise(map, eng->size,
			      run->advice == ADVICE_RANDOM ? MADV_RANDOM : MADV_SEQUENTIAL);
	return 0;
}

/* Its own function: nothing of it lives on after a jump back. */
static __attribute__((noinline)) int copy(void *to, const void *from, size_t len)
{
	sigjmp_buf env;

	if (sigsetjmp(env, 0)) {
		bus_error = NULL;
		(void)unblock_bus_errors();
		return -EIO;
	}
	bus_error = &env;
	memcpy(to, from, len);
	bus_error = NULL;
	return (int)len;
}

static int transfer(const struct engine *eng, const struct io *io)
{
	uint64_t left = io->offset < eng->size ? eng->size - io->offset : 0;
	size_t len = io->len < left ? io->len : (size_t)left;

	switch ((enum op)io->op) {
	case OP_READ:
		return len ? copy(io->buf, eng->map + io->offset, len) : 0;
	case OP_WRITE:
		if (!eng->writable)
			return -EBADF;
		return len ? copy(eng->map + io->offset, io->buf, len) : 0;
	case OP_SYNC:
		return msync(eng->map, eng->size, MS_SYNC) ? -errno : 0;
	case OP_TRIM:
	case OP_COUNT:
		break;
	}
	return -EOPNOTSUPP;
}

static int mmap_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	if (one_busy(&eng->one, n))
		return 0;
	return one_complete(&eng->one, ios[0], transfer(eng, ios[0]));
}

static int mmap_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                     uint64_t deadline_ns)
{
	(void)min;
	(void)deadline_ns;
	return one_reap(&eng->one, done, max);
}

static void mmap_close(struct engine *eng)
{
	mmap_unbind(eng);
	free(eng);
}

const struct engine_ops engine_mmap = {
	.name = "mmap",
	.help = "loads and stores on a mapping of the target, through the page cache: needs "
		"direct=0; "
		"a sync is an msync of all of it",
	.caps = ENGINE_PAGE_CACHE,
	.probe = mmap_probe,
	.open = mmap_open,
	.bind = mmap_bind,
	.unbind = mmap_unbind,
	.submit = mmap_submit,
	.reap = mmap_reap,
	.close = mmap_close,
};
