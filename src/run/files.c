/* The files we make: their names, their marker, and how they go again. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "run/target.h"

/* The marker holds the inode number, so that a copy made with its attributes is not taken for
 * ours. */
#define MARKER        "user.iosweep"
#define MARKER_FORMAT "iosweep 1 %" PRIu64

void target_file_path(char *buf, size_t size, const char *path, bool directory, unsigned job)
{
	if (directory)
		(void)snprintf(buf, size, "%s/iosweep.%u.dat", path, job);
	else
		(void)snprintf(buf, size, "%s", path);
}

/* Does the attribute of n bytes (or, below 0, errno) say that we made this file? */
static enum target_mark judge(ssize_t n, char *got, const struct stat *st)
{
	char want[64];

	if (n < 0)
		return errno == ENOTSUP ? TARGET_UNMARKABLE : TARGET_UNMARKED;
	got[n] = '\0';
	(void)snprintf(want, sizeof(want), MARKER_FORMAT, (uint64_t)st->st_ino);
	return strcmp(got, want) ? TARGET_UNMARKED : TARGET_MARKED;
}

enum target_mark target_mark(const char *path)
{
	char got[64];
	struct stat st;

	if (lstat(path, &st) || !S_ISREG(st.st_mode))
		return TARGET_UNMARKED;
	return judge(lgetxattr(path, MARKER, got, sizeof(got) - 1), got, &st);
}

enum target_mark target_mark_fd(int fd)
{
	char got[64];
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return TARGET_UNMARKED;
	return judge(fgetxattr(fd, MARKER, got, sizeof(got) - 1), got, &st);
}

bool target_is_ours(const char *path)
{
	return target_mark(path) == TARGET_MARKED;
}

/* The file is there already: ours by its marker, or, where there are no markers, by what the
 * caller knows. */
static int keep_existing(const char *path, uint64_t *dev, uint64_t *ino, struct err *e)
{
	enum target_mark mark = target_mark(path);
	struct stat st;

	if (lstat(path, &st) != 0)
		return err_set(e, -errno, "look at %s: %s", path, err_name(errno));
	if (mark != TARGET_MARKED &&
	    !(mark == TARGET_UNMARKABLE && *dev == st.st_dev && *ino == st.st_ino))
		return err_set(e, -EEXIST, "%s exists and was not made by iosweep", path);
	*dev = st.st_dev;
	*ino = st.st_ino;
	return 0;
}

static int create_failed(const char *path, int errnum, struct err *e)
{
	(void)unlink(path); /* made by us a moment ago, with O_EXCL */
	return err_set(e, -errnum, "mark %s as made by iosweep: %s", path, err_name(errnum));
}

int target_create(const char *path, uint64_t *dev, uint64_t *ino, struct err *e)
{
	AUTO(closep)
	int fd = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0600);
	char mark[64];
	struct stat st;

	if (fd < 0 && errno == EEXIST)
		return keep_existing(path, dev, ino, e);
	if (fd < 0)
		return err_set(e, -errno, "create %s: %s", path, err_name(errno));
	if (fstat(fd, &st) != 0)
		return create_failed(path, errno, e);
	(void)snprintf(mark, sizeof(mark), MARKER_FORMAT, (uint64_t)st.st_ino);
	if (fsetxattr(fd, MARKER, mark, strlen(mark), 0) != 0 && errno != ENOTSUP)
		return create_failed(path, errno, e);
	*dev = st.st_dev;
	*ino = st.st_ino;
	return 0;
}

/* A file that this sweep made may be in use by a later one that found it. */
static bool held_by_another(const char *path)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

int target_remove(const char *path, uint64_t dev, uint64_t ino, struct err *e)
{
	enum target_mark mark = target_mark(path);
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR
		           ? 0
		           : err_set(e, -errno, "look at %s: %s", path, err_name(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(e, -EEXIST, "%s is no longer a regular file", path);
	if (dev && (dev != st.st_dev || ino != st.st_ino))
		return err_set(e, -EEXIST, "%s is another file than the one that iosweep made",
		               path);
	if (mark != TARGET_MARKED && !(mark == TARGET_UNMARKABLE && dev))
		return err_set(e, -EPERM, "%s does not carry the marker of iosweep", path);
	if (held_by_another(path))
		return err_set(e, -EBUSY, "another iosweep uses %s", path);
	if (unlink(path) != 0 && errno != ENOENT)
		return err_set(e, -errno, "remove %s: %s", path, err_name(errno));
	return 0;
}
