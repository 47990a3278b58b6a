/* cmd/session_wait.h: the sweep waits for something, with the screen and signals served. */
#ifndef CMD_SESSION_WAIT_H
#define CMD_SESSION_WAIT_H

#include "cmd/session.h"

/* How the supervisor watches a task: the screen and signals are served, and it may show no progress
 * for stall_timeout. The caller adds what else is known. */
struct task_watch session_watch(struct session *s);
/* Do the task in shared memory. */
enum task_end session_do(struct session *s, const struct task_watch *w, struct err *e);
/* What came since the last look: prints, stops the process, or sets s->signal. */
void session_take_signals(struct session *s);
/* Is it to end now, by a signal or by --until or --for? */
bool session_stopping(const struct session *s);
/* Idle for so long; ended early when it is to end. */
void session_rest(struct session *s, uint64_t ns);

/* Between two runs: a jump of the wall clock becomes an event. It moves the labels of rows,
 * never a measurement. */
void session_look_at_clock(struct session *s);

#endif
