#include "run/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/core.h"
#include "run/target.h"

static int on_file(enum task_kind kind, struct layout *l, struct err *e)
{
	struct stat st;

	if (kind == TASK_CREATE)
		return target_create(l->path, &l->made, e);
	if (kind == TASK_REMOVE)
		return target_remove(l->path, &l->made, e);
	return lstat(l->path, &st)
	           ? err_set(e, -errno, "look at %s: %s", l->path, err_name(errno))
	           : 0;
}

static void serve(struct core *core, struct shared *s)
{
	s->err = (struct err){ 0 };
	switch (s->kind) {
	case TASK_RUN:
		s->result = core_run(core, s->spec, &s->sample, &s->err);
		break;
	case TASK_LAYOUT:
		s->result = layout_run(&s->layout, &s->live, &s->err);
		core_not_idle(core);
		break;
	case TASK_LOOK:
	case TASK_CREATE:
	case TASK_REMOVE:
		live_phase(&s->live, LIVE_OPEN);
		s->result = on_file(s->kind, &s->layout, &s->err);
		break;
	}
	live_phase(&s->live, LIVE_DONE);
}

void worker_main(struct shared *shared, int request_fd, int reply_fd)
{
	struct core *core = NULL;
	char byte = 0;

	if (core_new(&core, &shared->live, &shared->err)) {
		shared->result = -ENOMEM;
		_exit(1); /* the supervisor sees the pipe close */
	}
	for (;;) {
		ssize_t n = read(request_fd, &byte, 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break; /* the supervisor is gone, or wants no more */
		serve(core, shared);
		if (write(reply_fd, &byte, 1) != 1)
			break;
	}
	core_free(core);
	_exit(0);
}
