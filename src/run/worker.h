/* run/worker.h: the worker process: executes one task at a time for the supervisor. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include "base/err.h"
#include "run/layout.h"
#include "run/spec.h"

/* Everything that may block on a device that hangs is a task. */
enum task_kind {
	TASK_RUN,    /* spec -> sample */
	TASK_LAYOUT, /* layout */
	TASK_LOOK,   /* is there anything at layout.path? -ENOENT when not */
	TASK_CREATE, /* target_create() of layout.path and .made */
	TASK_REMOVE, /* target_remove() of that file */
};

/* The memory that both processes share. The supervisor writes kind and spec or layout, then one
 * byte into the request pipe; the worker writes result, err and sample, then one byte into the
 * reply pipe. In between only `live` is touched by both. */
struct shared {
	struct live live;
	enum task_kind kind;
	struct run_spec spec[TARGETS_MAX];
	struct layout layout;
	int result; /* 0 or -errno with err */
	struct err err;
	struct sample sample;
};

/* Serve requests until the pipe closes; never returns. */
__attribute__((noreturn)) void worker_main(struct shared *shared, int request_fd, int reply_fd);

#endif
