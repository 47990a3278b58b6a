/* sink/store_create.c: a new database: written under another name, so that it is seen only when
 * it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "model/column.h"
#include "sink/output.h"
#include "sink/store_private.h"

static void random_uuid(char out[37])
{
	uint8_t b[16];

	if (getrandom(b, sizeof(b), 0) != (ssize_t)sizeof(b)) {
		uint64_t t[2] = { (uint64_t)clock_wall_ns(),
			          clock_mono_ns() ^ (uint64_t)getpid() << 40 };

		memcpy(b, t, sizeof(b));
	}
	b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
	b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
	(void)snprintf(out, 37,
	               "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
	               b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
	               b[12], b[13], b[14], b[15]);
}

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

static int put_sweep(struct store *s, const struct store_header *h, struct err *e)
{
	AUTO(text_fini) struct text tags = { 0 };
	char uuid[37], seed[24];
	sqlite3_stmt *st = NULL;
	int n = 0, r;

	random_uuid(uuid);
	(void)snprintf(seed, sizeof(seed), "%" PRIu64, h->sweep->seed);
	for (size_t i = 0; i < h->sweep->tags; i++)
		text_addf(&tags, "%s%s=%s", i ? " " : "", h->sweep->tag[i].key,
		          h->sweep->tag[i].value);
	r = sqlite3_prepare_v2(s->db,
	                       "INSERT INTO sweep VALUES(1,?,?,?,?,?,?,?,?,?,?,?,?,'running')",
	                       -1, &st, NULL);
	if (r != SQLITE_OK)
		return store_error(s, r, "prepare", e);
	sqlite3_bind_text(st, ++n, uuid, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, ++n, or_empty(h->sweep->name), -1, SQLITE_STATIC);
	sqlite3_bind_text(st, ++n, or_empty(h->sweep->description), -1, SQLITE_STATIC);
	sqlite3_bind_text(st, ++n, text_get(&tags), -1, SQLITE_STATIC);
	sqlite3_bind_text(st, ++n, or_empty(h->sweep->config_text), -1, SQLITE_STATIC);
	sqlite3_bind_text(st, ++n, seed, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, ++n, or_empty(h->start_directory), -1, SQLITE_STATIC);
	sqlite3_bind_text(st, ++n, or_empty(h->command_options), -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, ++n, (int64_t)h->planned_runs);
	sqlite3_bind_double(st, ++n, h->estimate_s);
	sqlite3_bind_text(st, ++n, IOSWEEP_VERSION, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, ++n, clock_wall_ns());
	r = store_run(s, st, "write", e);
	(void)sqlite3_finalize(st);
	return r;
}

static int put_environment(struct store *s, const struct store_header *h, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int r =
	    sqlite3_prepare_v2(s->db, "INSERT INTO environment VALUES(1,?,?)", -1, &st, NULL);

	if (r != SQLITE_OK)
		return store_error(s, r, "prepare", e);
	sqlite3_bind_text(st, 1, or_empty(h->host), -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, h->facts_json ? h->facts_json : "{}", -1, SQLITE_STATIC);
	r = store_run(s, st, "write", e);
	(void)sqlite3_finalize(st);
	return r;
}

/* Everything that resume needs stands in the first transaction. */
static int put_start(struct store *s, const void *arg, struct err *e)
{
	const struct store_header *h = arg;
	AUTO(text_fini) struct text sql = { 0 };
	int r;

	store_schema_sql(&sql, column_swept(h->sweep));
	r = store_exec(s, sql.s, "create", e);
	if (!r)
		r = put_sweep(s, h, e);

	if (!r)
		r = put_environment(s, h, e);
	if (!r)
		r = store_put_header(s, "session", "0", e);
	if (!r && h->csv_path)
		r = store_put_header(s, "csv_path", h->csv_path, e);
	if (!r && h->default_ioengine)
		r = store_put_header(s, "default_ioengine", h->default_ioengine, e);
	if (!r && h->origin)
		r = store_put_header(s, "origin", h->origin, e);
	for (size_t i = 0; h->world && i < h->world->targets && !r; i++)
		if (h->world->target[i].kind != TARGET_NOT_NEEDED &&
		    h->world->target[i].kind != TARGET_SET) /* its members are there */
			r = store_write_target(s, &h->world->target[i], e);
	return r;
}

static int write_new(const char *tmp, const char *path, const struct store_header *h,
                     struct err *e)
{
	AUTO(store_freep) struct store *s = store_alloc(path, true);
	int r = store_open_db(s, tmp, SQLITE_OPEN_READWRITE, e);

	if (r)
		return r;
	s->lock_fd = open(tmp, O_RDONLY | O_CLOEXEC); /* tells the file system; no lock yet */
	r = store_transact(s, true, put_start, h, e);
	/* The change of mode locks readers out for a moment: better before there are any. */
	return r ? r : store_start_writing(s, e);
}

/* Give the file its name, but never replace one. */
static int publish(const char *tmp, const char *path, struct err *e)
{
	int r = renameat2(AT_FDCWD, tmp, AT_FDCWD, path, RENAME_NOREPLACE) ? errno : 0;

	if (r == EINVAL || r == ENOSYS) { /* this file system cannot */
		r = link(tmp, path) ? errno : 0;
		if (!r)
			(void)unlink(tmp);
	}
	if (r == EEXIST)
		return err_set(e, -EEXIST, "%s: exists already", path);
	return r ? err_set(e, -r, "%s: %s", path, err_name(r)) : 0;
}

static void sync_directory(const char *path)
{
	AUTO(freep) char *copy = xstrdup(path);
	char *slash = strrchr(copy, '/');
	int fd;

	if (slash)
		slash[slash == copy] = '\0';
	fd = open(slash ? copy : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/* The database itself goes last: what SQLite keeps beside one is known by its name. `s`: only as
 * long as the name is that of its file. */
static void remove_all(const char *path, const struct store *s)
{
	static const char *const ending[] = { "-journal", "-wal", "-shm", "" };

	for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
		AUTO(text_fini) struct text name = { 0 };

		text_addf(&name, "%s%s", path, ending[i]);
		if (!s || store_is_named(s->lock_fd, s->path))
			(void)unlink(name.s);
	}
}

/* While it is locked; SQLite leaves the files beside a database that has lost its name. */
void store_discard(struct store *s)
{
	spool_discard(s);
	remove_all(s->path, s);
	store_free(s);
}

/* Our own number can only be that of an earlier process. */
static void remove_left(const char *left, pid_t maker)
{
	const bool gone = maker == getpid() || (kill(maker, 0) && errno == ESRCH);

	if (gone && (output_is_empty(left) || output_is_database(left)))
		remove_all(left, NULL);
}

static int create_named(struct store **out, const char *tmp, const char *path,
                        const struct store_header *h, struct err *e)
{
	AUTO(store_freep) struct store *s = store_alloc(path, true);
	int r = write_new(tmp, path, h, e);

	if (r)
		return r;
	/* Locked before it can be seen; from here on no other descriptor of it is closed. */
	s->lock_fd = open(tmp, O_RDWR | O_CLOEXEC);
	if (s->lock_fd < 0)
		return err_set(e, -errno, "%s: %s", path, err_name(errno));
	r = store_lock(s, e);
	if (!r)
		r = publish(tmp, path, e);
	if (r)
		return r;
	sync_directory(path);
	r = store_open_db(s, path, SQLITE_OPEN_READWRITE, e);
	if (!r)
		r = store_get_ready(s, false, e);
	if (r) {
		store_discard(TAKE(s));
		return r;
	}
	*out = TAKE(s);
	return 0;
}

int store_create(struct store **out, const char *path, const struct store_header *h,
                 struct err *e)
{
	AUTO(text_fini) struct text tmp = { 0 };
	struct stat st;
	int fd, r;

	if (!lstat(path, &st))
		return err_set(e, -EEXIST, "%s: exists already", path);
	text_addf(&tmp, "%s-spool", path);
	if (!lstat(tmp.s, &st) && st.st_size)
		return err_set(e, -EINVAL, "%s: holds rows of another sweep; move it away",
		               tmp.s);
	text_clear(&tmp);
	output_each_left(path, remove_left);
	text_addf(&tmp, "%s.new-%d", path, (int)getpid());
	fd = open(tmp.s, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_set(e, -errno, "%s: cannot create: %s", path, err_name(errno));
	close(fd);
	r = create_named(out, tmp.s, path, h, e);
	if (r)
		remove_all(tmp.s, NULL);
	return r;
}
