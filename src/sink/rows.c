/* sink/rows.c: rows by SELECT. Conditions come from users and files from strangers: an
 * authorizer lets nothing through but reading this database. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sink/store_private.h"

struct rows {
	struct store *store;
	sqlite3_stmt *st;
};

static int reads_only(void *arg, int action, const char *a, const char *b, const char *db,
                      const char *trigger)
{
	(void)arg, (void)a, (void)db, (void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return b && !strcasecmp(b, "load_extension") ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

void store_read_only_sql(sqlite3 *db, bool on)
{
	(void)sqlite3_set_authorizer(db, on ? reads_only : NULL, NULL);
}

#define STEPS_PER_CALL 10000
#define STEPS_LIMIT    100000000 /* virtual machine instructions before the next row */
#define TEXT_LIMIT     1000000

static int count_steps(void *arg)
{
	struct store *s = arg;

	s->steps += STEPS_PER_CALL;
	return s->steps > STEPS_LIMIT;
}

void rows_bound(struct store *s, bool on)
{
	s->steps = 0;
	if (on)
		s->length_limit = sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, TEXT_LIMIT);
	else
		(void)sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, s->length_limit);
	sqlite3_progress_handler(s->db, on ? STEPS_PER_CALL : 0, count_steps, s);
}

void rows_where(struct text *sql, const char *word, const char *where)
{
	if (where) /* the line end closes a comment in the condition */
		text_addf(sql, " %s (%s\n)", word, where);
}

static bool blank(const char *s)
{
	while (isspace((unsigned char)*s) || *s == ';')
		s++;
	return !*s;
}

/* The kept statement of the last rows, when it is the same SQL. */
static sqlite3_stmt *take_spare(struct store *s, const char *sql)
{
	sqlite3_stmt *st = s->spare;

	if (!st || strcmp(sqlite3_sql(st), sql) != 0)
		return NULL;
	s->spare = NULL;
	return st;
}

static int prepare(struct store *s, const char *sql, sqlite3_stmt **st, struct err *e)
{
	const char *tail = "";
	int r;

	store_read_only_sql(s->db, true);
	r = sqlite3_prepare_v2(s->db, sql, -1, st, &tail);
	if (r != SQLITE_OK)
		r = store_error(s, r, "query", e);
	else if (!*st)
		r = err_set(e, -EINVAL, "%s: query: empty", s->path);
	else if (!blank(tail))
		r = err_set(e, -EINVAL, "%s: query: more than one statement", s->path);
	if (s->writer)
		store_read_only_sql(s->db, false);
	return r;
}

int rows_open(struct rows **out, struct store *s, const char *sql, struct err *e)
{
	sqlite3_stmt *st = take_spare(s, sql);
	int r = st ? 0 : prepare(s, sql, &st, e);

	if (r) {
		(void)sqlite3_finalize(st);
		return r;
	}
	*out = xcalloc(1, sizeof(**out));
	(*out)->store = s;
	(*out)->st = st;
	return 0;
}

void rows_bind_text(struct rows *r, int index, const char *value)
{
	(void)sqlite3_bind_text(r->st, index, value, -1, SQLITE_TRANSIENT);
}

void rows_bind_int(struct rows *r, int index, int64_t value)
{
	(void)sqlite3_bind_int64(r->st, index, value);
}

int rows_next(struct rows *r, struct err *e)
{
	int rc = sqlite3_step(r->st);

	r->store->steps = 0;
	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_INTERRUPT)
		return err_set(e, -EINVAL, "%s: query: takes too many steps", r->store->path);
	return rc == SQLITE_DONE ? 0 : store_error(r->store, rc, "query", e);
}

int rows_columns(const struct rows *r)
{
	return sqlite3_column_count(r->st);
}

const char *rows_name(const struct rows *r, int column)
{
	return sqlite3_column_name(r->st, column);
}

int rows_find(const struct rows *r, const char *name)
{
	for (int i = 0; i < rows_columns(r); i++)
		if (!strcmp(rows_name(r, i), name))
			return i;
	return -1;
}

enum rows_type rows_type(const struct rows *r, int column)
{
	switch (sqlite3_column_type(r->st, column)) {
	case SQLITE_INTEGER:
		return ROWS_INTEGER;
	case SQLITE_FLOAT:
		return ROWS_REAL;
	case SQLITE_NULL:
		return ROWS_NULL;
	default:
		return ROWS_TEXT;
	}
}

bool rows_null(const struct rows *r, int column)
{
	return sqlite3_column_type(r->st, column) == SQLITE_NULL;
}

int64_t rows_int(const struct rows *r, int column)
{
	return sqlite3_column_int64(r->st, column);
}

double rows_real(const struct rows *r, int column)
{
	return rows_null(r, column) ? (double)NAN : sqlite3_column_double(r->st, column);
}

const char *rows_text(const struct rows *r, int column)
{
	const char *s = (const char *)sqlite3_column_text(r->st, column);

	return s ? s : "";
}

bool rows_named_missing(const struct rows *r, const char *name)
{
	int i = rows_find(r, name);

	return i < 0 || rows_null(r, i);
}

int64_t rows_named_int(const struct rows *r, const char *name)
{
	int i = rows_find(r, name);

	return i < 0 ? 0 : rows_int(r, i);
}

double rows_named_real(const struct rows *r, const char *name)
{
	int i = rows_find(r, name);

	return i < 0 ? (double)NAN : rows_real(r, i);
}

const char *rows_named_text(const struct rows *r, const char *name)
{
	int i = rows_find(r, name);

	return i < 0 ? "" : rows_text(r, i);
}

const void *rows_blob(const struct rows *r, int column, size_t *size)
{
	const void *p = sqlite3_column_blob(r->st, column);

	*size = p ? (size_t)sqlite3_column_bytes(r->st, column) : 0;
	return p;
}

/* Keep the statement for the next of its kind: preparing a wide view takes longer than reading
 * one row of it. */
void rows_close(struct rows *r)
{
	if (!r)
		return;
	(void)sqlite3_reset(r->st);
	(void)sqlite3_clear_bindings(r->st);
	(void)sqlite3_finalize(r->store->spare);
	r->store->spare = r->st;
	free(r);
}
