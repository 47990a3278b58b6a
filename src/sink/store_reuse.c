#include "sink/store_reuse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sink/store_private.h"

/* The tables that hold a run, and the column that says which. */
static const struct table {
	const char *name, *id;
} tables[] = { { "run", "id" },
	       { "result", "run_id" },
	       { "interval", "run_id" },
	       { "histogram", "run_id" },
	       { "target_result", "run_id" } };

struct copy {
	sqlite3_stmt *select, *insert;
	int *from; /* the column of select for each of insert; -1: it is set */
	int columns;
};

struct store_reuse {
	struct store *to, *from;
	struct copy copy[ARRAY_SIZE(tables)];
	int64_t environment, environment_to; /* the last one, and what it became */
};

/* What a copied run has of its own here. */
struct own {
	int64_t run, combination, environment;
	const struct record *as;
};

static int prepare(struct store *s, const char *sql, sqlite3_stmt **st, struct err *e)
{
	int r = sqlite3_prepare_v2(s->db, sql, -1, st, NULL);

	return r == SQLITE_OK ? 0 : store_error(s, r, "take over", e);
}

static int column_of(sqlite3_stmt *st, const char *name)
{
	for (int i = 0; i < sqlite3_column_count(st); i++)
		if (!strcmp(sqlite3_column_name(st, i), name))
			return i;
	return -1;
}

/* The columns that both have, by the names of the new one: no name comes from the other file.
 */
static int open_copy(struct store_reuse *u, struct copy *c, const struct table *t,
                     struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(text_fini) struct text marks = { 0 };
	sqlite3_stmt *here = NULL;
	int r;

	text_addf(&sql, "SELECT * FROM %s WHERE %s = ?", t->name, t->id);
	r = prepare(u->from, sql.s, &c->select, e);
	if (!r)
		r = prepare(u->to, sql.s, &here, e);
	if (r)
		return r;
	c->from = xcalloc((size_t)sqlite3_column_count(here), sizeof(*c->from));
	text_clear(&sql);
	text_addf(&sql, "INSERT INTO %s(", t->name);
	for (int i = 0; i < sqlite3_column_count(here); i++) {
		const char *name = sqlite3_column_name(here, i);
		int from = column_of(c->select, name);

		if (from < 0)
			continue;
		text_addf(&sql, "%s%s", c->columns ? ", " : "", name);
		text_add(&marks, c->columns ? ", ?" : "?");
		c->from[c->columns++] = from;
	}
	text_addf(&sql, ") VALUES(%s)", text_get(&marks));
	(void)sqlite3_finalize(here);
	return prepare(u->to, sql.s, &c->insert, e);
}

int store_reuse_begin(struct store_reuse **out, struct store *to, struct store *from,
                      struct err *e)
{
	struct store_reuse *u = xcalloc(1, sizeof(*u));
	int r = 0;

	u->to = to;
	u->from = from;
	*out = u;
	for (size_t i = 0; i < ARRAY_SIZE(tables) && !r; i++)
		r = open_copy(u, &u->copy[i], &tables[i], e);
	return r ? r : store_begin(to, true, e);
}

/* One row of select into one of insert; `own` replaces what names it. */
static void bind_row(const struct copy *c, const struct own *own)
{
	for (int i = 0; i < c->columns; i++) {
		const char *name = sqlite3_column_name(c->select, c->from[i]);

		if (!strcmp(name, "id") || !strcmp(name, "run_id"))
			sqlite3_bind_int64(c->insert, i + 1, own->run);
		else if (!strcmp(name, "combination_id"))
			sqlite3_bind_int64(c->insert, i + 1, own->combination);
		else if (!strcmp(name, "environment_id"))
			sqlite3_bind_int64(c->insert, i + 1, own->environment);
		else if (!strcmp(name, "attempt"))
			sqlite3_bind_int64(c->insert, i + 1, (int64_t)own->as->attempt);
		else
			(void)sqlite3_bind_value(c->insert, i + 1,
			                         sqlite3_column_value(c->select, c->from[i]));
	}
}

static int copy_rows(struct store_reuse *u, struct copy *c, int64_t from_run,
                     const struct own *own, struct err *e)
{
	int r = SQLITE_DONE, rc = 0;

	sqlite3_bind_int64(c->select, 1, from_run);
	while (!rc && (r = sqlite3_step(c->select)) == SQLITE_ROW) {
		bind_row(c, own);
		rc = store_run(u->to, c->insert, "take over", e);
	}
	if (!rc && r != SQLITE_DONE)
		rc = store_error(u->from, r, "take over", e);
	(void)sqlite3_reset(c->select);
	return rc;
}

/* Numbers below 1 are of others: new runs belong to the largest. */
static const char environment_sql[] =
    "INSERT INTO environment(id, host, facts) SELECT (SELECT min(id) FROM environment) - 1, "
    "?1, ?2 "
    "WHERE NOT EXISTS (SELECT 1 FROM environment WHERE id < 1 AND host = ?1 AND facts = ?2)";

static int put_environment(struct store_reuse *u, const char *host, const char *facts,
                           struct err *e)
{
	static const char find_sql[] =
	    "SELECT id FROM environment WHERE id < 1 AND host = ?1 AND facts = ?2";
	sqlite3_stmt *put = NULL, *find = NULL;
	int r = prepare(u->to, environment_sql, &put, e);

	if (!r)
		r = prepare(u->to, find_sql, &find, e);
	for (int i = 0; i < 2 && !r; i++) {
		sqlite3_stmt *st = i ? find : put;

		sqlite3_bind_text(st, 1, host, -1, SQLITE_TRANSIENT);
		sqlite3_bind_text(st, 2, facts, -1, SQLITE_TRANSIENT);
	}
	if (!r)
		r = store_run(u->to, put, "take over", e);
	if (!r && sqlite3_step(find) == SQLITE_ROW)
		u->environment_to = sqlite3_column_int64(find, 0);
	(void)sqlite3_finalize(put);
	(void)sqlite3_finalize(find);
	return r;
}

static int take_environment(struct store_reuse *u, int64_t from_run, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, u->from,
	                   "SELECT e.id, e.host, e.facts FROM run JOIN environment e ON e.id = "
	                   "run.environment_id WHERE run.id = ?",
	                   e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, from_run);
	rc = rows_next(r, e);
	if (rc != 1)
		return rc ? rc
		          : err_set(e, -EBADMSG, "%s: damaged: a run without its environment",
		                    u->from->path);
	if (u->environment_to < 1 && u->environment == rows_int(r, 0) && u->environment)
		return 0;
	u->environment = rows_int(r, 0);
	return put_environment(u, rows_text(r, 1), rows_text(r, 2), e);
}

static int combination_id(struct store_reuse *u, const struct record *as, int64_t *id,
                          struct err *e)
{
	sqlite3_stmt *st = NULL;
	int r = prepare(u->to, "SELECT id FROM combination WHERE key = ?", &st, e);

	if (r)
		return r;
	sqlite3_bind_blob(st, 1, as->key->bytes, KEY_BYTES, SQLITE_STATIC);
	r = sqlite3_step(st);
	if (r == SQLITE_ROW)
		*id = sqlite3_column_int64(st, 0);
	r = r == SQLITE_ROW ? 0 : store_error(u->to, r, "take over", e);
	(void)sqlite3_finalize(st);
	return r;
}

int store_reuse_run(struct store_reuse *u, int64_t from_run, const struct record *as,
                    struct err *e)
{
	struct own own = { .run = as->run_id, .as = as };
	int r = take_environment(u, from_run, e);

	own.environment = u->environment_to;
	if (!r)
		r = store_put_combination(u->to, as, e);
	if (!r)
		r = combination_id(u, as, &own.combination, e);
	for (size_t i = 0; i < ARRAY_SIZE(tables) && !r; i++)
		r = copy_rows(u, &u->copy[i], from_run, &own, e);
	return r;
}

int store_reuse_end(struct store_reuse *u, int r, struct err *e)
{
	if (!u)
		return r;
	if (!r)
		r = store_write_events(u->to, e);
	if (!r)
		r = store_commit(u->to, e);
	if (r)
		store_rollback(u->to);
	else
		store_forget_events(u->to);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		(void)sqlite3_finalize(u->copy[i].select);
		(void)sqlite3_finalize(u->copy[i].insert);
		free(u->copy[i].from);
	}
	free(u);
	return r;
}
