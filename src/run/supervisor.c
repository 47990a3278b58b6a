#include "run/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"

/* A flush or a layout's last fsync shows no progress: it is given this many stall timeouts. */
#define SLOW_PHASE_FACTOR 10
/* How long a worker may take to answer a stop before it is killed; a drain is given up halfway.
 */
#define STOP_GRACE_NS (600 * MSEC)
/* How long to wait for one that was killed: a thread in the kernel may keep it for ever. */
#define REAP_NS (200 * MSEC)
/* How long it may take to report a window whose drain was given up. */
#define GIVE_UP_GRACE_NS SEC

static void close_pair(int pipes[2][2])
{
	for (int i = 0; i < 4; i++)
		if (pipes[i / 2][i % 2] >= 0)
			close(pipes[i / 2][i % 2]);
}

/* In the child: nothing of the supervisor's may stay open (the results database, held targets),
 * or a worker that the kernel will not let go would keep it locked. */
static void close_all_but(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	if (low > 3)
		(void)close_range(3, (unsigned)low - 1, 0);
	if (high > low + 1)
		(void)close_range((unsigned)low + 1, (unsigned)high - 1, 0);
	(void)close_range((unsigned)high + 1, ~0U, 0);
}

__attribute__((noreturn)) static void become_worker(struct shared *shared, int request_fd,
                                                    int reply_fd, pid_t parent)
{
	sigset_t all;

	/* Signals are the supervisor's business: it tells us through live.stop. */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1); /* it died before the line above */
	(void)prctl(PR_SET_NAME, "iosweep-worker");
	close_all_but(request_fd, reply_fd);
	worker_main(shared, request_fd, reply_fd);
}

static int spawn(struct supervisor *s, int pipes[2][2], struct err *e)
{
	pid_t parent = getpid();

	if (pipe2(pipes[0], O_CLOEXEC) || pipe2(pipes[1], O_CLOEXEC))
		return err_set(e, -errno, "cannot start the worker: pipe: %s", err_name(errno));
	(void)fflush(NULL); /* or the child prints our buffers again */
	s->pid = fork();
	if (s->pid < 0) {
		s->pid = 0;
		return err_set(
		    e, -errno, "cannot start the worker: fork: %s%s", err_name(errno),
		    errno == EAGAIN ? " (limits: ulimit -u, pids of the cgroup)" : "");
	}
	if (s->pid == 0)
		become_worker(s->shared, pipes[0][0], pipes[1][1], parent);
	s->request_fd = pipes[0][1];
	s->reply_fd = pipes[1][0];
	pipes[0][1] = pipes[1][0] = -1;
	return 0;
}

int supervisor_start(struct supervisor *s, struct err *e)
{
	int pipes[2][2] = { { -1, -1 }, { -1, -1 } };
	void *mem = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
	                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int r;

	s->pid = 0;
	s->request_fd = s->reply_fd = -1;
	s->shared = NULL;
	if (mem == MAP_FAILED)
		return err_set(e, -errno, "cannot start the worker: shared memory: %s",
		               err_name(errno));
	s->shared = mem;
	r = spawn(s, pipes, e);
	close_pair(pipes);
	return r;
}

/* Reap the worker if it is gone within grace_ns, with its wait status; false: it is left
 * behind. */
static bool reap_within(pid_t pid, uint64_t grace_ns, int *status)
{
	uint64_t until = clock_mono_ns() + grace_ns;

	for (;;) {
		pid_t got = waitpid(pid, status, WNOHANG);

		if (got == pid || (got < 0 && errno != EINTR))
			return true;
		if (clock_mono_ns() >= until)
			return false;
		clock_sleep_until(clock_mono_ns() + MSEC);
	}
}

static void forget(struct supervisor *s)
{
	if (s->request_fd >= 0)
		close(s->request_fd);
	if (s->reply_fd >= 0)
		close(s->reply_fd);
	s->request_fd = s->reply_fd = -1;
	s->pid = 0;
	/* A worker left behind may still write its shared memory: give it up, never reuse it.
	 * The mapping itself is unmapped here only; the other process keeps its own. */
	if (s->shared)
		(void)munmap(s->shared, sizeof(*s->shared));
	s->shared = NULL;
}

/* Lose this worker and start the next. */
static void replace(struct supervisor *s)
{
	int status;

	if (s->pid > 0) {
		(void)kill(s->pid, SIGKILL);
		(void)reap_within(s->pid, REAP_NS, &status);
	}
	forget(s);
	s->spent = false;
	s->replaced++;
	(void)supervisor_start(s, NULL);
}

static enum task_end crashed(struct supervisor *s, struct err *e)
{
	int status = 0;

	if (s->pid > 0 && reap_within(s->pid, REAP_NS, &status) && WIFSIGNALED(status))
		(void)err_set(e, -EIO, "the worker process was killed by signal %d (%s)",
		              WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		(void)err_set(e, -EIO, "the worker process ended unexpectedly");
	s->pid = 0;
	replace(s);
	return END_CRASHED;
}

struct progress_mark {
	uint64_t bytes, since_ns;
};

static uint64_t load(const _Atomic uint64_t *v)
{
	return atomic_load_explicit(v, memory_order_relaxed);
}

static bool older(uint64_t since, uint64_t age)
{
	uint64_t now = clock_mono_ns();

	return since && now > since && now - since > age;
}

/* Ask the task for no less than this. */
static void ask(struct live *live, enum live_stop what)
{
	if (atomic_load(&live->stop) < what)
		atomic_store(&live->stop, what);
}

/* The window is complete, so the run stays what it is; only its last I/Os do not come back. */
static bool drain_stalled(const struct live *live, const struct task_watch *w)
{
	uint64_t since, waiting;

	if (atomic_load_explicit(&live->phase, memory_order_acquire) != LIVE_DRAIN)
		return false;
	since = load(&live->phase_since_ns);
	waiting = load(&live->waiting_since_ns);
	if (waiting && waiting < since)
		since = waiting;
	return older(since, w->stall_timeout_ns);
}

static int layout_stalled(const struct live *live, uint64_t stall_ns, const char *text,
                          struct progress_mark *mark, struct err *e)
{
	uint64_t now = clock_mono_ns(), done = load(&live->layout_done),
		 total = load(&live->layout_total);

	if (done != mark->bytes || !mark->since_ns)
		*mark = (struct progress_mark){ done, now };
	if (now - mark->since_ns <= stall_ns * (done >= total ? SLOW_PHASE_FACTOR : 1))
		return 0;
	return err_set(e, -ETIMEDOUT, "layout made no progress for %s", text);
}

static int run_stalled(const struct live *live, const struct task_watch *w, const char *text,
                       struct progress_mark *mark, struct err *e)
{
	uint64_t now = clock_mono_ns(), waiting = load(&live->waiting_since_ns);

	if (atomic_load(&live->phase) == LIVE_DRAIN)
		return 0; /* drain_stalled() looks after it */
	if (waiting && now > waiting && now - waiting > w->stall_timeout_ns)
		return err_set(e, -ETIMEDOUT, "no completion for %s while I/O was in flight",
		               text);
	if (!mark->since_ns)
		mark->since_ns = load(&live->phase_since_ns);
	if (w->limit_ns && now > mark->since_ns && now - mark->since_ns > w->limit_ns)
		return err_set(e, -ETIMEDOUT, "the run took longer than ramp + runtime + %s",
		               text);
	return 0;
}

/* Has the task hung? -ETIMEDOUT with the sentence. */
static int stalled(const struct live *live, const struct task_watch *w,
                   struct progress_mark *mark, struct err *e)
{
	enum live_phase phase = atomic_load_explicit(&live->phase, memory_order_acquire);
	uint64_t since = load(&live->phase_since_ns), now = clock_mono_ns(),
		 lasts = now > since ? now - since : 0, stall = w->stall_timeout_ns;
	char text[32];

	(void)print_duration(text, sizeof(text), stall);
	switch (phase) {
	case LIVE_LAYOUT:
		return layout_stalled(live, stall, text, mark, e);
	case LIVE_RAMP:
	case LIVE_WINDOW:
	case LIVE_DRAIN:
		return run_stalled(live, w, text, mark, e);
	case LIVE_OPEN:
		return lasts <= stall ? 0
		                      : err_set(e, -ETIMEDOUT,
		                                "opening the target took longer than %s", text);
	case LIVE_FLUSH:
		return lasts <= stall * SLOW_PHASE_FACTOR
		           ? 0
		           : err_set(e, -ETIMEDOUT,
		                     "the flush after the run took longer than %d x %s",
		                     SLOW_PHASE_FACTOR, text);
	case LIVE_IDLE:
	case LIVE_DONE: /* before it takes the task, and before it answers */
		break;
	}
	return lasts <= stall
	           ? 0
	           : err_set(e, -ETIMEDOUT, "the worker process did not react for %s", text);
}

/* A worker that has left I/Os behind is good for nothing more, but its sample is needed still:
 * the next task gets another. */
static enum task_end done(struct supervisor *s)
{
	const struct shared *sh = s->shared;

	s->spent = sh->kind == TASK_RUN && !sh->result && sh->sample.jobs_hung;
	if (s->spent)
		(void)kill(s->pid, SIGKILL);
	return END_DONE;
}

static enum task_end wait_reply(struct supervisor *s, const struct task_watch *w, struct err *e)
{
	struct live *live = &s->shared->live;
	struct progress_mark mark = { 0 };
	uint64_t stop_since = 0, give_up_since = 0;

	for (;;) {
		struct pollfd fds[2] = { { .fd = s->reply_fd, .events = POLLIN },
			                 { .fd = w->wake_fd, .events = POLLIN } };
		struct timespec tick = { (time_t)(w->tick_ns / SEC), (long)(w->tick_ns % SEC) };
		int n = ppoll(fds, 2, &tick, NULL);
		char byte;

		if (n < 0 && errno != EINTR) {
			(void)err_set(e, -errno, "poll: %s", err_name(errno));
			return crashed(s, e);
		}
		if (n > 0 && fds[0].revents) {
			if (read(s->reply_fd, &byte, 1) == 1)
				return done(s);
			return crashed(s, e);
		}
		if (w->on_wake(w->arg, live)) {
			ask(live, STOP_NOW);
			stop_since = stop_since ? stop_since : clock_mono_ns();
		}
		if (!give_up_since &&
		    (drain_stalled(live, w) || older(stop_since, STOP_GRACE_NS / 2))) {
			ask(live, STOP_GIVE_UP);
			give_up_since = clock_mono_ns();
		}
		if (older(stop_since, STOP_GRACE_NS)) {
			replace(s);
			return END_STOPPED;
		}
		if (stalled(live, w, &mark, e) || older(give_up_since, GIVE_UP_GRACE_NS)) {
			(void)err_set(e, -ETIMEDOUT, "the drain did not end");
			replace(s);
			return END_STALLED;
		}
	}
}

int supervisor_ready(struct supervisor *s, struct err *e)
{
	if (s->spent)
		replace(s);
	return s->pid > 0 ? 0 : supervisor_start(s, e);
}

enum task_end supervisor_do(struct supervisor *s, const struct task_watch *w, struct err *e)
{
	struct live *live = &s->shared->live;
	char byte = 1;

	atomic_store(&live->stop, 0);
	atomic_store(&live->layout_done, 0);
	live_begin(live, LIVE_IDLE);
	if (write(s->request_fd, &byte, 1) != 1)
		return crashed(s, e);
	return wait_reply(s, w, e);
}

void supervisor_stop(struct supervisor *s)
{
	int status;

	if (s->pid > 0) {
		close(s->request_fd);
		s->request_fd = -1;
		if (s->spent || !reap_within(s->pid, SEC, &status)) {
			(void)kill(s->pid, SIGKILL);
			(void)reap_within(s->pid, REAP_NS, &status);
		}
	}
	forget(s);
}
