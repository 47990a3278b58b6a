/* run/supervisor.h: the supervisor's side of the two processes: start the worker, give it a
 * task, watch it, replace it. A worker that hangs or crashes costs its task; nothing here waits
 * for a thread that the kernel will not let go. */
#ifndef RUN_SUPERVISOR_H
#define RUN_SUPERVISOR_H

#include <sys/types.h>

#include "base/err.h"
#include "run/halt.h"
#include "run/worker.h"

enum task_end {
	END_DONE,    /* shared->result, err and sample are valid */
	END_CRASHED, /* the worker died; the sentence is in e */
	END_STALLED, /* the watchdog ended it; the sentence is in e */
	END_STOPPED, /* asked to stop by on_wake, and the worker did not answer in time */
};

/* How a task is watched. */
struct task_watch {
	int wake_fd; /* e.g. a signalfd; -1: none */
	/* Called whenever the supervisor wakes: at least every tick, and when wake_fd is
	 * readable. Returns true to ask the task to stop (again and again is fine). */
	bool (*on_wake)(void *arg, const struct live *live);
	void *arg;
	uint64_t tick_ns;
	uint64_t stall_timeout_ns;
	uint64_t limit_ns; /* ramp + runtime + stall_timeout from the start of I/O; 0: none */
	uint32_t major,
	    minor; /* the device worked on, which tells whether a flush gets on; 0:0: unknown */
};

struct supervisor {
	struct shared *shared;
	pid_t pid; /* 0: no worker */
	int request_fd, reply_fd;
	unsigned replaced; /* how many workers were lost */
	uint64_t queued_ns; /* that it waited for a CPU, at the last look */
	struct halt halt;  /* what held the last task up */
	bool spent;        /* it was killed after its last task; shared is still to be read */
};

/* Fork the worker. Call before any thread exists. */
int supervisor_start(struct supervisor *s, struct err *e);
/* Make sure that a worker stands ready, after one was lost and could not be replaced or was
 * killed after its last task: then s->shared may be filled. What the last task left in it is
 * lost. */
int supervisor_ready(struct supervisor *s, struct err *e);
/* Do the task in s->shared (kind and spec or layout are set). After END_CRASHED, END_STALLED
 * and END_STOPPED a new worker stands ready, with fresh shared memory, unless starting it
 * failed (then the next call reports END_CRASHED). */
enum task_end supervisor_do(struct supervisor *s, const struct task_watch *w, struct err *e);
/* End the worker; waits at most about a second for it. */
void supervisor_stop(struct supervisor *s);

#endif
