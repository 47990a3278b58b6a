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
#include "host/sysfs.h"
#include "run/bounded.h"
#include "run/identity.h"
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

static bool same(int fd, const struct target_info *t, const struct stat *st)
{
	if (t->kind == TARGET_BLOCK)
		return device_is(fd, st, makedev(t->major, t->minor), t->diskseq) &&
		       !device_resized(fd, t->size_bytes);
	return st->st_dev == t->dev && st->st_ino == t->ino;
}

/* What a child opens for us. */
struct holding {
	const struct target_info *t;
	bool writes;
	struct err e;
};

static int check_fd(int fd, struct holding *h)
{
	const struct target_info *t = h->t;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_set(&h->e, -errno, "look at %s: %s", t->path, err_name(errno));
	if (!same(fd, t, &st))
		return err_set(&h->e, -ESTALE,
		               "%s is no longer what it was when the sweep was planned",
		               t->path);
	if (lock(fd, t->kind == TARGET_BLOCK))
		return err_set(&h->e, -EBUSY, "another iosweep uses %s", t->path);
	return 0;
}

static int open_target(void *data)
{
	/* O_RDONLY is enough to be exclusive, and its close does not make udev look at the
	 * device again. */
	int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct holding *h = data;
	const char *path = h->t->path;
	int fd, r;

	if (h->t->kind == TARGET_BLOCK && h->writes)
		flags |= O_EXCL;
	fd = open(path, flags);
	if (fd < 0 && errno == EBUSY)
		return err_set(
		    &h->e, -EBUSY,
		    "%s is in use: the kernel or another program holds it exclusively", path);
	if (fd < 0)
		return err_set(&h->e, -errno, "open %s: %s", path, err_name(errno));
	r = check_fd(fd, h);
	if (r)
		close(fd);
	return r ? r : fd;
}

/* The disk of a partition, locked: udev looks at no part of a disk while that is so. It is only
 * for udev, so it may fail: another partition of it may be a target, too. */
static int open_disk(void *data)
{
	const struct holding *h = data;
	char dir[64], name[64], path[80];
	dev_t disk;
	struct stat st;
	int fd;

	disk = sysfs_dev("%s/dev", sysfs_disk(dir, sizeof(dir), h->t->major, h->t->minor));
	sysfs_name(name, sizeof(name), major(disk), minor(disk));
	(void)snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != disk ||
	    flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return -EBUSY;
	}
	return fd;
}

static void keep(struct hold *h, int fd)
{
	h->fd = xrealloc(h->fd, h->len + 1, sizeof(*h->fd));
	h->fd[h->len++] = fd;
}

int target_hold(struct hold *h, const struct target_info *t, bool writes, uint64_t limit_ns,
                struct err *e)
{
	struct holding in_child = { .t = t, .writes = writes };
	int fd;

	if (t->kind == TARGET_UNUSABLE || t->kind == TARGET_NOT_NEEDED ||
	    t->kind == TARGET_SIMULATED)
		return 0;
	fd = bounded_open(open_target, &in_child, sizeof(in_child), limit_ns);
	if (fd == -ETIMEDOUT)
		return err_set(e, fd, "%s does not answer", t->path);
	if (fd < 0)
		return err_set(e, fd, "%s", in_child.e.code ? in_child.e.text : err_name(-fd));
	keep(h, fd);
	if (t->kind == TARGET_BLOCK && writes && sysfs_is_partition(t->major, t->minor)) {
		fd = bounded_open(open_disk, &in_child, sizeof(in_child), limit_ns);
		if (fd >= 0)
			keep(h, fd);
	}
	return 0;
}

void hold_release(struct hold *h)
{
	for (size_t i = 0; i < h->len; i++)
		close(h->fd[i]);
	free(h->fd);
	*h = (struct hold){ 0 };
}
