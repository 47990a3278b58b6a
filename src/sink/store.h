/* sink/store.h: the one SQLite file of a sweep. The only module besides plan/where.c that knows
 * sqlite3. Errors: -EINVAL bad input (no iosweep DB, corrupt at open, an SQL text that is
 * wrong), else what storing met: -ENOSPC, -EBUSY (locked by another program for 10 s), -EROFS,
 * -EIO, -EACCES, -EBADMSG (found broken while in use), -ESTALE (its file was removed or
 * replaced). */
#ifndef SINK_STORE_H
#define SINK_STORE_H

#include "base/err.h"
#include "base/text.h"
#include "model/record.h"
#include "model/sweep.h"

#define STORE_APPLICATION_ID 0x494f5357 /* "IOSW" */
#define STORE_USER_VERSION   2

struct store;

struct store_header {                /* written once at creation */
	const struct sweep *sweep;   /* name, tags, config_text, seed, swept axes */
	const char *start_directory; /* absolute: relative targets are relative to it */
	const char *command_options; /* options that resume must print again, e.g. "--destroy
	                                /dev/vdb" */
	const char *csv_path;        /* absolute */
	const char *
	    default_ioengine; /* what this machine gave when the config names none; else NULL */
	const struct world *world; /* targets as they are at the start; may be NULL */
	uint64_t planned_runs;
	double estimate_s;
	const char *host, *facts_json; /* environment */
	const char *origin; /* of its runs when it is not this program; else NULL */
};

/* Create under a temporary name, write schema and header, then rename: PATH appears only when
 * it can be resumed. What a process that was killed in this left beside PATH is removed. -EEXIST when PATH is there. Takes the lock of a running sweep; -EBUSY when
 * another holds it. */
int store_create(struct store **out, const char *path, const struct store_header *h,
                 struct err *e);
/* Open for going on. -EBUSY: a sweep is running on it; -EINVAL: no iosweep DB, corrupt, or
 * newer. One that an older program made is brought up to date in one transaction, after a copy
 * into FILE.bak-vN; what an earlier session had to spool is taken over. */
int store_resume(struct store **out, const char *path, struct err *e);
/* Open read-only, also from a read-only directory and while another process sweeps. Nothing is left beside the file
 * (but an index beside a log that came without one). What one of
 * an older program lacks is read as NULL. Nothing that is not a table of ours is used, whatever
 * a received file has in it. */
int store_open(struct store **out, const char *path, struct err *e);
/* Is a sweep running on it, here or in another process? The lock goes with the last descriptor
 * of the file that the opener or a child forked since has open: children close what they
 * inherit. */
bool store_live(const struct store *s);
/* Ends with one plain file (checkpoint, journal_mode=DELETE) when it was opened for writing.
 * Rows must be closed. */
int store_close(struct store *s, struct err *e);
/* Instead: take back what store_create() made and nobody needs, with all that lies beside it. */
void store_discard(struct store *s);

/* One transaction per gap between two runs: the outcome of one (NULL: none) and the `running`
 * row of the next (NULL: none). A skipped row is an outcome that never ran. Durable on return
 * (synchronous=FULL) when `durable`.
 *
 * What the database does not take goes into a spool: FILE-spool, whose room is reserved at the
 * start, else a file in TMPDIR, /var/tmp or /tmp, else memory. 0: it is stored, or spooled
 * because another program holds the database: every later call tries again, and the sweep may
 * go on. -errno: the database cannot be written any more; the sentence says where the row is.
 * The next store_resume() brings it into the database, once. The same holds for every call
 * below that writes. */
int store_step(struct store *s, const struct record *done, const struct record *next,
               bool durable, struct err *e);
/* Are there rows that the database has not got yet? */
bool store_pending(const struct store *s);
/* Those rows, as the text of a file FILE-spool, when there was no place for a file; else NULL.
 */
const char *store_unsaved(const struct store *s);
/* The database that has everything when the file was removed or replaced meanwhile: for
 * store_resume(). NULL: that did not happen, or there was no place for it. */
const char *store_kept(const struct store *s);
/* Does a file FILE-spool beside the database hold rows? */
bool store_spooled(const struct store *s);
/* Did rows that had waited reach the database since the last call? */
bool store_caught_up(struct store *s);
/* A line for the audit trail; run_id 0: about the sweep. level "info" "warning" "error". Part
 * of the next step. */
int store_event(struct store *s, int64_t run_id, const char *level, const char *code,
                const char *text, struct err *e);
/* Set a header text (store_get() gives it back): part of the next step, as an event is. */
int store_put(struct store *s, const char *name, const char *value, struct err *e);
/* State of the sweep: "running" (as created), "done", "interrupted" (as resumed), "failed". */
int store_set_state(struct store *s, const char *state, struct err *e);

/* Targets: facts at start, and the files we make (recorded before they are made). */
int store_put_target(struct store *s, const struct target_info *t, struct err *e);
struct store_created {
	char *path;
	uint64_t dev, ino;    /* dev 0: recorded, but perhaps never made */
	uint64_t born_ns;     /* 0: unknown */
	uint64_t least, size; /* bytes that it may have */
};
int store_put_created(struct store *s, const struct store_created *c, struct err *e);
int store_del_created(struct store *s, const char *path, struct err *e);
int store_each_created(struct store *s, int (*fn)(void *arg, const struct store_created *c),
                       void *arg, struct err *e);
/* The stored facts of a target by its configured name; -ENOENT when there are none. */
int store_get_target(struct store *s, const char *filename, struct target_info *t,
                     struct err *e);

/* Last attempt of every combination x repeat: what resume needs. Rows `running` were made
 * `interrupted` by store_resume(). */
struct store_state {
	uint8_t key[KEY_BYTES];
	uint64_t repeat, attempt;
	enum run_status status;
	bool given_up; /* skipped for what the runs before it met: worth another attempt */
	int64_t run_id;
};
/* Such rows, as a condition on the columns of the view `results`. */
#define STORE_GIVEN_UP "run IN (SELECT id FROM run WHERE skipped_by_machine = 2)"
int store_each_state(struct store *s, int (*fn)(void *arg, const struct store_state *st),
                     void *arg, struct err *e);
int64_t store_last_run(struct store *s); /* highest run id, 0: none */

/* Header texts; owned by the store. NULL when absent. name: "config", "start_directory",
 * "command_options", "name", "state", "csv_path" ... */
const char *store_get(struct store *s, const char *name);

/* Rows by SQL (SELECT only), for show, summary, export. Text and numbers bound in order: '?'
 * placeholders. */
struct rows;
/* A condition of a user, appended as " WORD (where)"; nothing when it is NULL. */
void rows_where(struct text *sql, const char *word, const char *where);
int rows_open(struct rows **out, struct store *s, const char *sql, struct err *e);
void rows_bind_text(struct rows *r, int index, const char *value); /* index from 1 */
void rows_bind_int(struct rows *r, int index, int64_t value);
/* From here on (or no longer) a query of a user: its texts are small, and it ends with an error
 * when a row takes too many steps. */
void rows_bound(struct store *s, bool on);
int rows_next(struct rows *r, struct err *e); /* 1: a row, 0: end, -errno */
int rows_columns(const struct rows *r);
const char *rows_name(const struct rows *r, int column);
int rows_find(const struct rows *r, const char *name); /* the column of this name; -1: none */
enum rows_type { ROWS_NULL, ROWS_INTEGER, ROWS_REAL, ROWS_TEXT };
enum rows_type rows_type(const struct rows *r, int column);
bool rows_null(const struct rows *r, int column);
int64_t rows_int(const struct rows *r, int column);
double rows_real(const struct rows *r, int column); /* NaN when NULL */
const char *rows_text(const struct rows *r,
                      int column); /* "" when NULL; valid until the next call of rows_next */
/* The same by the name of the column; one that the row has not is as one that is NULL. */
bool rows_named_missing(const struct rows *r, const char *name);
int64_t rows_named_int(const struct rows *r, const char *name);
double rows_named_real(const struct rows *r, const char *name);
const char *rows_named_text(const struct rows *r, const char *name);
const void *rows_blob(const struct rows *r, int column, size_t *size);
void rows_close(struct rows *r);
static inline void rows_closep(struct rows **r)
{
	rows_close(*r);
}

#endif
