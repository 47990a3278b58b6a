/* sink/store_spool.c: rows that the database does not take now, because its disk is full, read
 * only or broken, or because another program holds it. They go as lines of JSON into a file
 * beside it whose room was reserved at the start, else into TMPDIR, /var/tmp or /tmp, and are
 * brought into the database as soon as it takes them: in this session, or by the next resume.
 *
 * A batch is what one transaction would have been; its last line has a number and a checksum.
 * The database keeps the number of the last batch it got ("SESSION:NUMBER" in its header), in
 * the transaction that got it: a batch counts once, however often it is read. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/units.h"
#include "sink/store_private.h"

#define RESERVED_BYTES (256 * KIB)
#define DRAIN_BUSY_MS  50

static int write_all(int fd, const char *data, size_t size, size_t at)
{
	while (size) {
		ssize_t n = pwrite(fd, data, size, (off_t)at);

		if (n <= 0)
			return n ? -errno : -ENOSPC;
		data += n;
		size -= (size_t)n;
		at += (size_t)n;
	}
	return 0;
}

static void add_head(struct text *t, const struct spool *sp)
{
	text_addf(t, "{\"iosweep_spool\":1,\"sweep\":\"%s\",\"session\":%" PRId64 "}\n",
	          sp->sweep, sp->session);
}

/* Whose rows they are: asked for while the database can be read. */
static void learn_sweep(struct store *s)
{
	const char *sweep = store_get(s, "uuid"), *session = store_get(s, "session");

	if (sweep && strspn(sweep, "0123456789abcdef-") == strlen(sweep))
		(void)snprintf(s->spool.sweep, sizeof(s->spool.sweep), "%s", sweep);
	s->spool.session = session ? strtoll(session, NULL, 10) : 0;
}

static int check_file(const struct store *s, int fd, const char *path, struct err *e)
{
	struct stat st, db;

	if (fstat(fd, &st) || fstat(s->lock_fd, &db))
		return err_set(e, -errno, "%s: %s", path, err_name(errno));
	if (!S_ISREG(st.st_mode) || st.st_nlink != 1 ||
	    (st.st_uid != geteuid() && st.st_uid != db.st_uid))
		return err_set(e, -EINVAL,
		               "%s: is in the way: no file that an iosweep of this "
		               "user made",
		               path);
	return 0;
}

static bool no_room(int errnum)
{
	return errnum == ENOSPC || errnum == EDQUOT;
}

int spool_open(struct store *s, struct err *e)
{
	struct spool *sp = &s->spool;
	struct text path = { 0 };
	int r;

	learn_sweep(s);
	text_addf(&path, "%s-spool", sqlite3_db_filename(s->db, "main"));
	sp->path = path.s;
	sp->fd = open(sp->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	if (sp->fd < 0)
		return err_set(e, -errno, "%s: cannot create: %s", sp->path, err_name(errno));
	r = check_file(s, sp->fd, sp->path, e);
	/* a file system that cannot reserve is left as it is */
	if (!r && fallocate(sp->fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED_BYTES) && no_room(errno))
		r = err_set(e, -errno, "%s: no room for rows that cannot be stored at once: %s",
		            sp->path, err_name(errno));
	return r;
}

/* What of the pending lines the file has not got yet. */
static int save(struct spool *sp, int fd)
{
	int r =
	    write_all(fd, sp->pending.s + sp->saved, sp->pending.len - sp->saved, sp->saved);

	if (!r && fdatasync(fd))
		r = -errno;
	if (r)
		(void)ftruncate(fd, (off_t)sp->saved);
	else
		sp->saved = sp->pending.len;
	return r;
}

static const char *const other_places[] = { NULL /* TMPDIR */, "/var/tmp", "/tmp" };

bool spool_name_elsewhere(struct text *path, const struct store *s, size_t i,
                          const char *ending)
{
	const char *dir;

	text_clear(path);
	if (i >= ARRAY_SIZE(other_places))
		return false;
	dir = other_places[i] ? other_places[i] : getenv("TMPDIR");
	if (dir && *dir == '/' && *s->spool.sweep)
		text_addf(path, "%s/iosweep-%s.%s", dir, s->spool.sweep, ending);
	return true;
}

/* Begin a file in another place that has everything that is pending. */
static int go_elsewhere(struct store *s)
{
	AUTO(text_fini) struct text path = { 0 };
	struct spool *sp = &s->spool;
	const size_t saved = sp->saved;

	for (size_t i = 0; spool_name_elsewhere(&path, s, i, "spool"); i++) {
		int fd;

		if (!path.len)
			continue;
		fd = open(path.s, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0)
			continue;
		sp->saved = 0;
		if (!save(sp, fd)) {
			sp->elsewhere = TAKE(path.s);
			sp->elsewhere_fd = fd;
			return 0;
		}
		sp->saved = saved;
		(void)unlink(path.s);
		close(fd);
	}
	return -ENOSPC;
}

int spool_add(struct store *s, struct err *e)
{
	struct spool *sp = &s->spool;
	int r = -EROFS;

	store_replay_end(&s->lines, ++sp->batch);
	if (!sp->pending.len)
		add_head(&sp->pending, sp);
	text_addn(&sp->pending, s->lines.s, s->lines.len);
	text_clear(&s->lines);
	if (sp->elsewhere)
		r = save(sp, sp->elsewhere_fd);
	else if (sp->fd >= 0 && store_is_named(sp->fd, sp->path))
		r = save(sp, sp->fd);
	if (r && !sp->elsewhere)
		r = go_elsewhere(s);
	return r ? err_set(e, r, "no place for a spool file: %s", err_name(-r)) : 0;
}

const char *spool_place(const struct store *s)
{
	const struct spool *sp = &s->spool;

	if (sp->saved < sp->pending.len)
		return NULL;
	return sp->elsewhere ? sp->elsewhere : sp->path;
}

bool store_spooled(const struct store *s)
{
	AUTO(text_fini) struct text path = { 0 };
	struct stat st;

	text_addf(&path, "%s-spool", sqlite3_db_filename(s->db, "main"));
	return !lstat(path.s, &st) && S_ISREG(st.st_mode) && st.st_size;
}

/* Nothing is pending any more. */
static void forget(struct spool *sp)
{
	if (sp->elsewhere) {
		(void)unlink(sp->elsewhere);
		close(sp->elsewhere_fd);
		free(sp->elsewhere);
		sp->elsewhere = NULL;
		sp->elsewhere_fd = -1;
	}
	if (sp->fd >= 0 && !ftruncate(sp->fd, 0))
		(void)fallocate(sp->fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED_BYTES);
	sp->saved = 0;
	text_clear(&sp->pending);
}

/* Of this session, how many batches has the database got? */
static uint64_t batches_stored(struct store *s)
{
	const char *text = store_get(s, "spool");
	char session[32];
	uint64_t n;

	(void)snprintf(session, sizeof(session), "%" PRId64 ":", s->spool.session);
	return text && text_take(&text, session) && !parse_u64(text, &n) ? n : 0;
}

struct replay {
	const char *text;
	size_t size;
};

static int replay(struct store *s, const void *arg, struct err *e)
{
	const struct replay *what = arg;
	uint64_t last = 0;
	char mark[64];
	int r = store_replay(s, what->text, what->size, batches_stored(s), &last, e);

	if (r || !last)
		return r;
	(void)snprintf(mark, sizeof(mark), "%" PRId64 ":%" PRIu64, s->spool.session, last);
	r = store_put_header(s, "spool", mark, e);
	if (!r && last > s->spool.batch)
		s->spool.batch = last;
	return r;
}

static int drain(struct store *s, int busy_ms, struct err *e)
{
	struct spool *sp = &s->spool;
	struct replay what;
	size_t head;
	int r;

	if (!sp->pending.len)
		return 0;
	head = strcspn(sp->pending.s, "\n") + 1;
	what = (struct replay){ sp->pending.s + head, sp->pending.len - head };
	(void)sqlite3_busy_timeout(s->db, busy_ms);
	r = store_transact(s, true, replay, &what, e);
	(void)sqlite3_busy_timeout(s->db, STEP_BUSY_MS);
	if (r)
		return r;
	forget(sp);
	s->caught_up = true;
	return 0;
}

int spool_drain(struct store *s, struct err *e)
{
	return drain(s, DRAIN_BUSY_MS, e);
}

/* What an open spool holds into the database, unless it is another sweep's. */
static int take_file(struct store *s, int fd, const char *path, struct err *e)
{
	AUTO(text_fini) struct text text = { 0 }, head = { 0 };
	struct replay what;
	int r = lseek(fd, 0, SEEK_SET) ? -errno : file_read_all(&text, fd, SIZE_MAX);

	if (r)
		return err_set(e, r, "%s: %s", path, err_name(-r));
	if (!memchr(text_get(&text), '\n', text.len))
		return 0; /* cut off before its first row */
	add_head(&head, &s->spool);
	if (text.len < head.len || memcmp(text_get(&text), text_get(&head), head.len) != 0)
		return err_set(e, -EINVAL,
		               "%s: holds rows of another sweep, or from before this one was "
		               "resumed without it; move it away to go on",
		               path);
	what = (struct replay){ text.s + head.len, text.len - head.len };
	r = store_transact(s, true, replay, &what, e);
	return r ? err_wrap(e, "%s", path) : 0;
}

int spool_take_over(struct store *s, struct err *e)
{
	AUTO(text_fini) struct text path = { 0 };
	struct spool *sp = &s->spool;
	int r = take_file(s, sp->fd, sp->path, e);

	for (size_t i = 0; !r && spool_name_elsewhere(&path, s, i, "spool"); i++) {
		AUTO(closep) int fd = -1;

		if (path.len)
			fd = open(path.s, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		r = check_file(s, fd, path.s, e);
		if (!r)
			r = take_file(s, fd, path.s, e);
		if (!r)
			(void)unlink(path.s);
	}
	if (!r)
		forget(sp);
	return r;
}

/* The room that is left of what was reserved may be all that the database needs. */
static void last_try(struct store *s, off_t written)
{
	(void)ftruncate(s->spool.fd, written);
	(void)drain(s, STEP_BUSY_MS, NULL);
}

void spool_discard(struct store *s)
{
	forget(&s->spool);
	spool_close(s);
}

void spool_close(struct store *s)
{
	struct spool *sp = &s->spool;
	struct stat st = { 0 };

	if (sp->fd < 0)
		return;
	(void)fstat(sp->fd, &st);
	if (sp->pending.len)
		last_try(s, st.st_size);
	if ((!sp->pending.len || !st.st_size) && store_is_named(sp->fd, sp->path))
		(void)unlink(sp->path);
}

void spool_free(struct spool *sp)
{
	if (sp->fd >= 0)
		close(sp->fd);
	if (sp->elsewhere_fd >= 0)
		close(sp->elsewhere_fd);
	free(sp->path);
	free(sp->elsewhere);
	text_fini(&sp->pending);
}
