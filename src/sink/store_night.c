#include "sink/store_night.h"

#include "sink/store_private.h"
#include "stat/between.h"
#include "stat/judge.h"

static int prepare(struct store *s, const char *sql, sqlite3_stmt **st, struct err *e)
{
	int r = sqlite3_prepare_v2(s->db, sql, -1, st, NULL);

	return r == SQLITE_OK ? 0 : store_error(s, r, "prepare", e);
}

#define ROWS                                                                                   \
	" AND combination_id IN (SELECT id FROM combination WHERE filename = ?1 AND rw = ?2)"

static const char flag_sql[] =
    "UPDATE run SET flags = flags | ?5, why = why || CASE why WHEN '' THEN '' ELSE char(10) "
    "END || ?6 WHERE id > ?3 AND id < ?4 AND status IN ('ok', 'failed') AND NOT flags & ?5 AND "
    "purpose IN ('grid', 'sentinel')" ROWS;

struct flagging {
	const struct store_span *span;
	uint64_t flag;
	const char *why;
	int *changed;
};

static int flag_rows(struct store *s, const void *arg, struct err *e)
{
	const struct flagging *f = arg;
	sqlite3_stmt *st = NULL;
	int r = prepare(s, flag_sql, &st, e);

	if (!r) {
		sqlite3_bind_text(st, 1, f->span->filename, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 2, f->span->rw, -1, SQLITE_STATIC);
		sqlite3_bind_int64(st, 3, f->span->after);
		sqlite3_bind_int64(st, 4, f->span->before);
		sqlite3_bind_int64(st, 5, (int64_t)f->flag);
		sqlite3_bind_text(st, 6, f->why, -1, SQLITE_STATIC);
		r = store_run(s, st, "store doubts", e);
		*f->changed = sqlite3_changes(s->db);
	}
	(void)sqlite3_finalize(st);
	return r;
}

int store_add_flag(struct store *s, const struct store_span *span, uint64_t flag,
                   const char *why, struct err *e)
{
	int changed = 0;
	struct flagging f = { .span = span, .flag = flag, .why = why, .changed = &changed };
	int r = store_transact(s, false, flag_rows, &f, e);

	return r ? r : changed;
}

static const char width_sql[] =
    "SELECT run_id, op, iops_half_width_pct FROM result WHERE run_id IN (SELECT id FROM run "
    "WHERE status IN ('ok', 'failed') AND purpose = 'grid'" ROWS ")";
static const char repro_sql[] =
    "UPDATE result SET iops_half_width_repro_pct = ?3 WHERE run_id = ?1 AND op = ?2";

/* A run too short to have an interval of its own has that of its repeats alone. */
static int set_all(struct store *s, sqlite3_stmt *get, sqlite3_stmt *put,
                   const struct store_spread *spread, struct err *e)
{
	int rc, r = 0;

	while (!r && (rc = sqlite3_step(get)) != SQLITE_DONE) {
		double own = sqlite3_column_double(get, 2) / 100;

		if (rc != SQLITE_ROW)
			return store_error(s, rc, "store intervals of repeats", e);
		sqlite3_bind_int64(put, 1, sqlite3_column_int64(get, 0));
		sqlite3_bind_int64(put, 2, sqlite3_column_int64(get, 1));
		sqlite3_bind_double(
		    put, 3,
		    100 * stat_reproducible(own, spread->sd, spread->n, STAT_CONFIDENCE));
		r = store_run(s, put, "store intervals of repeats", e);
	}
	return r;
}

static int set_spread(struct store *s, const void *arg, struct err *e)
{
	const struct store_spread *spread = arg;
	sqlite3_stmt *get = NULL, *put = NULL;
	int r = prepare(s, width_sql, &get, e);

	if (!r)
		r = prepare(s, repro_sql, &put, e);
	if (!r) {
		sqlite3_bind_text(get, 1, spread->filename, -1, SQLITE_STATIC);
		sqlite3_bind_text(get, 2, spread->rw, -1, SQLITE_STATIC);
		r = set_all(s, get, put, spread, e);
	}
	(void)sqlite3_finalize(get);
	(void)sqlite3_finalize(put);
	return r;
}

int store_set_spread(struct store *s, const struct store_spread *spread, struct err *e)
{
	return store_transact(s, false, set_spread, spread, e);
}
