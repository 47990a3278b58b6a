/* sink/store.c: the life of a store: open, go on, close; errors and transactions. */
#include "sink/store.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "model/units_sql.h"
#include "sink/store_private.h"

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
	free(s->kept);
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

/* "file:./a%20b.db?immutable=1": SQLite makes no log and no index beside such a file. */
static void add_immutable(struct text *name, const char *path)
{
	text_add(name, "file:");
	for (const char *p = path; *p; p++)
		text_addf(name, isalnum((unsigned char)*p) || strchr("/._-", *p) ? "%c" : "%%%02x",
		          (unsigned char)*p);
	text_add(name, "?immutable=1");
}

/* SQLite must take the name for a file, whatever it looks like ("file:x", ":memory:"). */
int store_open_db(struct store *s, const char *path, int flags, struct err *e)
{
	AUTO(text_fini) struct text plain = { 0 };
	AUTO(text_fini) struct text name = { 0 };
	int r;

	text_addf(&plain, "%s%s", *path == '/' ? "" : "./", path);
	if (flags & SQLITE_OPEN_URI)
		add_immutable(&name, plain.s);
	r = sqlite3_open_v2(name.s ? name.s : plain.s, &s->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
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
	if (r == SQLITE_OK)
		r = units_sql_add(s->db);
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

int store_ask(struct store *s, const char *sql, const char *doing, char *answer, size_t size,
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
	r = store_ask(s, sql, "journal_mode", now, sizeof(now), e);
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
	if (!r && store_pending(s) && !store_moved(s))
		r = err_set(e, -EBUSY,
		            "%s: not everything reached it; what was measured is kept in %s",
		            s->path, spool_place(s) ? spool_place(s) : "memory alone");
	if (s->writer && store_moved(s))
		r = store_leave(s, e);
	else if (s->writer && !s->network)
		become_one_file(s);
	store_free(s);
	return r;
}
