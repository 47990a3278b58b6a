#include "run/bounded.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"

/* Shared with the child. */
struct area {
	_Atomic int done;
	_Alignas(64) unsigned char data[];
};

/* Nothing of the parent's stays open here, or a child that the kernel does not let go would
 * keep it: a reader of our output would wait for its end, a held target would stay held. */
__attribute__((noreturn)) static void be_child(void (*fn)(void *data), struct area *a,
                                               int end_fd, pid_t parent)
{
	sigset_t all;
	int null;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		(void)dup2(null, fd);
	if (end_fd > 3)
		(void)close_range(3, (unsigned)end_fd - 1, 0);
	(void)close_range((unsigned)end_fd + 1, ~0U, 0);
	fn(a->data);
	atomic_store(&a->done, 1);
	_exit(0);
}

/* Until the child has closed its end, that is until it has ended. */
static bool ended_within(int fd, uint64_t limit_ns)
{
	const uint64_t until = clock_mono_ns() + limit_ns;

	for (;;) {
		struct pollfd p = { .fd = fd };
		uint64_t now = clock_mono_ns();
		int ms = now < until ? (int)((until - now) / MSEC) + 1 : 0;
		int n = poll(&p, 1, ms);

		if (n > 0)
			return true;
		if (n == 0 || errno != EINTR)
			return false;
	}
}

static int call(void (*fn)(void *data), struct area *a, uint64_t limit_ns)
{
	int end[2];
	pid_t parent = getpid(), child;
	bool ended;

	if (pipe2(end, O_CLOEXEC))
		return -errno;
	(void)fflush(NULL); /* or the child has our output, too */
	child = fork();
	if (child == 0)
		be_child(fn, a, end[1], parent);
	close(end[1]);
	if (child < 0) {
		int r = -errno;

		close(end[0]);
		return r;
	}
	ended = ended_within(end[0], limit_ns);
	close(end[0]);
	if (!ended) {
		(void)kill(child, SIGKILL);
		(void)waitpid(child, NULL, WNOHANG);
		return -ETIMEDOUT;
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return atomic_load(&a->done) ? 0 : -ECHILD;
}

int bounded_call(void (*fn)(void *data), void *data, size_t size, uint64_t limit_ns)
{
	size_t bytes = sizeof(struct area) + size;
	struct area *a =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int r;

	if (a == MAP_FAILED)
		return -errno;
	memcpy(a->data, data, size);
	r = call(fn, a, limit_ns);
	if (!r)
		memcpy(data, a->data, size);
	(void)munmap(a, bytes);
	return r;
}
