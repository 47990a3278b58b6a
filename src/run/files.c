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
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "run/target.h"

/* The marker holds the inode number, so that a copy made with its attributes is not taken for
 * ours; the sizes that it may have, so that neither is what was copied into it; and the sweep
 * that made it. Markers of format 1 hold the inode number alone. */
#define MARKER       "user.iosweep"
#define MARKER_1     "iosweep 1 "
#define MARKER_2     "iosweep 2 "
#define MARKER_BYTES 128

struct marker {
	uint64_t ino, least, most;
	char sweep[40]; /* "-": not known */
};

void target_file_path(char *buf, size_t size, const char *path, bool directory, unsigned job)
{
	if (directory)
		(void)snprintf(buf, size, "%s/iosweep.%u.dat", path, job);
	else
		(void)snprintf(buf, size, "%s", path);
}

static bool parse_marker_2(const char *s, struct marker *k)
{
	size_t n;

	if (!text_take(&s, MARKER_2) || take_u64(&s, 10, &k->ino) || !text_take(&s, " ") ||
	    take_u64(&s, 10, &k->least) || !text_take(&s, " ") || take_u64(&s, 10, &k->most) ||
	    !text_take(&s, " "))
		return false;
	n = strcspn(s, " \n");
	(void)snprintf(k->sweep, sizeof(k->sweep), "%.*s", (int)n, s);
	return n && n < sizeof(k->sweep);
}

static void parse_marker(const char *text, struct marker *k)
{
	*k = (struct marker){ .most = UINT64_MAX, .sweep = "-" };
	if (text_take(&text, MARKER_1) ? take_u64(&text, 10, &k->ino) != 0
	                               : !parse_marker_2(text, k))
		k->ino = 0;
}

/* Does the attribute of n bytes (or, below 0, errno) say that we made this file? */
static enum target_mark judge(ssize_t n, char *got, const struct stat *st, struct marker *k)
{
	if (n < 0)
		return errno == ENOTSUP ? TARGET_UNMARKABLE : TARGET_UNMARKED;
	got[n] = '\0';
	parse_marker(got, k);
	return k->ino == st->st_ino && (uint64_t)st->st_size >= k->least &&
	               (uint64_t)st->st_size <= k->most
	           ? TARGET_MARKED
	           : TARGET_UNMARKED;
}

static enum target_mark mark_of(const char *path, struct marker *k)
{
	char got[MARKER_BYTES];
	struct stat st;

	*k = (struct marker){ 0 };
	if (lstat(path, &st) || !S_ISREG(st.st_mode))
		return TARGET_UNMARKED;
	return judge(lgetxattr(path, MARKER, got, sizeof(got) - 1), got, &st, k);
}

static enum target_mark mark_of_fd(int fd, struct marker *k)
{
	char got[MARKER_BYTES];
	struct stat st;

	*k = (struct marker){ 0 };
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return TARGET_UNMARKED;
	return judge(fgetxattr(fd, MARKER, got, sizeof(got) - 1), got, &st, k);
}

enum target_mark target_mark(const char *path)
{
	struct marker k;

	return mark_of(path, &k);
}

enum target_mark target_mark_fd(int fd)
{
	struct marker k;

	return mark_of_fd(fd, &k);
}

static int put_marker(int fd, const struct marker *k)
{
	char text[MARKER_BYTES];

	(void)snprintf(text, sizeof(text), MARKER_2 "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s",
	               k->ino, k->least, k->most, k->sweep);
	return fsetxattr(fd, MARKER, text, strlen(text), 0) ? -errno : 0;
}

int target_mark_sizes(int fd, uint64_t least, uint64_t most)
{
	struct marker k;

	if (mark_of_fd(fd, &k) != TARGET_MARKED)
		return 0;
	k.least = least;
	k.most = most;
	return put_marker(fd, &k);
}

static uint64_t born_ns(int fd, const char *path)
{
	struct statx sx;

	if (statx(fd, path, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH, STATX_BTIME, &sx) ||
	    !(sx.stx_mask & STATX_BTIME))
		return 0;
	return (uint64_t)sx.stx_btime.tv_sec * SEC + sx.stx_btime.tv_nsec;
}

uint64_t target_born_ns(const char *path)
{
	return born_ns(AT_FDCWD, path);
}

bool target_is_ours(const char *path)
{
	return target_mark(path) == TARGET_MARKED;
}

/* Without a marker: is this certainly the file that was made? A file system hands an inode
 * number out again as soon as it is free, so the number alone says nothing. */
static bool is_known(const char *path, const struct stat *st, const struct target_made *m)
{
	const uint64_t size = (uint64_t)st->st_size;

	if (!m->dev || m->dev != st->st_dev || m->ino != st->st_ino)
		return false;
	return m->held || (m->born_ns && m->born_ns == target_born_ns(path) &&
	                   size >= m->least && size <= m->size);
}

/* The file is there already: ours by its marker, or, where there are no markers, by what the
 * caller knows. */
static int keep_existing(const char *path, struct target_made *m, struct err *e)
{
	enum target_mark mark = target_mark(path);
	struct stat st;

	if (lstat(path, &st) != 0)
		return err_set(e, -errno, "look at %s: %s", path, err_name(errno));
	if (mark != TARGET_MARKED && !(mark == TARGET_UNMARKABLE && is_known(path, &st, m)))
		return err_set(e, -EEXIST, "%s exists and was not made by iosweep", path);
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	m->born_ns = target_born_ns(path);
	return 0;
}

static int create_failed(const char *path, int errnum, struct err *e)
{
	(void)unlink(path); /* made by us a moment ago, with O_EXCL */
	return err_set(e, -errnum, "mark %s as made by iosweep: %s", path, err_name(errnum));
}

int target_create(const char *path, struct target_made *m, struct err *e)
{
	AUTO(closep)
	int fd = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0600);
	struct marker k = { .most = m->size ? m->size : UINT64_MAX };
	struct stat st;
	int r;

	if (fd < 0 && errno == EEXIST)
		return keep_existing(path, m, e);
	if (fd < 0)
		return err_set(e, -errno, "create %s: %s", path, err_name(errno));
	if (fstat(fd, &st) != 0)
		return create_failed(path, errno, e);
	k.ino = st.st_ino;
	(void)snprintf(k.sweep, sizeof(k.sweep), "%s", *m->sweep ? m->sweep : "-");
	r = put_marker(fd, &k);
	if (r && r != -ENOTSUP)
		return create_failed(path, -r, e);
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	m->born_ns = born_ns(fd, "");
	return 0;
}

/* A file that this sweep made may be in use by a later one that found it. */
static bool held_by_another(const char *path)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* The marker of another sweep's file says whose it is. */
static bool is_of_another(const struct marker *k, const struct target_made *m)
{
	return *m->sweep && strcmp(k->sweep, "-") != 0 && strcmp(k->sweep, m->sweep) != 0;
}

static int check_removable(const char *path, const struct stat *st, const struct target_made *m,
                           struct err *e)
{
	struct marker k;
	enum target_mark mark = mark_of(path, &k);

	if (!S_ISREG(st->st_mode))
		return err_set(e, -EEXIST, "%s is no longer a regular file", path);
	if (m->dev && (m->dev != st->st_dev || m->ino != st->st_ino))
		return err_set(e, -EEXIST, "%s is another file than the one that iosweep made",
		               path);
	if (mark == TARGET_UNMARKED)
		return err_set(e, -EPERM, "%s does not carry the marker of iosweep", path);
	if (mark == TARGET_MARKED && is_of_another(&k, m))
		return err_set(e, -EPERM, "%s was made by another sweep", path);
	if (mark == TARGET_UNMARKABLE && !is_known(path, st, m))
		return err_set(e, -EPERM,
		               "%s cannot be told from a file of yours: its file system holds "
		               "no markers, and it has another size or birth time than the "
		               "one that iosweep made, or none",
		               path);
	return 0;
}

int target_remove(const char *path, const struct target_made *m, struct err *e)
{
	struct stat st;
	int r;

	if (lstat(path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR
		           ? 0
		           : err_set(e, -errno, "look at %s: %s", path, err_name(errno));
	r = check_removable(path, &st, m, e);
	if (r)
		return r;
	if (held_by_another(path))
		return err_set(e, -EBUSY, "another iosweep uses %s", path);
	if (unlink(path) != 0 && errno != ENOENT)
		return err_set(e, -errno, "remove %s: %s", path, err_name(errno));
	return 0;
}
