/* sink/store_moved.c: a database whose file is removed or replaced while a sweep runs on it.
 * What is written then lands in a file without a name and would go with the program: it is
 * copied, as a database that can be resumed, to a place that has a name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sink/store_private.h"

bool store_is_named(int fd, const char *path)
{
	struct stat open_file, named;

	if (fstat(fd, &open_file))
		return true;
	if (stat(path, &named)) /* not to be told is no proof */
		return errno != ENOENT && errno != ENOTDIR && errno != ESTALE;
	return open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

bool store_moved(const struct store *s)
{
	const char *name = sqlite3_db_filename(s->db, "main");

	return s->kept || (name && *name && !store_is_named(s->lock_fd, name));
}

static int copy_pages(struct store *s, sqlite3 *to)
{
	sqlite3_backup *b = sqlite3_backup_init(to, "main", s->db, "main");
	int r;

	if (!b)
		return -EIO;
	(void)sqlite3_backup_step(b, -1);
	r = sqlite3_backup_finish(b);
	if (r == SQLITE_OK) /* one plain file, as every database at rest */
		r = sqlite3_exec(to, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
	return r == SQLITE_OK ? 0 : r == SQLITE_FULL ? -ENOSPC : -EIO;
}

static int copy_pending(const struct store *s, const char *path)
{
	AUTO(text_fini) struct text name = { 0 };
	const struct text *rows = &s->spool.pending;
	AUTO(closep) int fd = -1;

	if (!rows->len)
		return 0;
	text_addf(&name, "%s-spool", path);
	fd = open(name.s, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (write(fd, rows->s, rows->len) != (ssize_t)rows->len || fdatasync(fd))
		return errno ? -errno : -ENOSPC;
	return 0;
}

static int copy_to(struct store *s, const char *path)
{
	sqlite3 *to = NULL;
	int r = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	r = r == SQLITE_OK ? copy_pages(s, to) : -EIO;
	(void)sqlite3_close(to);
	return r ? r : copy_pending(s, path);
}

/* "DIR/NAME.kept.db" beside it, else in the places of a spool; "": there is no i-th place. */
static bool name_copy(struct text *path, const struct store *s, size_t i)
{
	const char *name = sqlite3_db_filename(s->db, "main");
	size_t n = strlen(name);

	text_clear(path);
	if (i)
		return spool_name_elsewhere(path, s, i - 1, "db");
	if (n > 3 && !strcmp(name + n - 3, ".db"))
		n -= 3;
	text_addf(path, "%.*s.kept.db", (int)n, name);
	return true;
}

static int copy_somewhere(struct store *s)
{
	AUTO(text_fini) struct text path = { 0 };
	int r = -ENOSPC;

	for (size_t i = 0; name_copy(&path, s, i); i++) {
		int fd = path.len
		             ? open(path.s, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		                    i ? 0600 : 0666)
		             : -1;

		if (fd < 0)
			continue;
		close(fd);
		r = copy_to(s, path.s);
		if (!r) {
			s->kept = TAKE(path.s);
			return 0;
		}
		(void)unlink(path.s);
	}
	return r;
}

int store_keep(struct store *s, struct err *e)
{
	int r = s->kept ? 0 : copy_somewhere(s);

	if (r)
		return err_set(
		    e, -ESTALE,
		    "%s: was removed or replaced while the sweep ran; and no place for a "
		    "copy: %s",
		    s->path, err_name(-r));
	return err_set(e, -ESTALE,
	               "%s: was removed or replaced while the sweep ran; what was measured is "
	               "kept in %s",
	               s->path, s->kept);
}

/* The log must not be taken for that of the file which has the name now. */
static void remove_own(const struct store *s, const char *suffix)
{
	AUTO(text_fini) struct text path = { 0 };
	struct stat named, st;
	DIR *d = opendir("/proc/self/fd");
	bool own = false;

	text_addf(&path, "%s%s", sqlite3_db_filename(s->db, "main"), suffix);
	if (!d)
		return;
	if (!lstat(path.s, &named))
		for (struct dirent *f = readdir(d); f && !own; f = readdir(d))
			own = !fstatat(dirfd(d), f->d_name, &st, 0) &&
			      st.st_dev == named.st_dev && st.st_ino == named.st_ino;
	(void)closedir(d);
	if (own)
		(void)unlink(path.s);
}

int store_leave(struct store *s, struct err *e)
{
	int r = s->kept ? copy_to(s, s->kept) : 0;

	remove_own(s, "-wal");
	remove_own(s, "-shm");
	return r ? err_set(e, -ESTALE, "%s: %s", s->kept, err_name(-r)) : store_keep(s, e);
}

const char *store_kept(const struct store *s)
{
	return s->kept;
}
