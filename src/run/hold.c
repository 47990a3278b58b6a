/* Holding targets for the whole sweep: against mounts, mkfs and a second sweep. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "run/target.h"

/* udev holds a shared lock for a moment while it looks at a device that was just closed. */
static int lock(int fd, bool device)
{
	uint64_t deadline = clock_mono_ns() + (device ? 2 * SEC : 0);

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK)
			return 0; /* no locks on this file system: nothing can be known here */
		if (clock_mono_ns() >= deadline)
			return -EBUSY;
		clock_sleep_until(clock_mono_ns() + 20 * MSEC);
	}
	return 0;
}

static bool same(const struct target_info *t, const struct stat *st)
{
	if (t->kind == TARGET_BLOCK)
		return S_ISBLK(st->st_mode) && st->st_rdev == makedev(t->major, t->minor);
	if (t->kind == TARGET_MISSING) /* created since; on overlays not even the device is the
	                                  directory's */
		return S_ISREG(st->st_mode);
	return st->st_dev == t->dev && st->st_ino == t->ino;
}

static int hold_fd(int fd, const struct target_info *t, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_set(e, -errno, "look at %s: %s", t->path, err_name(errno));
	if (!same(t, &st))
		return err_set(e, -ESTALE,
		               "%s is no longer what it was when the sweep was planned",
		               t->path);
	if (lock(fd, t->kind == TARGET_BLOCK))
		return err_set(e, -EBUSY, "another iosweep uses %s", t->path);
	return 0;
}

int target_hold(struct hold *h, const struct target_info *t, bool writes, struct err *e)
{
	/* O_RDONLY is enough to be exclusive, and its close does not make udev look at the
	 * device again. */
	int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd, r;

	if (t->kind == TARGET_UNUSABLE || t->kind == TARGET_NOT_NEEDED ||
	    t->kind == TARGET_SIMULATED)
		return 0;
	if (t->kind == TARGET_BLOCK && writes)
		flags |= O_EXCL;
	fd = open(t->path, flags);
	if (fd < 0 && errno == EBUSY)
		return err_set(
		    e, -EBUSY,
		    "%s is in use: the kernel or another program holds it exclusively",
		    t->path);
	if (fd < 0)
		return err_set(e, -errno, "open %s: %s", t->path, err_name(errno));
	r = hold_fd(fd, t, e);
	if (r) {
		close(fd);
		return r;
	}
	h->fd = xrealloc(h->fd, h->len + 1, sizeof(*h->fd));
	h->fd[h->len++] = fd;
	return 0;
}

void hold_release(struct hold *h)
{
	for (size_t i = 0; i < h->len; i++)
		close(h->fd[i]);
	free(h->fd);
	*h = (struct hold){ 0 };
}
