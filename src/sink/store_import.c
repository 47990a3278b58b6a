#include "sink/store_import.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/column.h"
#include "sink/store_private.h"

#define ORIGIN "import"

bool store_is_import(struct store *s)
{
	const char *origin = store_get(s, "origin");

	return origin && !strcmp(origin, ORIGIN);
}

int store_create_import(struct store **out, const char *path, const char *name, struct err *e)
{
	AUTO(sweep_freep) struct sweep *sweep = sweep_new();
	const struct store_header header = { .sweep = sweep, .start_directory = "", .origin = ORIGIN };

	free(sweep->name);
	sweep->name = xstrdup(name);
	return store_create(out, path, &header, e);
}

#define KEPT 8

struct store_import {
	struct store *store;
	int64_t last_run;
	struct {
		const char *sql; /* a constant */
		sqlite3_stmt *st;
	} kept[KEPT];
};

int store_import_begin(struct store_import **out, struct store *s, struct err *e)
{
	int r = store_begin(s, true, e);

	if (r)
		return r;
	*out = xcalloc(1, sizeof(**out));
	(*out)->store = s;
	(*out)->last_run = store_last_run(s);
	return 0;
}

/* A value of a parameter. */
struct bound {
	const char *text;
	const void *blob; /* KEY_BYTES; NULL: the text, or without one the number */
	int64_t number;
};

static int bind(sqlite3_stmt *st, int i, const struct bound *b)
{
	if (b->blob)
		return sqlite3_bind_blob(st, i, b->blob, KEY_BYTES, SQLITE_STATIC);
	return b->text ? sqlite3_bind_text(st, i, b->text, -1, SQLITE_STATIC)
	               : sqlite3_bind_int64(st, i, b->number);
}

/* The statement of this constant text, prepared once. */
static int keep(struct store_import *im, const char *sql, sqlite3_stmt **st)
{
	size_t i = 0;

	while (i < KEPT && im->kept[i].sql && im->kept[i].sql != sql)
		i++;
	assert(i < KEPT);
	im->kept[i].sql = sql;
	*st = im->kept[i].st;
	if (*st)
		return SQLITE_OK;
	return sqlite3_prepare_v2(im->store->db, sql, -1, &im->kept[i].st, NULL) ||
	               !(*st = im->kept[i].st)
	           ? SQLITE_ERROR
	           : SQLITE_OK;
}

/* Do one statement with n parameters. *answer: the first value of its first row; may be NULL. 1:
 * there was a row, 0: none, -errno. */
static int once(struct store_import *im, const char *sql, const struct bound *b, int n,
                int64_t *answer, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int r = keep(im, sql, &st);

	for (int i = 0; i < n && r == SQLITE_OK; i++)
		r = bind(st, i + 1, &b[i]);
	if (r == SQLITE_OK)
		r = sqlite3_step(st);
	if (r == SQLITE_ROW && answer)
		*answer = sqlite3_column_int64(st, 0);
	if (r != SQLITE_ROW && r != SQLITE_DONE)
		(void)store_error(im->store, r, "import", e);
	(void)sqlite3_reset(st);
	return r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : e->code;
}

int store_import_has(struct store_import *im, const char *document, struct err *e)
{
	const struct bound b[] = { { .text = document } };

	return once(im, "SELECT 1 FROM document WHERE hash = ?", b, ARRAY_SIZE(b), NULL, e);
}

int store_import_others(struct store_import *im, const struct combination_key *key,
                        const char *label, struct err *e)
{
	const struct bound b[] = { { .blob = key->bytes }, { .text = label } };

	return once(im, "SELECT 1 FROM combination WHERE key = ? AND label <> ?", b, ARRAY_SIZE(b),
	            NULL, e);
}

/* The number of the next repeat of this combination. */
static int next_repeat(struct store_import *im, struct record *r, struct err *e)
{
	const struct bound b[] = { { .blob = r->key->bytes } };
	int64_t last = 0;
	int rc = once(im,
	              "SELECT ifnull(max(repeat), 0) FROM run WHERE combination_id = (SELECT id "
	              "FROM combination WHERE key = ?)",
	              b, ARRAY_SIZE(b), &last, e);

	r->repeat = (uint64_t)last + 1;
	return rc < 0 ? rc : 0;
}

/* Runs are stored with the last environment; here each has that of its own host and fio. */
static int put_environment(struct store_import *im, const struct record *r, struct err *e)
{
	const struct imported *from = r->imported;
	const struct bound b[] = { { .text = from->host },
		                   { .text = from->facts },
		                   { .number = r->run_id } };
	int rc = once(im,
	              "INSERT INTO environment(host, facts) SELECT ?1, ?2 WHERE NOT EXISTS "
	              "(SELECT 1 FROM environment WHERE host = ?1 AND facts = ?2)",
	              b, 2, NULL, e);

	if (rc >= 0)
		rc = once(im,
		          "UPDATE run SET environment_id = (SELECT min(id) FROM environment "
		          "WHERE host = ?1 AND facts = ?2) WHERE id = ?3",
		          b, ARRAY_SIZE(b), NULL, e);
	return rc < 0 ? rc : 0;
}

static int put_origin(struct store_import *im, const struct record *r, struct err *e)
{
	const struct imported *from = r->imported;
	const struct bound document[] = { { .text = from->document },
		                          { .text = from->file },
		                          { .text = from->header } };
	const struct bound job[] = { { .number = r->run_id },
		                     { .text = from->document },
		                     { .text = from->source } };
	int rc = once(im, "INSERT OR IGNORE INTO document VALUES(?, ?, ?)", document,
	              ARRAY_SIZE(document), NULL, e);

	if (rc >= 0)
		rc = once(im, "INSERT INTO imported VALUES(?, ?, ?)", job, ARRAY_SIZE(job), NULL,
		          e);
	return rc < 0 ? rc : 0;
}

int store_import_put(struct store_import *im, struct record *r, struct err *e)
{
	int rc;

	r->run_id = ++im->last_run;
	r->attempt = 1;
	rc = next_repeat(im, r, e);
	if (!rc)
		rc = store_put_done(im->store, r, e);
	if (!rc)
		rc = put_environment(im, r, e);
	return rc ? rc : put_origin(im, r, e);
}

/* Axes without a column of their own that differ between combinations now; one that is not known is
 * no other value. */
static int find_swept(struct store *s, uint64_t *swept, struct err *e)
{
	*swept = 0;
	for (size_t i = 0; i < AXIS_COUNT; i++) {
		AUTO(text_fini) struct text sql = { 0 };
		char several[32] = "";
		int r;

		if (axes[i].column || axes[i].setting)
			continue;
		text_addf(&sql, "SELECT count(DISTINCT %s) > 1 FROM combination",
		          axis_stored_name(&axes[i]));
		r = store_ask(s, sql.s, "import", several, sizeof(several), e);
		if (r)
			return r;
		*swept |= !strcmp(several, "1") ? UINT64_C(1) << i : 0;
	}
	return 0;
}

static int renew_views(struct store *s, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	uint64_t swept;
	int r = find_swept(s, &swept, e);

	if (r)
		return r;
	text_add(&sql, "DROP VIEW main.results;\nDROP VIEW main.all_runs;\n");
	store_views_sql(&sql, swept);
	return store_exec(s, sql.s, "import", e);
}

static int finish(struct store *s, struct err *e)
{
	int r = renew_views(s, e);

	if (!r)
		r = store_exec(s,
		               "UPDATE sweep SET state = 'done', planned_runs = (SELECT "
		               "count(*) FROM run)",
		               "import", e);
	return r ? r : store_commit(s, e);
}

int store_import_end(struct store_import *im, bool keep_it, struct err *e)
{
	int r = 0;

	if (!im)
		return 0;
	for (size_t i = 0; i < KEPT; i++)
		(void)sqlite3_finalize(im->kept[i].st);
	if (keep_it)
		r = finish(im->store, e);
	if (r || !keep_it)
		store_rollback(im->store);
	free(im);
	return r;
}
