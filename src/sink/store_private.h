/* sink/store_private.h: what the store's own files share. */
#ifndef SINK_STORE_PRIVATE_H
#define SINK_STORE_PRIVATE_H

#include <sqlite3.h>

#include "base/text.h"
#include "sink/store.h"

enum store_statement {
	STMT_BEGIN,
	STMT_COMMIT,
	STMT_ROLLBACK,
	STMT_COMBINATION,    /* insert, unless its key is there */
	STMT_COMBINATION_ID, /* by key */
	STMT_RUN_NEW,
	STMT_RUN_OUTCOME,
	STMT_RESULT,
	STMT_INTERVAL,
	STMT_HISTOGRAM,
	STMT_EVENT,
	STMT_HEADER,
	STMT_STATE,
	STMT_CREATED_PUT,
	STMT_CREATED_DEL,
	STMT_COUNT
};

struct store_pending_event { /* or, without a level, a header text: code is its name */
	int64_t run_id, wall_ns;
	char *level, *code, *text;
};

struct store_text { /* what store_get() gave out */
	char *name, *value;
};

struct store {
	sqlite3 *db;
	char *path;
	int lock_fd; /* the DB file; closed last: closing any descriptor of a file drops a
	                process's locks on it */
	int shm_fd;  /* the index of the log; -1: none */
	uint64_t shm_bytes; /* of it are reserved */
	bool writer;
	bool network; /* no shared memory there: no WAL */
	bool full;    /* synchronous=FULL is set */
	sqlite3_stmt *stmt[STMT_COUNT];
	sqlite3_stmt *spare; /* of the last rows_open(): the same SQL again needs no prepare */
	struct store_pending_event *event;
	size_t events, events_cap;
	struct store_text *text;
	size_t texts;
	uint8_t *blob; /* for packed histograms */
	size_t blob_cap;
};

struct store *store_alloc(const char *path, bool writer);
void store_free(struct store *s);
static inline void store_freep(struct store **s)
{
	store_free(*s);
}
/* Open `path` as s->db, guarded against what a received file may hold. */
int store_open_db(struct store *s, const char *path, int flags, struct err *e);
/* Write-ahead log, or what the file system under lock_fd allows; full durability. */
int store_start_writing(struct store *s, struct err *e);

/* The -errno of a SQLite result code, and its sentence: "PATH: doing: database or disk is
 * full". */
int store_error(struct store *s, int code, const char *doing, struct err *e);
int store_exec(struct store *s, const char *sql, const char *doing, struct err *e);
/* The kept statement into *st, reset and unbound, prepared at first use. */
int store_statement(struct store *s, enum store_statement which, sqlite3_stmt **st,
                    struct err *e);
/* Step a statement that gives no rows, and reset it. */
int store_run(struct store *s, sqlite3_stmt *st, const char *doing, struct err *e);
/* One transaction; on failure it is rolled back. */
int store_begin(struct store *s, bool durable, struct err *e);
int store_commit(struct store *s, struct err *e);
void store_rollback(struct store *s);
/* Insert what store_event() left, inside a transaction; forget it after the commit. */
int store_write_events(struct store *s, struct err *e);
void store_forget_events(struct store *s);

/* Insert the combination of a record unless it is there, inside a transaction; its id. */
int store_put_combination(struct store *s, const struct record *r, int64_t *id, struct err *e);

/* store_schema.c: tables, views and the statements that depend on the tables of axes and
 * metrics. */
void store_schema_sql(struct text *out, uint64_t swept);
void store_statement_sql(struct text *out, enum store_statement which);

/* Counters of a sample that have no public column but stand in table run: name and place. */
struct store_raw {
	const char *name;
	size_t off;
};
extern const struct store_raw store_raw[];
extern const size_t store_raws;
/* Is metric i the first on its stored column? */
bool store_metric_first(size_t i);

/* store_target.c */
void store_target_table_sql(struct text *out);

/* store_lock.c: the lock of a running sweep: a byte far behind everything SQLite locks. */
int store_lock(struct store *s, struct err *e);

/* store_shm.c: make sure that the next transaction finds room in the index of the log. */
int store_reserve_shm(struct store *s, struct err *e);

/* rows.c: after this only SELECTs and functions are let through. */
void store_read_only_sql(sqlite3 *db, bool on);

#endif
