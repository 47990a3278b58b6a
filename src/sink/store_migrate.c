/* sink/store_migrate.c: files of older programs. This program's schema is made in memory; what
 * the file lacks of it is found by comparing the two, so that a column that is added to a table
 * of axes, metrics or facts needs nothing here. Only what a difference cannot say is a step. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "model/column.h"
#include "sink/store_private.h"

/* What to do to a file of version `from`, besides adding what it lacks. */
static const struct migration {
	int from;
	const char *sql;
} steps[] = {
	{ 1, "INSERT OR IGNORE INTO header(name, value) VALUES('session', '0')" },
};

static void closedbp(sqlite3 **db)
{
	(void)sqlite3_close(*db);
}

static void finalizep(sqlite3_stmt **st)
{
	(void)sqlite3_finalize(*st);
}

/* Prepare a query of one of the two databases, its first parameter bound to `name`. */
static int ask_about(struct store *s, sqlite3 *db, sqlite3_stmt **st, const char *sql,
                     const char *name, struct err *e)
{
	int r = sqlite3_prepare_v2(db, sql, -1, st, NULL);

	if (r == SQLITE_OK && name)
		r = sqlite3_bind_text(*st, 1, name, -1, SQLITE_TRANSIENT);
	return r == SQLITE_OK ? 0 : store_error(s, r, "read", e);
}

static bool is_column(sqlite3 *db, const char *table, const char *column)
{
	return sqlite3_table_column_metadata(db, "main", table, column, NULL, NULL, NULL, NULL,
	                                     NULL) == SQLITE_OK;
}

/* The axes that have columns of their own in this file. */
static int swept_in_file(struct store *s, uint64_t *swept, struct err *e)
{
	AUTO(finalizep) sqlite3_stmt *st = NULL;
	struct column all[COLUMN_MAX];
	size_t always = column_list(all, 0), n = column_list(all, UINT64_MAX);
	int r =
	    ask_about(s, s->db, &st, "SELECT name FROM pragma_table_info('results')", NULL, e);

	*swept = 0;
	if (r)
		return r;
	while ((r = sqlite3_step(st)) == SQLITE_ROW)
		for (size_t i = always; i < n; i++)
			if (!strcmp((const char *)sqlite3_column_text(st, 0), all[i].name))
				*swept |= UINT64_C(1) << all[i].index;
	return r == SQLITE_DONE ? 0 : store_error(s, r, "read", e);
}

/* The schema as this program makes it for such a sweep. */
static int make_reference(struct store *s, sqlite3 **ref, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	uint64_t swept;
	int r = swept_in_file(s, &swept, e);

	if (r)
		return r;
	store_schema_sql(&sql, swept);
	r = sqlite3_open_v2(":memory:", ref,
	                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
	                    NULL);
	if (r == SQLITE_OK)
		r = sqlite3_exec(*ref, sql.s, NULL, NULL, NULL);
	return r == SQLITE_OK ? 0 : err_set(e, -ENOMEM, "%s: out of memory", s->path);
}

/* What one table of the file lacks: its columns as they would be added, or as empty ones of a
 * view. */
struct lack {
	const char *table;
	bool whole; /* there is no such table */
	struct text alter, columns;
};

static void lack_fini(struct lack *l)
{
	text_fini(&l->alter);
	text_fini(&l->columns);
}

static void add_lacking(struct lack *l, sqlite3_stmt *info)
{
	const char *name = (const char *)sqlite3_column_text(info, 0),
		   *type = (const char *)sqlite3_column_text(info, 1),
		   *preset = (const char *)sqlite3_column_text(info, 3);
	bool not_null = sqlite3_column_int(info, 2);

	if (not_null && !preset)
		preset = strcmp(type, "TEXT") ? "0" : "''";
	text_addf(&l->alter, "ALTER TABLE %s ADD COLUMN %s %s%s%s%s;\n", l->table, name, type,
	          not_null ? " NOT NULL" : "", preset ? " DEFAULT " : "", preset ? preset : "");
	text_addf(&l->columns, "%s%s AS %s", l->columns.len ? ", " : "",
	          preset ? preset : "NULL", name);
}

static int find_lack(struct store *s, sqlite3 *ref, struct lack *l, struct err *e)
{
	AUTO(finalizep) sqlite3_stmt *st = NULL;
	int r = ask_about(
	    s, ref, &st, "SELECT name, type, \"notnull\", dflt_value FROM pragma_table_info(?)",
	    l->table, e);

	if (r)
		return r;
	l->whole = !is_column(s->db, l->table, NULL);
	while ((r = sqlite3_step(st)) == SQLITE_ROW)
		if (l->whole ||
		    !is_column(s->db, l->table, (const char *)sqlite3_column_text(st, 0)))
			add_lacking(l, st);
	return r == SQLITE_DONE ? 0 : store_error(s, r, "read", e);
}

static int check_table(struct store *s, const char *name, struct err *e)
{
	AUTO(finalizep) sqlite3_stmt *st = NULL;
	int r = ask_about(s, s->db, &st,
	                  "SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE AND "
	                  "(type <> 'table' OR sql LIKE 'CREATE VIRTUAL%')",
	                  name, e);

	if (r)
		return r;
	r = sqlite3_step(st);
	if (r == SQLITE_ROW)
		return err_set(e, -EINVAL, "%s: its '%s' is no table, which no iosweep made",
		               s->path, name);
	return r == SQLITE_DONE ? 0 : store_error(s, r, "read", e);
}

/* Is the view in the file the same as this program would make? */
static int same_view(struct store *s, const char *name, const char *sql, bool *same,
                     struct err *e)
{
	AUTO(finalizep) sqlite3_stmt *st = NULL;
	int r =
	    ask_about(s, s->db, &st, "SELECT sql FROM sqlite_master WHERE name = ?1", name, e);

	if (r)
		return r;
	r = sqlite3_step(st);
	*same = r == SQLITE_ROW && sqlite3_column_text(st, 0) &&
	        !strcmp((const char *)sqlite3_column_text(st, 0), sql);
	return r == SQLITE_ROW || r == SQLITE_DONE ? 0 : store_error(s, r, "read", e);
}

typedef int lacking(struct store *s, struct text *out, const struct lack *l, const char *sql,
                    struct err *e);

/* For each table and view of the reference, what `fn` makes of it. */
static int compare(struct store *s, struct text *out, lacking *fn, struct err *e)
{
	AUTO(closedbp) sqlite3 *ref = NULL;
	AUTO(finalizep) sqlite3_stmt *st = NULL;
	int r = make_reference(s, &ref, e);

	if (!r)
		r = ask_about(
		    s, ref, &st,
		    "SELECT name, sql, type = 'table' FROM sqlite_master WHERE sql IS NOT "
		    "NULL ORDER BY rowid",
		    NULL, e);
	if (r)
		return r;
	while (!r && sqlite3_step(st) == SQLITE_ROW) {
		AUTO(lack_fini)
		struct lack l = { .table = (const char *)sqlite3_column_text(st, 0) };
		bool table = sqlite3_column_int(st, 2);

		if (table)
			r = check_table(s, l.table, e);
		if (!r && table)
			r = find_lack(s, ref, &l, e);
		if (!r)
			r = fn(s, out, table ? &l : NULL,
			       (const char *)sqlite3_column_text(st, 1), e);
	}
	return r;
}

#define AFTER_CREATE_VIEW(sql) ((sql) + sizeof("CREATE VIEW ") - 1)

/* To be done to the file. */
static int alter(struct store *s, struct text *out, const struct lack *l, const char *sql,
                 struct err *e)
{
	const char *name;
	char view[32];
	bool same;
	int r;

	if (l && l->whole)
		text_addf(out, "%s;\n", sql);
	else if (l)
		text_add(out, text_get(&l->alter));
	if (l)
		return 0;
	name = AFTER_CREATE_VIEW(sql);
	(void)snprintf(view, sizeof(view), "%.*s", (int)strcspn(name, " "), name);
	r = same_view(s, view, sql, &same, e);
	if (!r && !same)
		text_addf(out, "DROP VIEW IF EXISTS %s;\n%s;\n", view, sql);
	return r;
}

/* A reader's own views: of tables that lack something, and of the rows. */
static int shadow(struct store *s, struct text *out, const struct lack *l, const char *sql,
                  struct err *e)
{
	(void)s, (void)e;
	if (!l)
		text_addf(out, "CREATE TEMP VIEW %s;\n", AFTER_CREATE_VIEW(sql));
	else if (l->whole)
		text_addf(out, "CREATE TEMP VIEW %s AS SELECT %s WHERE 0;\n", l->table,
		          text_get(&l->columns));
	else if (l->columns.len)
		text_addf(out, "CREATE TEMP VIEW %s AS SELECT *, %s FROM main.%s;\n", l->table,
		          text_get(&l->columns), l->table);
	return 0;
}

static int nothing(struct store *s, struct text *out, const struct lack *l, const char *sql,
                   struct err *e)
{
	(void)s, (void)out, (void)l, (void)sql, (void)e;
	return 0;
}

int store_check_tables(struct store *s, struct err *e)
{
	return compare(s, NULL, nothing, e);
}

int store_make_views(struct store *s, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	int r;

	text_add(&sql, "PRAGMA temp_store = MEMORY;\n");
	r = compare(s, &sql, shadow, e);
	return r ? r : store_exec(s, sql.s, "read", e);
}

static int version_of(struct store *s, int *version, struct err *e)
{
	AUTO(finalizep) sqlite3_stmt *st = NULL;
	int r = ask_about(s, s->db, &st, "PRAGMA user_version", NULL, e);

	if (r)
		return r;
	r = sqlite3_step(st);
	*version = sqlite3_column_int(st, 0);
	return r == SQLITE_ROW ? 0 : store_error(s, r, "read", e);
}

/* All pages into a new file, durable when this returns 0. */
static int copy_pages(struct store *s, const char *path, struct err *e)
{
	AUTO(closedbp) sqlite3 *copy = NULL;
	sqlite3_backup *b = NULL;
	int r = sqlite3_open_v2(path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (r == SQLITE_OK)
		b = sqlite3_backup_init(copy, "main", s->db, "main");
	if (b) {
		(void)sqlite3_backup_step(b, -1);
		r = sqlite3_backup_finish(b);
	} else if (r == SQLITE_OK) {
		r = sqlite3_errcode(copy);
	}
	if (r == SQLITE_OK)
		return 0;
	return err_set(e, r == SQLITE_FULL ? -ENOSPC : -EIO, "%s: backup: %s", path,
	               sqlite3_errstr(r));
}

/* FILE.bak-vN, unless it is there from an attempt that did not end. */
static int back_up(struct store *s, int version, struct err *e)
{
	AUTO(text_fini) struct text to = { 0 }, tmp = { 0 };
	struct stat st;
	int fd, r;

	text_addf(&to, "%s.bak-v%d", sqlite3_db_filename(s->db, "main"), version);
	if (!lstat(to.s, &st))
		return 0;
	text_addf(&tmp, "%s.new-%d", to.s, (int)getpid());
	fd = open(tmp.s, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_set(e, -errno, "%s: cannot create: %s", tmp.s, err_name(errno));
	close(fd);
	r = copy_pages(s, tmp.s, e);
	if (!r && rename(tmp.s, to.s))
		r = err_set(e, -errno, "%s: %s", to.s, err_name(errno));
	if (r)
		(void)unlink(tmp.s);
	return r;
}

static int run_sql(struct store *s, const void *sql, struct err *e)
{
	return store_exec(s, sql, "bring up to date", e);
}

int store_migrate(struct store *s, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	int version, r = version_of(s, &version, e);

	if (!r)
		r = compare(s, &sql, alter, e);
	if (r || (!sql.len && version == STORE_USER_VERSION))
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		if (version <= steps[i].from)
			text_addf(&sql, "%s;\n", steps[i].sql);
	text_addf(&sql, "PRAGMA user_version = %d;\n", STORE_USER_VERSION);
	r = back_up(s, version, e);
	return r ? r : store_transact(s, true, run_sql, sql.s, e);
}
