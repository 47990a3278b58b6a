#include "sink/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"

static bool begins(const char *path, const char *what, size_t at, size_t n)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char got[32];

	return fd >= 0 && pread(fd, got, n, (off_t)at) == (ssize_t)n && !memcmp(got, what, n);
}

bool output_is_database(const char *path)
{
	return begins(path, "SQLite format 3", 0, 16) && begins(path, "IOSW", 68, 4);
}

/* What a database needs beside it while a sweep runs or after it was killed. */
static bool belongs_to_database(const char *path)
{
	static const char *const suffix[] = { "-wal", "-shm", "-journal", "-spool" };
	AUTO(freep) char *name = xstrdup(path);
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(suffix); i++) {
		size_t k = strlen(suffix[i]);

		if (n <= k || strcmp(path + n - k, suffix[i]) != 0)
			continue;
		name[n - k] = '\0';
		return output_is_database(name);
	}
	return begins(path, "{\"iosweep_spool\":", 0, 17);
}

int output_temporary(char **path, const char *ending, struct err *e)
{
	AUTO(text_fini) struct text name = { 0 };
	const char *dir = getenv("TMPDIR");
	int fd;

	*path = NULL;
	text_addf(&name, "%s/iosweep.XXXXXX%s", dir && *dir ? dir : "/tmp", ending);
	fd = mkostemps(name.s, (int)strlen(ending), O_CLOEXEC);
	if (fd < 0)
		return err_set(e, -errno, "%s: %s", name.s, err_name(errno));
	*path = xstrdup(name.s);
	return fd;
}

int output_check(const char *path, struct err *e)
{
	struct stat st;
	const bool there = !stat(path, &st);

	if (there && !S_ISREG(st.st_mode))
		return 0;
	if (there && output_is_database(path))
		return err_set(e, -EEXIST,
		               "%s: is a database of iosweep, which is not overwritten", path);
	if (belongs_to_database(path)) /* also when it is not there: SQLite would read it */
		return err_set(e, -EEXIST,
		               "%s: belongs to a database of iosweep, and is not overwritten",
		               path);
	return 0;
}

static int open_beside(struct text *tmp, const char *path, struct err *e)
{
	struct stat st;
	int fd = output_check(path, e);

	if (fd)
		return fd;
	if (!stat(path, &st) && S_ISBLK(st.st_mode))
		return err_set(e, -EINVAL, "%s: a block device is no place for a file", path);
	if (stat(path, &st) || S_ISREG(st.st_mode))
		text_addf(tmp, "%s.new-%d", path, (int)getpid());
	fd = tmp->len ? open(tmp->s, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)
	              : open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(e, -errno, "%s: cannot write: %s", path, err_name(errno));
	return fd;
}

static int finish(FILE *out, const struct text *tmp, const char *path, struct err *e)
{
	if (fflush(out))
		return err_set(e, -errno, "%s: write: %s", path, err_name(errno));
	if (!tmp->len)
		return 0;
	if (fsync(fileno(out)))
		return err_set(e, -errno, "%s: fsync: %s", path, err_name(errno));
	if (rename(tmp->s, path))
		return err_set(e, -errno, "%s: %s", path, err_name(errno));
	return 0;
}

int output_file(const char *path, int (*fn)(FILE *out, void *arg, struct err *e), void *arg,
                struct err *e)
{
	AUTO(text_fini) struct text tmp = { 0 };
	AUTO(fclosep) FILE *out = NULL;
	int fd = open_beside(&tmp, path, e), r;

	if (fd < 0)
		return fd;
	out = fdopen(fd, "w");
	if (!out) {
		r = err_set(e, -errno, "%s: %s", path, err_name(errno));
		close(fd);
	} else {
		r = fn(out, arg, e);
		if (r && ferror(out))
			(void)err_wrap(e, "%s", path);
		if (!r)
			r = finish(out, &tmp, path, e);
	}
	if (r && tmp.len)
		(void)unlink(tmp.s);
	return r;
}

int output_end(const char *text, int before, struct err *e)
{
	int r = before;

	if (!r && fputs(text, stdout) == EOF)
		r = -errno;
	if (!r && fflush(stdout))
		r = -errno;
	return !r || r == -EPIPE ? 0 : err_set(e, r, "stdout: %s", err_name(-r));
}

/* The process that was to make a file "NAME.new-PID"; 0: that is no such name. */
static pid_t maker_of(const char *name, const struct text *begin)
{
	const char *digits = name + begin->len;
	uint64_t pid;

	if (strncmp(name, begin->s, begin->len) != 0 ||
	    strspn(digits, "0123456789") != strlen(digits) || parse_u64(digits, &pid))
		return 0;
	return pid <= INT_MAX ? (pid_t)pid : 0;
}

static bool is_own_file(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       st.st_nlink == 1;
}

void output_each_left(const char *path, void (*fn)(const char *left, pid_t maker))
{
	AUTO(text_fini) struct text dir = { 0 }, begin = { 0 }, full = { 0 };
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	DIR *d;

	text_addn(&dir, path, (size_t)(base - path));
	text_addf(&begin, "%s.new-", base);
	d = opendir(dir.len ? dir.s : ".");
	if (!d)
		return;
	for (struct dirent *f = readdir(d); f; f = readdir(d)) {
		const pid_t maker = maker_of(f->d_name, &begin);

		text_clear(&full);
		text_addf(&full, "%s%s", text_get(&dir), f->d_name);
		if (maker && is_own_file(full.s))
			fn(full.s, maker);
	}
	(void)closedir(d);
}

bool output_is_empty(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size;
}
