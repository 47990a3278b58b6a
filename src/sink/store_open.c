/* sink/store_open.c: is it a file of ours, whole and of a format that we know? Nothing of it is
 * used before that, and nothing written. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "sink/store_private.h"
#include "sink/store_reuse.h"

/* Big-endian 32 bits. */
static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Look at the first bytes before SQLite does: whose file is it? */
static int check_header(struct store *s, struct err *e)
{
	uint8_t h[100];
	ssize_t n = pread(s->lock_fd, h, sizeof(h), 0);

	if (n < 0)
		return err_set(e, -errno, "%s: %s", s->path, err_name(errno));
	if (n < (ssize_t)sizeof(h) || memcmp(h, "SQLite format 3", 16) != 0)
		return err_set(e, -EINVAL, "%s: not an iosweep database (no SQLite file)",
		               s->path);
	if (be32(h + 68) != STORE_APPLICATION_ID)
		return err_set(e, -EINVAL, "%s: a SQLite database, but not one of iosweep",
		               s->path);
	if (be32(h + 60) > STORE_USER_VERSION)
		return err_set(
		    e, -EINVAL,
		    "%s: made by a newer iosweep (format %u, this program knows up to %d)",
		    s->path, be32(h + 60), STORE_USER_VERSION);
	s->logged = h[18] == 2;
	return 0;
}

/* The copy of a database whose sweep ran, without its log: SQLite would make one, and an index, and
 * leave both. */
static bool lacks_its_log(struct store *s)
{
	AUTO(text_fini) struct text log = { 0 };

	text_addf(&log, "%s-wal", s->path);
	return s->logged && !store_live(s) && access(text_get(&log), F_OK) && errno == ENOENT;
}

static int open_file(struct store *s, int flags, struct err *e)
{
	struct stat st;

	s->lock_fd = open(s->path, flags | O_CLOEXEC | O_NONBLOCK);
	if (s->lock_fd < 0)
		return err_set(e, -errno, "%s: %s", s->path, err_name(errno));
	if (fstat(s->lock_fd, &st) || !S_ISREG(st.st_mode))
		return err_set(e, -EINVAL, "%s: not an iosweep database (no regular file)",
		               s->path);
	return check_header(s, e);
}

/* A file that SQLite finds broken is invalid input when it is opened, and a store error later.
 */
static int as_input(int r, struct err *e)
{
	if (r == -EBADMSG && e)
		e->code = -EINVAL;
	return r == -EBADMSG ? -EINVAL : r;
}

/* A first look that fails when the schema or the log cannot be read. */
static int check_schema(struct store *s, struct err *e)
{
	char n[32];
	int r = store_check_tables(s, e);

	if (!r)
		r = store_ask(s, "SELECT count(*) FROM sweep", "read", n, sizeof(n), e);
	if (!r && strcmp(n, "1") != 0)
		r = err_set(e, -EINVAL, "%s: damaged: no sweep in it", s->path);
	return as_input(r, e);
}

static int quick_check(struct store *s, struct err *e)
{
	char text[512];
	int r = store_ask(s, "PRAGMA quick_check(1)", "check", text, sizeof(text), e);

	if (!r && strcmp(text, "ok") != 0)
		r = err_set(e, -EINVAL, "%s: damaged: %s", s->path, text);
	return as_input(r, e);
}

int store_quick_check(struct store *s, struct err *e)
{
	int r;

	store_read_only_sql(s->db, false); /* which lets no PRAGMA through */
	r = quick_check(s, e);
	store_read_only_sql(s->db, !s->writer);
	return r;
}

/* Triggers would run with our writes; we never make one. */
static int no_triggers(struct store *s, struct err *e)
{
	char n[32];
	int r = store_ask(s, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'",
	                  "read", n, sizeof(n), e);

	if (!r && strcmp(n, "0") != 0)
		r = err_set(e, -EINVAL, "%s: has triggers, which no iosweep made", s->path);
	return as_input(r, e);
}

/* Reading every page takes about a second per GB: only what is read at once anyway, and not
 * beside a sweep, which has looked itself. */
static bool may_check(const struct store *s)
{
	struct stat st;

	return !store_live(s) && !fstat(s->lock_fd, &st) && st.st_size <= (off_t)(256 * MIB);
}

int store_open(struct store **out, const char *path, struct err *e)
{
	AUTO(store_freep) struct store *s = store_alloc(path, false);
	int r = open_file(s, O_RDONLY, e);

	if (!r)
		r = store_open_db(
		    s, path, SQLITE_OPEN_READONLY | (lacks_its_log(s) ? SQLITE_OPEN_URI : 0), e);
	if (!r)
		r = may_check(s) ? quick_check(s, e) : 0;
	if (!r)
		r = check_schema(s, e);
	if (!r)
		r = store_make_views(s, e);
	if (r)
		return as_input(r, e);
	store_read_only_sql(s->db, true);
	*out = TAKE(s);
	return 0;
}

static int interrupt_running(struct store *s, const void *arg, struct err *e)
{
	(void)arg;
	return store_exec(s,
	                  "UPDATE run SET status = 'interrupted', error = 'interrupted: "
	                  "the run did not finish' WHERE status = 'running'; "
	                  "UPDATE sweep SET state = 'interrupted' WHERE state = 'running'; "
	                  "UPDATE header SET value = value + 1 WHERE name = 'session'",
	                  "write", e);
}

static int last_event(struct store *s, struct err *e)
{
	char n[32];
	int r = store_ask(s, "SELECT coalesce(max(id), 0) FROM event", "read", n, sizeof(n), e);

	if (!r)
		s->last_event = strtoll(n, NULL, 10);
	return r;
}

int store_get_ready(struct store *s, bool resumed, struct err *e)
{
	int r = store_start_writing(s, e);

	if (!r)
		r = store_migrate(s, e);
	if (!r)
		r = store_make_views(s, e);
	if (!r)
		r = store_prepare(s, e);
	if (!r)
		r = spool_open(s, e);
	if (!r)
		r = spool_take_over(s, e);
	if (!r && resumed) {
		r = store_transact(s, true, interrupt_running, NULL, e);
		s->spool.session++;
	}
	if (!r)
		r = last_event(s, e);
	(void)sqlite3_busy_timeout(s->db, STEP_BUSY_MS);
	return r;
}

int store_resume(struct store **out, const char *path, struct err *e)
{
	AUTO(store_freep) struct store *s = store_alloc(path, true);
	int r = open_file(s, O_RDWR, e);

	if (!r)
		r = store_lock(s, e);
	if (!r)
		r = store_open_db(s, path, SQLITE_OPEN_READWRITE, e);
	if (!r)
		r = quick_check(s, e);
	if (!r)
		r = no_triggers(s, e);
	if (!r)
		r = check_schema(s, e);
	if (!r)
		r = store_get_ready(s, true, e);
	if (r)
		return as_input(r, e);
	*out = TAKE(s);
	return 0;
}
