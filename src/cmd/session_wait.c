#include "cmd/session_wait.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"

#define TICK_NS (100 * MSEC)

/* Ignored from the start (nohup, a shell without job control): stays so. */
static bool stays_ignored(int signum)
{
	struct sigaction old;

	return (signum == SIGHUP || signum == SIGTSTP) && sigaction(signum, NULL, &old) == 0 &&
	       old.sa_handler == SIG_IGN;
}

int session_signals(struct session *s, struct err *e)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGTSTP };
	sigset_t set;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ,
	             SIG_IGN); /* a file size limit is an error of the write, not our death */
	(void)sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (!stays_ignored(taken[i]))
			(void)sigaddset(&set, taken[i]);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	s->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (s->signal_fd < 0)
		return err_set(e, -errno, "signalfd: %s", err_name(errno));
	return 0;
}

/* A second signal leaves at once: what is stored is stored, the worker dies with us. */
__attribute__((noreturn)) static void leave_now(struct session *s, int signum)
{
	progress_clear(&s->progress);
	if (s->supervisor.pid > 0)
		(void)kill(s->supervisor.pid, SIGKILL);
	_exit(128 + signum);
}

/* Ctrl-Z: the worker stops as well, whose signals are blocked; it finds out from the SIGCONT
 * how long that was. */
static void stop_here(struct session *s)
{
	sigset_t set;

	progress_clear(&s->progress);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTSTP);
	if (s->supervisor.pid > 0)
		(void)kill(s->supervisor.pid, SIGSTOP);
	(void)raise(SIGTSTP);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL); /* here we stand, until SIGCONT */
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	if (s->supervisor.pid > 0)
		(void)kill(s->supervisor.pid, SIGCONT);
}

void session_take_signals(struct session *s)
{
	struct signalfd_siginfo info;
	char status[256];

	while (read(s->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGUSR1) {
			progress_clear(&s->progress);
			progress_status(&s->progress, status, sizeof(status));
			(void)fprintf(stderr, "%s\n", status);
			continue;
		}
		if (info.ssi_signo == SIGTSTP) {
			stop_here(s);
			continue;
		}
		if (s->signal)
			leave_now(s, (int)info.ssi_signo);
		s->signal = (int)info.ssi_signo;
	}
}

bool session_stopping(const struct session *s)
{
	return s->signal || deadline_left_ns(&s->deadline) == 0;
}

static bool on_wake(void *arg, const struct live *live)
{
	struct session *s = arg;

	bool over;

	session_take_signals(s);
	over = wear_tick(s, live);
	progress_tick(&s->progress, live, s->what);
	return session_stopping(s) || over;
}

struct task_watch session_watch(struct session *s)
{
	return (struct task_watch){
		.wake_fd = s->signal_fd,
		.on_wake = on_wake,
		.arg = s,
		.tick_ns = TICK_NS,
		.stall_timeout_ns = s->prepared->sweep->stall_timeout_ns,
	};
}

enum task_end session_do(struct session *s, const struct task_watch *w, struct err *e)
{
	enum task_end end;

	wear_task(s, s->supervisor.shared);
	end = supervisor_do(&s->supervisor, w, e);
	wear_end(s, end == END_DONE ? &s->supervisor.shared->live : NULL);
	return end;
}

void session_warn(struct session *s, const char *code, const char *text)
{
	char safe[1600];

	(void)store_event(s->store, 0, "warning", code, text, NULL);
	if (s->options->quiet)
		return;
	text_printable(safe, sizeof(safe), text);
	progress_clear(&s->progress);
	(void)fprintf(stderr, "warning: %s\n", safe);
}

void session_rest(struct session *s, uint64_t ns)
{
	uint64_t until = clock_mono_ns() + ns;
	static const struct live idle;

	s->wear.live = 0;
	while (!session_stopping(s) && clock_mono_ns() < until) {
		uint64_t step = clock_mono_ns() + TICK_NS;

		clock_sleep_until(step < until ? step : until);
		(void)on_wake(s, &idle);
	}
}

void session_look_at_clock(struct session *s)
{
	int64_t wall = clock_wall_ns(), boot = (int64_t)clock_boot_ns();
	char text[160], when[64];

	if (!clock_jump(&s->clock_offset_ns, wall, boot, text, sizeof(text)))
		return;
	(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), ", it is %s now",
	               clock_local(when, sizeof(when), wall));
	session_warn(s, "clock", text);
}
