/* sink/store_private.h: what the store's own files share. */
#ifndef SINK_STORE_PRIVATE_H
#define SINK_STORE_PRIVATE_H

#include <sqlite3.h>

#include "base/text.h"
#include "sink/store.h"
#include "sink/store_import.h"

/* How long others may hold the database: at its opening, and before a row goes into the spool.
 */
#define OPEN_BUSY_MS 10000
#define STEP_BUSY_MS 1000

enum store_statement {
	STMT_BEGIN,
	STMT_COMMIT,
	STMT_ROLLBACK,
	/* From here on they may stand in a spool: each can be done twice without harm. */
	STMT_HEADER,
	STMT_COMBINATION, /* insert, unless its key is there */
	STMT_RUN_NEW,
	STMT_RUN_OUTCOME,
	STMT_RESULT,
	STMT_INTERVAL,
	STMT_HISTOGRAM,
	STMT_EVENT,
	STMT_STATE,
	STMT_CREATED_PUT,
	STMT_CREATED_DEL,
	STMT_TARGET,
	STMT_TARGET_RESULT,
	STMT_COUNT
};

/* hist_ios(), hist_low_ns(), hist_high_ns() for queries. A SQLite code. */
int store_hist_functions(sqlite3 *db);

struct store_pending_event { /* or, without a level, a header text: code is its name */
	int64_t id, run_id, wall_ns;
	char *level, *code, *text;
};

struct store_text { /* what store_get() gave out */
	char *name, *value;
};

/* Rows that the database could not take: see store_spool.c. */
struct spool {
	char *path;      /* of its file beside the database; NULL: not opened */
	int fd;          /* of that file, with room reserved; -1: none */
	char *elsewhere; /* the file that took over when that one could not be written; NULL:
	                    none */
	int elsewhere_fd;
	struct text
	    pending;     /* a head and the batches that the database has not got; ""; none */
	size_t saved;    /* bytes of it that stand in the file in use */
	uint64_t batch;  /* number of the last one */
	char sweep[40];  /* its uuid */
	int64_t session; /* how often it was resumed */
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
	bool logged;  /* as the file says of itself: with a write-ahead log */
	bool full;    /* synchronous=FULL is set */
	sqlite3_stmt *stmt[STMT_COUNT];
	sqlite3_stmt *spare; /* of the last rows_open(): the same SQL again needs no prepare */
	struct store_pending_event *event;
	size_t events, events_cap;
	struct store_text *text;
	size_t texts;
	uint8_t *blob; /* for packed histograms */
	size_t blob_cap;
	struct spool spool;
	bool spooling;     /* rows go into `lines`, not into statements */
	struct text lines; /* the batch that is being put together */
	bool caught_up;    /* a spool reached the database */
	char *kept;        /* the copy that was made when the file lost its name; NULL: none */
	int64_t last_event;
	uint64_t steps;   /* of a bounded query, since its last row */
	int length_limit; /* before rows_bound() */
};

struct store *store_alloc(const char *path, bool writer);
void store_free(struct store *s);
static inline void store_freep(struct store **s)
{
	store_free(*s);
}
/* Open `path` as s->db, guarded against what a received file may hold. SQLITE_OPEN_URI: as a file that nobody
 * changes. */
int store_open_db(struct store *s, const char *path, int flags, struct err *e);
/* The rest of opening for writing, the same for a new file and an old one. */
int store_get_ready(struct store *s, bool resumed, struct err *e);
/* Write-ahead log, or what the file system under lock_fd allows; full durability. */
int store_start_writing(struct store *s, struct err *e);

/* The -errno of a SQLite result code, and its sentence: "PATH: doing: database or disk is
 * full". */
int store_error(struct store *s, int code, const char *doing, struct err *e);
int store_exec(struct store *s, const char *sql, const char *doing, struct err *e);
/* The first value of a query's first row, as text. */
int store_ask(struct store *s, const char *sql, const char *doing, char *answer, size_t size,
              struct err *e);
/* The kept statement into *st, reset and unbound, prepared at first use. */
int store_statement(struct store *s, enum store_statement which, sqlite3_stmt **st,
                    struct err *e);
/* Step a statement that gives no rows, and reset it. */
int store_run(struct store *s, sqlite3_stmt *st, const char *doing, struct err *e);
/* Prepare every kept statement: later nothing of that has to be read or allocated. */
int store_prepare(struct store *s, struct err *e);

/* store_put.c: a row on its way: bound to its statement, or a line for the spool. Values come
 * in the order of the statement's parameters. */
struct put {
	struct store *store;
	sqlite3_stmt *st;
	int n;
	const char *doing;
};
int put_begin(struct put *p, struct store *s, enum store_statement which, const char *doing,
              struct err *e);
void put_int(struct put *p, int64_t v);
void put_counter(struct put *p, uint64_t v); /* at most INT64_MAX */
void put_real(struct put *p, double v);
void put_text(struct put *p, const char *text); /* NULL: "" */
void put_blob(struct put *p, const void *data, size_t size);
void put_null(struct put *p);
int put_end(struct put *p, struct err *e);

/* Have `work` put its rows in one transaction, or, when the database does not take them, into
 * the spool. It may be called twice. 0: they are safe and there is no reason to stop (stored,
 * or spooled because another program holds the database); else the error, with the words where
 * the rows are now. */
typedef int store_work(struct store *s, const void *arg, struct err *e);
int store_apply(struct store *s, bool durable, store_work *work, const void *arg,
                struct err *e);
/* The same without a spool: all or nothing. */
int store_transact(struct store *s, bool durable, store_work *work, const void *arg,
                   struct err *e);
int store_begin(struct store *s, bool durable, struct err *e);
int store_commit(struct store *s, struct err *e); /* on failure it is rolled back */
void store_rollback(struct store *s);

/* store_spool.c */
int spool_open(struct store *s, struct err *e); /* make it and reserve its room */
/* Add s->lines as a batch. 0: it is in a file, durable. */
int spool_add(struct store *s, struct err *e);
/* Try to bring what is pending into the database. */
int spool_drain(struct store *s, struct err *e);
/* Bring what an earlier session left into the database. */
int spool_take_over(struct store *s, struct err *e);
void spool_close(struct store *s); /* the file goes, unless something is still pending */
void spool_discard(struct store *s); /* nothing that is pending stays */
void spool_free(struct spool *sp);
/* Where the pending rows are; NULL: in memory alone. */
const char *spool_place(const struct store *s);

/* The name of a file in the i-th of the places for what cannot lie beside the database, with
 * this ending; "": no such place here. false: there are no more. */
bool spool_name_elsewhere(struct text *path, const struct store *s, size_t i,
                          const char *ending);

/* store_moved.c */
bool store_is_named(int fd, const char *path); /* is this the file of that name? */
bool store_moved(const struct store *s);       /* removed or replaced since it was opened? */
/* Copy what stands in it to a place with a name, once. Always -ESTALE, with the words where. */
int store_keep(struct store *s, struct err *e);
/* The same at the end, with all that came since; the log goes. */
int store_leave(struct store *s, struct err *e);

/* store_replay.c: do the complete batches after number `after` in `text`; *last: the number of
 * the last one seen. */
int store_replay(struct store *s, const char *text, size_t size, uint64_t after, uint64_t *last,
                 struct err *e);
void store_replay_end(struct text *batch,
                      uint64_t number); /* the line that completes a batch */
/* The name that stands in a spool for a statement, NULL for one that never does. */
const char *store_statement_name(enum store_statement which);

/* store_migrate.c: what the file lacks of this program's schema, added. Writers: to the file,
 * after a backup; readers: as views of their own. Both read `results` by views of their own:
 * those in the file are for other programs. */
int store_migrate(struct store *s, struct err *e);
/* What has the name of one of our tables must be a table: a view or a virtual table would be
 * code of whoever made the file. */
int store_check_tables(struct store *s, struct err *e);
int store_make_views(struct store *s, struct err *e);

/* Inside a transaction: the combination of a record unless it is there; the record, done; a header text; what
 * store_event() and store_put() left. */
int store_put_combination(struct store *s, const struct record *r, struct err *e);
int store_put_done(struct store *s, const struct record *r, struct err *e);
int store_put_header(struct store *s, const char *name, const char *value, struct err *e);
int store_write_events(struct store *s, struct err *e);
void store_forget_events(struct store *s); /* they are safe now */

/* store_schema.c: tables, views and the statements that depend on the tables of axes and
 * metrics. */
void store_schema_sql(struct text *out, uint64_t swept);
/* The views alone. */
void store_views_sql(struct text *out, uint64_t swept);
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
void store_target_put_sql(struct text *out);
store_work store_write_target; /* arg: the struct target_info */
/* The rows of one op of a run on several targets at once; none when it had one. */
int store_put_target_results(struct store *s, const struct record *r, enum op op,
                             struct err *e);

/* store_lock.c: the lock of a running sweep: a byte far behind everything SQLite locks. */
int store_lock(struct store *s, struct err *e);

/* store_shm.c: make sure that the next transaction finds room in the index of the log. */
int store_reserve_shm(struct store *s, struct err *e);

/* rows.c: after this only SELECTs and functions are let through. */
void store_read_only_sql(sqlite3 *db, bool on);

#endif
