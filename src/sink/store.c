/* sink/store.c: the life of a store: open, go on, close; errors and transactions. */
#include "sink/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "sink/store_private.h"
#include "sink/store_reuse.h"

/* The errno of a primary result code. */
static int errno_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return EBUSY;
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_READONLY:
		return EROFS;
	case SQLITE_IOERR:
		return EIO;
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return EACCES;
	case SQLITE_NOMEM:
		return ENOMEM;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return EBADMSG;
	default:
		return EINVAL;
	}
}

int store_error(struct store *s, int code, const char *doing, struct err *e)
{
	int sys = sqlite3_system_errno(s->db);

	if (errno_of(code) == EIO && sys)
		return err_set(e, -EIO, "%s: %s: %s: %s", s->path, doing, sqlite3_errmsg(s->db),
		               err_name(sys));
	return err_set(e, -errno_of(code), "%s: %s: %s", s->path, doing, sqlite3_errmsg(s->db));
}

int store_exec(struct store *s, const char *sql, const char *doing, struct err *e)
{
	int r = sqlite3_exec(s->db, sql, NULL, NULL, NULL);

	return r == SQLITE_OK ? 0 : store_error(s, r, doing, e);
}

int store_statement(struct store *s, enum store_statement which, sqlite3_stmt **st,
                    struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	int r;

	*st = s->stmt[which];
	if (*st) {
		(void)sqlite3_reset(*st);
		(void)sqlite3_clear_bindings(*st);
		return 0;
	}
	store_statement_sql(&sql, which);
	r = sqlite3_prepare_v3(s->db, sql.s, -1, SQLITE_PREPARE_PERSISTENT, &s->stmt[which],
	                       NULL);
	*st = s->stmt[which];
	return r == SQLITE_OK ? 0 : store_error(s, r, "prepare", e);
}

int store_prepare(struct store *s, struct err *e)
{
	sqlite3_stmt *st;
	int r = 0;

	for (int i = 0; i < STMT_COUNT && !r; i++)
		r = store_statement(s, (enum store_statement)i, &st, e);
	return r;
}

int store_run(struct store *s, sqlite3_stmt *st, const char *doing, struct err *e)
{
	int r = sqlite3_step(st);

	if (r != SQLITE_DONE && r != SQLITE_ROW)
		r = store_error(s, r, doing, e);
	else
		r = 0;
	(void)sqlite3_reset(st);
	return r;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	for (int i = 0; i < STMT_COUNT; i++)
		(void)sqlite3_finalize(s->stmt[i]);
	(void)sqlite3_finalize(s->spare);
	(void)sqlite3_close(s->db);
	if (s->shm_fd >= 0)
		close(s->shm_fd);
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	store_forget_events(s);
	free(s->event);
	spool_free(&s->spool);
	text_fini(&s->lines);
	for (size_t i = 0; i < s->texts; i++) {
		free(s->text[i].name);
		free(s->text[i].value);
	}
	free(s->text);
	free(s->blob);
	free(s->path);
	free(s);
}

struct store *store_alloc(const char *path, bool writer)
{
	struct store *s = xcalloc(1, sizeof(*s));

	s->path = xstrdup(path);
	s->writer = writer;
	s->lock_fd = -1;
	s->shm_fd = -1;
	s->spool.fd = s->spool.elsewhere_fd = -1;
	return s;
}

/* SQLite must take the name for a file, whatever it looks like ("file:x", ":memory:"). */
int store_open_db(struct store *s, const char *path, int flags, struct err *e)
{
	AUTO(text_fini) struct text name = { 0 };
	int r;

	text_addf(&name, "%s%s", *path == '/' ? "" : "./", path);
	r = sqlite3_open_v2(name.s, &s->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
	                    NULL);
	if (r != SQLITE_OK)
		return s->db ? store_error(s, r, "open", e)
		             : err_set(e, -ENOMEM, "%s: out of memory", s->path);
	(void)sqlite3_busy_timeout(s->db, OPEN_BUSY_MS);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	(void)sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, (int)(64 * MIB));
	r = store_hist_functions(s->db);
	if (r != SQLITE_OK)
		return store_error(s, r, "open", e);
	return store_exec(
	    s, "PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON; PRAGMA mmap_size=0", "open",
	    e);
}

/* No memory shared between machines: the write-ahead log cannot work there. */
static bool on_network(int fd)
{
	static const uint32_t magic[] = {
		0x6969 /* nfs */,      0x517b /* smb */,     0xff534d42 /* cifs */,
		0xfe534d42 /* smb2 */, 0x01021997 /* 9p */,  0x65735546 /* fuse */,
		0x00c36400 /* ceph */, 0x5346414f /* afs */,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(magic); i++)
		if ((uint32_t)fs.f_type == magic[i])
			return true;
	return false;
}

/* The first value of a query's first row, as text. */
static int ask(struct store *s, const char *sql, const char *doing, char *answer, size_t size,
               struct err *e)
{
	sqlite3_stmt *st = NULL;
	const char *text;
	int r = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);

	if (r == SQLITE_OK)
		r = sqlite3_step(st);
	text = r == SQLITE_ROW ? (const char *)sqlite3_column_text(st, 0) : NULL;
	if (text)
		(void)snprintf(answer, size, "%s", text);
	r = text ? 0 : store_error(s, r, doing, e);
	(void)sqlite3_finalize(st);
	return r;
}

/* 1: the database is in this mode now, 0: it cannot be, -errno. */
static int journal_mode(struct store *s, const char *mode, struct err *e)
{
	char sql[64], now[32];
	int r;

	(void)snprintf(sql, sizeof(sql), "PRAGMA journal_mode=%s", mode);
	r = ask(s, sql, "journal_mode", now, sizeof(now), e);
	return r ? r : !strcasecmp(now, mode);
}

int store_start_writing(struct store *s, struct err *e)
{
	int r;

	s->network = on_network(s->lock_fd);
	r = s->network ? 0 : journal_mode(s, "WAL", e);
	if (r < 0)
		return r;
	if (r == 0) { /* refused: as on a network file system */
		s->network = true;
		r = journal_mode(s, "DELETE", e);
		return r < 0 ? r : store_exec(s, "PRAGMA synchronous=EXTRA", "open", e);
	}
	s->full = true;
	r = store_exec(s, "PRAGMA synchronous=FULL", "open", e);
	return r ? r : store_reserve_shm(s, e);
}

/* Big-endian 32 bits. */
static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Look at the first bytes before SQLite does: whose file is it? */
static int check_header(const struct store *s, struct err *e)
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
	return 0;
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
		r = ask(s, "SELECT count(*) FROM sweep", "read", n, sizeof(n), e);
	if (!r && strcmp(n, "1") != 0)
		r = err_set(e, -EINVAL, "%s: damaged: no sweep in it", s->path);
	return as_input(r, e);
}

static int quick_check(struct store *s, struct err *e)
{
	char text[512];
	int r = ask(s, "PRAGMA quick_check(1)", "check", text, sizeof(text), e);

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
	int r = ask(s, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'", "read", n,
	            sizeof(n), e);

	if (!r && strcmp(n, "0") != 0)
		r = err_set(e, -EINVAL, "%s: has triggers, which no iosweep made", s->path);
	return as_input(r, e);
}

/* Reading every page takes about a second per GB: only what is read at once anyway. */
static bool small_enough(const struct store *s)
{
	struct stat st;

	return !fstat(s->lock_fd, &st) && st.st_size <= (off_t)(256 * MIB);
}

int store_open(struct store **out, const char *path, struct err *e)
{
	AUTO(store_freep) struct store *s = store_alloc(path, false);
	int r = open_file(s, O_RDONLY, e);

	if (!r)
		r = store_open_db(s, path, SQLITE_OPEN_READONLY, e);
	if (!r)
		r = small_enough(s) ? quick_check(s, e) : 0;
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
	int r = ask(s, "SELECT coalesce(max(id), 0) FROM event", "read", n, sizeof(n), e);

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

/* One plain file at rest. SQLite does not wait for readers here, so we do; someone who keeps
 * reading keeps the log alive, and everything is in the file and its log then. */
static void become_one_file(struct store *s)
{
	const uint64_t until = clock_mono_ns() + 5 * SEC;

	(void)sqlite3_busy_timeout(s->db, 100);
	for (int i = 0; i < STMT_COUNT; i++)
		(void)sqlite3_reset(s->stmt[i]);
	for (;;) {
		int r = sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
		                                  NULL);

		r = r ? -errno_of(r) : journal_mode(s, "DELETE", NULL);
		if (r == 1 || (r < 0 && r != -EBUSY))
			return;
		if (clock_mono_ns() > until)
			return;
		clock_sleep_until(clock_mono_ns() + 10 * MSEC);
	}
}

bool store_pending(const struct store *s)
{
	return s->spool.pending.len != 0;
}

const char *store_unsaved(const struct store *s)
{
	return store_pending(s) && !spool_place(s) ? s->spool.pending.s : NULL;
}

bool store_caught_up(struct store *s)
{
	bool yes = s->caught_up;

	s->caught_up = false;
	return yes;
}

int store_close(struct store *s, struct err *e)
{
	int r = 0;

	if (!s)
		return 0;
	if (s->writer && s->events)
		r = store_step(s, NULL, NULL, true, e);
	if (s->writer)
		spool_close(s);
	if (!r && store_pending(s))
		r = err_set(e, -EBUSY,
		            "%s: not everything reached it; what was measured is kept in %s",
		            s->path, spool_place(s) ? spool_place(s) : "memory alone");
	if (s->writer && !s->network)
		become_one_file(s);
	store_free(s);
	return r;
}
