#include "cmd/session.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "cmd/outcome.h"
#include "cmd/preflight.h"
#include "cmd/session_target.h"
#include "cmd/streak.h"
#include "plan/effective.h"
#include "sink/csv.h"

#define TICK_NS (100 * MSEC)

int session_signals(struct session *s, struct err *e)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	sigset_t set;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ,
	             SIG_IGN); /* a file size limit is an error of the write, not our death */
	(void)sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		struct sigaction old;

		if (sigaction(taken[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN &&
		    taken[i] == SIGHUP)
			continue; /* nohup: stays ignored */
		(void)sigaddset(&set, taken[i]);
	}
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

static void take_signals(struct session *s)
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
		if (s->signal)
			leave_now(s, (int)info.ssi_signo);
		s->signal = (int)info.ssi_signo;
	}
}

static bool on_wake(void *arg, const struct live *live)
{
	struct session *s = arg;
	bool over;

	take_signals(s);
	over = wear_tick(s, live);
	progress_tick(&s->progress, live, s->what);
	return s->signal != 0 || over;
}

enum task_end session_task_within(struct session *s, uint64_t stall_ns, uint64_t limit_ns,
                                  struct err *e)
{
	struct task_watch w = {
		.wake_fd = s->signal_fd,
		.on_wake = on_wake,
		.arg = s,
		.tick_ns = TICK_NS,
		.stall_timeout_ns = stall_ns,
		.limit_ns = limit_ns,
	};
	enum task_end end;

	wear_task(s, s->supervisor.shared);
	end = supervisor_do(&s->supervisor, &w, e);
	wear_end(s, end == END_DONE ? &s->supervisor.shared->live : NULL);
	return end;
}

enum task_end session_task(struct session *s, uint64_t limit_ns, struct err *e)
{
	return session_task_within(s, s->prepared->sweep->stall_timeout_ns, limit_ns, e);
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

/* Idle between runs, ended early by a signal. */
static void rest(struct session *s, uint64_t ns)
{
	uint64_t until = clock_mono_ns() + ns;
	static const struct live idle;

	s->wear.live = 0;
	while (!s->signal && clock_mono_ns() < until) {
		uint64_t step = clock_mono_ns() + TICK_NS;

		clock_sleep_until(step < until ? step : until);
		(void)on_wake(s, &idle);
	}
}

static void count(struct session *s, const struct outcome *o)
{
	const struct record *r = &o->record;

	streak_note(s, r);
	if (r->status == STATUS_INTERRUPTED)
		return; /* will be done again */
	s->progress.done++;
	if (r->status == STATUS_FAILED || r->status == STATUS_TIMEOUT)
		s->failed++;
	if (r->status == STATUS_SKIPPED) {
		s->skipped++;
		s->skipped_by_machine += r->skipped_by_machine;
	}
	s->progress.failed = s->failed;
	s->progress.doubted += flag_any_doubt(r->flags);
}

/* Full durability for every run of a second or more, and at least once a second. */
static bool want_durable(struct session *s, const struct outcome *o)
{
	uint64_t now = clock_mono_ns();
	bool long_run = o->open && o->record.job->time_based && o->record.job->runtime >= SEC;

	if (!long_run && now - s->last_durable_ns < SEC)
		return false;
	s->last_durable_ns = now;
	return true;
}

/* Store the outcome of `done` (if it has one) and that `next` (if any) begins. */
static int step(struct session *s, struct outcome *done, const struct outcome *next)
{
	struct err e = { 0 };
	bool open = done->open;
	int r = store_step(s->store, open ? &done->record : NULL, next ? &next->record : NULL,
	                   want_durable(s, done), &e);

	done->open = false;
	if (!r && open)
		r = csv_append(s->csv_path, s->store, done->record.run_id, &e);
	if (!r)
		return 0;
	s->store_failed = true;
	progress_clear(&s->progress);
	complain("results could not be stored: %s", e.text);
	return r;
}

/* Execute o's row; its outcome is ready to be stored afterwards. */
static void execute(struct session *s, struct outcome *o)
{
	uint64_t start = clock_mono_ns(), planned = plan_row_ns(s->prepared->plan, &o->row),
		 limit = 0;
	const struct job *job = &o->row.job;
	char line[1600];
	struct err e = { 0 };

	if (job->runtime != AXIS_UNSET)
		limit = job->ramp_time + job->runtime + s->prepared->sweep->stall_timeout_ns;
	progress_begin(&s->progress);
	if (supervisor_ready(&s->supervisor, &e)) {
		outcome_judge(s, o, END_CRASHED, &e);
	} else {
		s->supervisor.shared->kind = TASK_RUN;
		outcome_spec(s, &o->row, &s->supervisor.shared->spec);
		outcome_judge(s, o, session_task(s, limit, &e), &e);
		wear_judge(s, o);
	}
	o->open = true;
	s->ran++;
	count(s, o);
	outcome_line(o, line, sizeof(line));
	progress_ran(&s->progress, planned, clock_mono_ns() - start, line);
}

static int compare_state(const void *a, const void *b)
{
	const struct store_state *x = a, *y = b;
	int d = memcmp(x->key, y->key, KEY_BYTES);

	if (d)
		return d;
	return x->repeat < y->repeat ? -1 : x->repeat > y->repeat;
}

const struct store_state *session_state(const struct session *s, const struct plan_row *row)
{
	struct store_state want = { .repeat = row->repeat };

	if (!s->states)
		return NULL;
	memcpy(want.key, row->key.bytes, KEY_BYTES);
	return bsearch(&want, s->state, s->states, sizeof(want), compare_state);
}

bool session_final(const struct session *s, const struct store_state *st)
{
	return st && st->status != STATUS_INTERRUPTED && st->status != STATUS_RUNNING &&
	       !st->given_up && !s->retry[st->status];
}

static void open_outcome(struct session *s, struct outcome *o, const struct store_state *st)
{
	struct plan_row *row = &o->row;

	o->error[0] = '\0';
	o->open = false;
	o->record = (struct record){
		.run_id = s->next_run++,
		.job = &row->job,
		.key = &row->key,
		.key_text = row->key_text,
		.label = row->label,
		.target = &s->target[row->job.filename].info,
		.cpus_allowed = row->cpus_allowed,
		.repeat = row->repeat,
		.attempt = st ? st->attempt + 1 : 1,
		.purpose = PURPOSE_GRID,
		.status = STATUS_RUNNING,
		.error = o->error,
	};
}

/* A row that ends without having run. */
static void end_unrun(struct session *s, struct outcome *o, enum run_status status, int error,
                      const char *text)
{
	char line[1600];

	outcome_fail(o, status, error, text);
	o->open = true;
	count(s, o);
	outcome_line(o, line, sizeof(line));
	progress_line(&s->progress, line);
}

static bool uses_target(const struct outcome *o)
{
	return !(engine_ops(o->row.job.ioengine)->caps & ENGINE_NO_TARGET);
}

/* Is the row worth trying, by the plan and by what was seen since? Otherwise the outcome says
 * why not. */
static bool may_run(struct session *s, struct outcome *o)
{
	const struct session_target *t = &s->target[o->row.job.filename];
	char text[sizeof(o->error)];
	int error;

	if (o->row.skip.skipped) {
		o->record.skipped_by_machine = o->row.skip.by_machine;
		end_unrun(s, o, STATUS_SKIPPED, o->row.skip.error, o->row.skip.text);
		return false;
	}
	if (wear_forbids(s, &o->row.job, 0, text, sizeof(text))) {
		end_unrun(s, o, STATUS_SKIPPED, 0, text);
		return false;
	}
	error = streak_over(s, &o->row.job, text, sizeof(text));
	if (!error)
		error = preflight_verdict(s, &o->row.job, text, sizeof(text));
	if (error) {
		o->record.skipped_by_machine = o->record.given_up = true;
		end_unrun(s, o, STATUS_SKIPPED, error, text);
		return false;
	}
	if (!uses_target(o) || t->state == TARGET_READY)
		return true;
	end_unrun(s, o, t->spared ? STATUS_SKIPPED : STATUS_FAILED, t->error, t->text);
	return false;
}

/* One row of the plan. 0, or -errno when results cannot be stored. */
static int do_row(struct session *s, struct outcome *o, struct outcome *before)
{
	const struct store_state *st = session_state(s, &o->row);

	if (session_final(s, st))
		return 0;
	open_outcome(s, o, st);
	if (!may_run(s, o))
		return step(s, before, NULL);
	if (step(s, before, o))
		return -EIO;
	(void)snprintf(s->what, sizeof(s->what), "%s %s", o->row.label,
	               engine_name(o->row.job.ioengine));
	execute(s, o);
	if (!s->prepared->sweep->pause_ns || job_simulated(&o->row.job))
		return 0;
	if (step(s, o, NULL))
		return -EIO;
	rest(s, s->prepared->sweep->pause_ns);
	return 0;
}

/* A row that an earlier call finished: it counts at the end as if this one had. */
static void count_final(struct session *s, const struct plan_row *row, enum run_status status)
{
	s->progress.done++;
	s->failed += status == STATUS_FAILED || status == STATUS_TIMEOUT;
	if (status != STATUS_SKIPPED)
		return;
	s->skipped++;
	s->skipped_by_machine += row->skip.by_machine || !row->skip.skipped;
}

static void count_doubted(struct session *s)
{
	AUTO(rows_closep) struct rows *r = NULL;

	if (!rows_open(&r, s->store,
	               "SELECT count(DISTINCT run) FROM results WHERE doubts <> ''", NULL) &&
	    rows_next(r, NULL) == 1)
		s->progress.doubted = (uint64_t)rows_int(r, 0);
}

/* What is done and what is to do, for the ETA and the exit code. */
static void count_ahead(struct session *s)
{
	const struct plan *p = s->prepared->plan;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));

	for (uint64_t i = 0; i < p->runs; i++) {
		const struct store_state *st;
		uint64_t ns;

		plan_row(p, i, row);
		st = session_state(s, row);
		if (session_final(s, st)) {
			count_final(s, row, st->status);
			continue;
		}
		if (row->skip.skipped)
			continue;
		ns = plan_row_ns(p, row);
		s->progress.plan_left_ns += ns;
		s->progress.unknown_left += ns == 0;
	}
	s->progress.failed = s->failed;
	count_doubted(s);
}

static int final_code(const struct session *s)
{
	if (s->store_failed)
		return EXIT_STORE;
	if (s->signal)
		return 128 + s->signal;
	if (s->failed || s->skipped_by_machine || (s->options->strict && s->skipped))
		return EXIT_ROWS;
	return EXIT_OK;
}

int session_run(struct session *s)
{
	struct outcome *o = xcalloc(2, sizeof(*o));
	const struct plan *p = s->prepared->plan;
	unsigned turn = 0;

	if (s->states)
		qsort(s->state, s->states, sizeof(*s->state), compare_state);
	progress_init(&s->progress, s->options, p->runs);
	wear_begin(s);
	wear_record_drives(s, "before");
	/* Knowing the ETA of a plan nobody resumed needs no second walk over it. */
	if (s->states) {
		count_ahead(s);
	} else {
		s->progress.plan_left_ns = (uint64_t)((p->estimate_s - p->absent_s - p->simulated_s) * 1e9);
		s->progress.unknown_left = p->unbounded ? p->runs - p->skipped : 0;
	}
	session_preflight(s);
	for (uint64_t i = 0; i < p->runs && !s->signal && !s->store_failed; i++) {
		plan_row(p, i, &o[turn].row);
		(void)do_row(s, &o[turn], &o[1 - turn]);
		if (o[turn].open)
			turn = 1 - turn;
		take_signals(s);
	}
	if (!s->store_failed)
		(void)step(s, &o[1 - turn], NULL);
	progress_clear(&s->progress);
	free(o);
	return final_code(s);
}
