/* cmd/session.h: a sweep under way: rows one after another, outcomes into the store, signals,
 * targets. Shared by run and resume. */
#ifndef CMD_SESSION_H
#define CMD_SESSION_H

#include "cmd/beside.h"
#include "cmd/deadline.h"
#include "cmd/precondition.h"
#include "cmd/prepare.h"
#include "cmd/progress.h"
#include "cmd/wear.h"
#include "run/supervisor.h"
#include "sink/store.h"

enum target_state { TARGET_NEW, TARGET_READY, TARGET_FAILED };

struct hang {           /* see cmd/hang.h */
	bool suspected; /* a run on it timed out; ask before the next */
	bool hangs;     /* it did not answer in time ... */
	bool waited;    /* ... nor at the end of the sweep */
	int64_t since_wall_ns;
	struct bounded question; /* under way */
};

struct session_target {
	struct target_info info; /* as it is now; the plan keeps what it was at the start */
	enum target_state state;
	bool spared;    /* TARGET_FAILED because max_write leaves no room for its layout: its rows are skipped */
	int error;      /* TARGET_FAILED: positive errno ... */
	char text[512]; /* ... and why */
	uint64_t written_bytes; /* to it, by this sweep, in earlier calls too */
	struct hold hold;
	struct hang hang;
	struct conditioning condition;
};

struct session {
	const struct options *options;
	struct prepared *prepared;
	struct store *store;
	char *db_path, *csv_path;
	struct supervisor supervisor;
	struct session_target *target; /* parallel to sweep.target */
	struct progress progress;

	struct store_state *state; /* resume: last attempts, sorted by key and repeat */
	size_t states;
	bool retry[STATUS_COUNT]; /* final rows of this status get a new attempt */

	struct streak *streak;       /* failures in a row, by target and engine */
	struct preflight *preflight; /* what was tried before the first run */
	struct deadline deadline;
	struct costs costs;
	bool out_of_time; /* rows are left; unless by a signal, the deadline came, or would have
	                     in the next run */
	int64_t clock_offset_ns; /* of the wall clock to time since boot, at the last look; 0:
	                            none yet */

	int signal_fd;
	int signal;          /* the first one that asked to stop, 0: none */
	char what[PATH_MAX]; /* the combination under way, or the target that is made, in words
	                      */

	struct wear wear;
	uint64_t sim_rest_ns; /* of simulated time, that passes before the next run */
	struct beside beside;
	int64_t next_run;
	uint64_t last_durable_ns;
	uint64_t failed, skipped, skipped_by_machine, ran;
	bool store_failed;
	bool csv_failed;  /* said once: it is written anew at the end */
	bool store_waits; /* said: another program holds the database */
	bool memlock_said; /* said: buffers were not registered for want of locked memory */
};

/* Block INT, TERM, HUP and TSTP (unless they were ignored) and USR1 and take them by a
 * descriptor; ignore PIPE. Call before the worker is forked. */
int session_signals(struct session *s, struct err *e);
/* Hold every target that exists against other sweeps, and devices to be written exclusively;
 * then ask the guards again. Exit code. */
int session_hold(struct session *s);
/* What the guards decided goes into the store, as events. */
void session_store_decisions(struct session *s);
/* Run every row of the plan that has no final outcome yet. Exit code. The store is left open.
 */
int session_run(struct session *s);
/* Does this attempt (NULL: there was none) stay: is it neither to be done again nor to be
 * retried? */
bool session_final(const struct session *s, const struct store_state *st);
/* The last attempt at this row, from the calls before; NULL: there was none. */
const struct store_state *session_state(const struct session *s, const struct plan_row *row);
/* Count the rows in doubt anew, as stored. */
void session_count_doubted(struct session *s);
/* A warning of the sweep: to stderr (unless quiet), and as an event into the store. */
void session_warn(struct session *s, const char *code, const char *text);
/* Write the CSV anew, remove what we made if the sweep is complete, close the store, print the
 * summary. `code` is what session_run() gave; returns the final exit code. */
int session_finish(struct session *s, int code);
void session_fini(struct session *s);
/* PATH seen from the directory we are in now; the caller frees it. */
char *absolute_path(const char *path);
/* Append the permissions that resume must be given again: " --destroy /dev/x". */
void session_permissions(struct text *out, const struct options *o);

#endif
