#include "run/bounded.h"

#include <assert.h>
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
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"

/* One of the two. */
struct work {
	void (*fn)(void *data);
	int (*open)(void *data);
};

/* Shared with the child. */
struct bounded_area {
	_Atomic int done;
	int opened; /* what `open` returned */
	_Alignas(64) unsigned char data[];
};

union fd_message {
	char space[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static bool send_fd(int socket, int fd)
{
	char byte = 0;
	struct iovec vec = { &byte, 1 };
	union fd_message control = { 0 };
	struct msghdr m = { .msg_iov = &vec,
		            .msg_iovlen = 1,
		            .msg_control = &control,
		            .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(socket, &m, 0) == 1;
}

/* The descriptor that the child sent; -1: none. */
static int receive_fd(int socket)
{
	char byte;
	struct iovec vec = { &byte, 1 };
	union fd_message control = { 0 };
	struct msghdr m = { .msg_iov = &vec,
		            .msg_iovlen = 1,
		            .msg_control = &control,
		            .msg_controllen = sizeof(control) };
	const struct cmsghdr *c;
	int fd = -1;

	if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != 1)
		return -1;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

/* Nothing of the parent's stays open here, or a child that the kernel does not let go would
 * keep it: a reader of our output would wait for its end, a held target would stay held. */
__attribute__((noreturn)) static void be_child(const struct work *w, struct bounded_area *a, int end_fd,
                                               pid_t parent)
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
	if (w->fn)
		w->fn(a->data);
	else
		a->opened = w->open(a->data);
	if (w->open && a->opened >= 0 && !send_fd(end_fd, a->opened))
		_exit(1);
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

static int start(struct bounded *b, const struct work *w, const void *data, size_t size)
{
	const pid_t parent = getpid();
	struct bounded_area *a;
	int end[2], r;

	*b = (struct bounded){ .bytes = sizeof(*a) + size };
	a = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (a == MAP_FAILED)
		return -errno;
	memcpy(a->data, data, size);
	r = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) ? -errno : 0;
	if (!r) {
		(void)fflush(NULL); /* or the child has our output, too */
		b->child = fork();
		if (b->child == 0)
			be_child(w, a, end[1], parent);
		r = b->child < 0 ? -errno : 0;
		close(end[1]);
		if (r)
			close(end[0]);
	}
	if (r) {
		(void)munmap(a, b->bytes);
		return r;
	}
	b->area = a;
	b->end_fd = end[0];
	return 0;
}

static void forget(struct bounded *b)
{
	close(b->end_fd);
	(void)munmap(b->area, b->bytes);
	b->area = NULL;
}

/* *fd: the descriptor that the child sent, -1: none; *opened: what its `open` returned. */
static int finish(struct bounded *b, void *data, uint64_t limit_ns, int *fd, int *opened)
{
	int r;

	assert(b->area);
	if (!ended_within(b->end_fd, limit_ns))
		return -ETIMEDOUT;
	*fd = receive_fd(b->end_fd);
	while (waitpid(b->child, NULL, 0) < 0 && errno == EINTR)
		;
	r = atomic_load(&b->area->done) ? 0 : -ECHILD;
	*opened = b->area->opened;
	if (!r)
		memcpy(data, b->area->data, b->bytes - sizeof(*b->area));
	forget(b);
	return r;
}

int bounded_start(struct bounded *b, void (*fn)(void *data), const void *data, size_t size)
{
	return start(b, &(struct work){ .fn = fn }, data, size);
}

int bounded_wait(struct bounded *b, void *data, uint64_t limit_ns)
{
	int fd, opened;

	return finish(b, data, limit_ns, &fd, &opened);
}

void bounded_abandon(struct bounded *b)
{
	if (!b->area)
		return;
	(void)kill(b->child, SIGKILL);
	(void)waitpid(b->child, NULL, WNOHANG);
	forget(b);
}

static int in_child(const struct work *w, void *data, size_t size, uint64_t limit_ns)
{
	struct bounded b;
	int fd = -1, opened = 0, r = start(&b, w, data, size);

	if (r)
		return r;
	r = finish(&b, data, limit_ns, &fd, &opened);
	bounded_abandon(&b);
	if (!r && w->open)
		return opened < 0 ? opened : fd < 0 ? -EMFILE : fd;
	if (fd >= 0)
		close(fd);
	return r;
}

int bounded_call(void (*fn)(void *data), void *data, size_t size, uint64_t limit_ns)
{
	return in_child(&(struct work){ .fn = fn }, data, size, limit_ns);
}

int bounded_open(int (*fn)(void *data), void *data, size_t size, uint64_t limit_ns)
{
	return in_child(&(struct work){ .open = fn }, data, size, limit_ns);
}

struct lines {
	void (*fn)(void *arg, struct strlist *out);
	void *arg;
	size_t len;
	char text[64 * KIB]; /* each with its NUL */
};

static void collect(void *data)
{
	struct lines *l = data;
	struct strlist out = { 0 };

	l->fn(l->arg, &out);
	for (size_t i = 0; i < out.len; i++) {
		size_t n = strlen(out.item[i]) + 1;

		if (n > sizeof(l->text) - l->len)
			break;
		memcpy(l->text + l->len, out.item[i], n);
		l->len += n;
	}
	strlist_fini(&out);
}

int bounded_lines(void (*fn)(void *arg, struct strlist *out), void *arg, struct strlist *out,
                  uint64_t limit_ns)
{
	AUTO(freep) struct lines *l = xcalloc(1, sizeof(*l));
	int r;

	l->fn = fn;
	l->arg = arg;
	r = bounded_call(collect, l, sizeof(*l), limit_ns);
	for (size_t at = 0; !r && at < l->len; at += strlen(l->text + at) + 1)
		strlist_add(out, l->text + at);
	return r;
}
