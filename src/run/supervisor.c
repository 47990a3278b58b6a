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
#include "run/stall.h"

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
	s->queued_ns = halt_queued_ns();
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
		(void)err_set(e, -EIO, "the worker process was killed by signal %d (%s)%s",
		              WTERMSIG(status), strsignal(WTERMSIG(status)),
		              WTERMSIG(status) == SIGKILL
		                  ? "; the kernel does so when memory runs out"
		                  : "");
	else
		(void)err_set(e, -EIO, "the worker process ended unexpectedly");
	s->pid = 0;
	replace(s);
	return END_CRASHED;
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

/* All that a run measures is in its sample before it flushes: a flush that hangs, or that there
 * is no time for, takes nothing away. */
static bool cut_flush(struct supervisor *s)
{
	struct shared *sh = s->shared;

	if (sh->kind != TASK_RUN ||
	    atomic_load_explicit(&sh->live.phase, memory_order_acquire) != LIVE_FLUSH)
		return false;
	(void)kill(s->pid, SIGKILL);
	sh->result = 0;
	sh->sample.flush_cut = true;
	sh->sample.flush_ns = clock_mono_ns() - atomic_load_explicit(&sh->live.phase_since_ns,
	                                                             memory_order_relaxed);
	s->spent = true;
	return true;
}

/* Woken at `now`, to be at `due` at the latest. Waiting for a CPU is not counted: with
 * thousands of busy jobs that may be seconds. */
static void look_late(struct supervisor *s, uint64_t due, uint64_t now, struct stall *stall)
{
	uint64_t late = now > due ? now - due : 0, queued = halt_queued_ns(),
		 waited = queued - s->queued_ns;

	s->queued_ns = queued;
	late -= waited < late ? waited : late;
	if (late > SEC || late > stall->timeout_ns / 2)
		stall_forgive(stall);
	if (late > s->halt.supervisor_late_ns)
		s->halt.supervisor_late_ns = late;
}

/* One turn of waiting. 1: the worker has something to say, 0: not yet, -errno. */
static int wait_turn(struct supervisor *s, const struct task_watch *w, struct stall *stall)
{
	struct pollfd fds[2] = { { .fd = s->reply_fd, .events = POLLIN },
		                 { .fd = w->wake_fd, .events = POLLIN } };
	struct timespec tick = { (time_t)(w->tick_ns / SEC), (long)(w->tick_ns % SEC) };
	uint64_t due = clock_mono_ns() + w->tick_ns, now;
	int n = ppoll(fds, 2, &tick, NULL);

	if (n < 0 && errno != EINTR)
		return -errno;
	now = clock_mono_ns();
	if (n == 0 || now > due)
		look_late(s, due, now, stall);
	return n > 0 && fds[0].revents;
}

static enum task_end take_reply(struct supervisor *s, struct err *e)
{
	char byte;

	return read(s->reply_fd, &byte, 1) == 1 ? done(s) : crashed(s, e);
}

/* The task does not end by itself: with what it has, or without. */
static enum task_end cut(struct supervisor *s, enum task_end how)
{
	if (cut_flush(s))
		return END_DONE;
	replace(s);
	return how;
}

static enum task_end wait_reply(struct supervisor *s, const struct task_watch *w,
                                struct stall *stall, struct err *e)
{
	struct live *live = &s->shared->live;
	uint64_t stop_since = 0, give_up_since = 0;
	int r;

	for (;;) {
		r = wait_turn(s, w, stall);
		if (r < 0) {
			(void)err_set(e, r, "poll: %s", err_name(-r));
			return crashed(s, e);
		}
		if (r)
			return take_reply(s, e);
		if (w->on_wake(w->arg, live)) {
			ask(live, STOP_NOW);
			stop_since = stop_since ? stop_since : clock_mono_ns();
		}
		if (!give_up_since &&
		    (stall_drain(stall, live) || older(stop_since, STOP_GRACE_NS / 2))) {
			ask(live, STOP_GIVE_UP);
			give_up_since = clock_mono_ns();
		}
		if (older(stop_since, STOP_GRACE_NS))
			return cut(s, END_STOPPED);
		if (stall_check(stall, live, e))
			return cut(s, END_STALLED);
		if (older(give_up_since, GIVE_UP_GRACE_NS)) {
			(void)err_set(e, -ETIMEDOUT, "the drain did not end");
			return cut(s, END_STALLED);
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
	struct stall stall = { .timeout_ns = w->stall_timeout_ns,
		               .limit_ns = w->limit_ns,
		               .major = w->major,
		               .minor = w->minor };
	uint64_t asleep = clock_suspended_ns(), slept;
	enum task_end end;
	char byte = 1;

	s->halt = (struct halt){ 0 };
	atomic_store(&live->stop, 0);
	atomic_store(&live->layout_done, 0);
	live_begin(live, LIVE_IDLE);
	if (write(s->request_fd, &byte, 1) != 1)
		return crashed(s, e);
	stall_begin(&stall);
	end = wait_reply(s, w, &stall, e);
	stall_end(&stall);
	slept = clock_suspended_ns();
	s->halt.suspended_ns = slept > asleep ? slept - asleep : 0;
	if (end == END_DONE && s->shared->kind == TASK_RUN && !s->shared->result) {
		s->halt.stopped_ns = s->shared->sample.stopped_ns;
		s->halt.worker_late_ns = s->shared->sample.late_ns;
	}
	return end;
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
