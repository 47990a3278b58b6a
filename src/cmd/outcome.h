/* cmd/outcome.h: one row of the plan and what became of it. */
#ifndef CMD_OUTCOME_H
#define CMD_OUTCOME_H

#include "cmd/session.h"
#include "run/doubts.h"

/* A run that was held up is measured again at once; after this many times its numbers stay, in
 * doubt. */
#define OUTCOME_AGAIN_MAX 3

/* Two of them take turns, so that one can be stored while the next begins. */
struct outcome {
	struct plan_row row;
	struct record record;
	char error[600];
	struct doubts doubts;
	enum purpose purpose;
	uint64_t attempt; /* unless it is a row of the grid, whose attempts the session knows */
	unsigned again;   /* how often it was held up */
	bool open;        /* has something to store */
};

/* What the worker is asked to do for this row: spec[0..], one for each target. */
void outcome_spec(const struct session *s, const struct plan_row *row, struct run_spec *spec);
/* Status and sentence of an outcome without numbers; error: positive errno or 0. */
void outcome_fail(struct outcome *o, enum run_status status, int error, const char *text);
/* Append ", on FILENAME" of target k of a job that has several. */
void outcome_add_target(const struct session *s, const struct job *job, unsigned k, char *buf,
                        size_t size);
/* Status, numbers and flags from how the task ended; the sample stays in the supervisor's
 * shared memory. */
void outcome_judge(const struct session *s, struct outcome *o, enum task_end end,
                   const struct err *e);
/* One plain line about it, for the progress of a run without a TTY; fit for a terminal. */
void outcome_line(const struct outcome *o, char *buf, size_t size);

#endif
