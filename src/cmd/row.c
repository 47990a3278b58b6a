#include "cmd/row.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "cmd/hang.h"
#include "cmd/preflight.h"
#include "cmd/session_set.h"
#include "cmd/session_target.h"
#include "cmd/session_wait.h"
#include "cmd/streak.h"
#include "cmd/written.h"
#include "plan/effective.h"
#include "sink/csv.h"

static void count(struct session *s, const struct outcome *o)
{
	const struct record *r = &o->record;

	streak_note(s, r);
	beside_ran(s, o);
	if (r->status == STATUS_INTERRUPTED || r->purpose != PURPOSE_GRID)
		return; /* will be done again, or is none of those planned */
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

/* The CSV only repeats the database: what it lacks is written at the end. */
static void add_to_csv(struct session *s, int64_t run_id)
{
	struct err e = { 0 };
	int r = store_caught_up(s->store) ? csv_write_file(s->csv_path, s->store, NULL, &e)
	                                  : csv_append(s->csv_path, s->store, run_id, &e);

	if (!r || s->csv_failed)
		return;
	s->csv_failed = true;
	progress_clear(&s->progress);
	complain("the CSV waits for the end of the sweep: %s", e.text);
}

static void say_waits(struct session *s)
{
	if (s->store_waits)
		return;
	s->store_waits = true;
	progress_clear(&s->progress);
	complain(
	    "%s: another program holds the database; rows are kept beside it until it lets go",
	    s->db_path);
}

int row_store(struct session *s, struct outcome *done, const struct outcome *next)
{
	struct err e = { 0 };
	bool open = done->open;
	int r = store_step(s->store, open ? &done->record : NULL, next ? &next->record : NULL,
	                   want_durable(s, done), &e);

	done->open = false;
	if (r) {
		s->store_failed = true;
		progress_clear(&s->progress);
		complain("results could not be stored: %s", e.text);
		return r;
	}
	if (store_pending(s->store))
		say_waits(s);
	else if (open && done->record.status != STATUS_INTERRUPTED) /* that comes again */
		add_to_csv(s, done->record.run_id);
	return 0;
}

/* How often, once a second, a database that another program holds is tried at the end. */
#define LAST_TRIES 60

void row_settle(struct session *s, struct outcome *none)
{
	for (int i = 0; i < LAST_TRIES && store_pending(s->store) && !s->store_failed &&
	                !session_stopping(s);
	     i++) {
		(void)row_store(s, none, NULL);
		if (store_pending(s->store))
			session_rest(s, SEC);
	}
	if (!store_pending(s->store) || s->store_failed)
		return;
	s->store_failed = true;
	complain(
	    "results could not be stored: %s: another program holds the database; what was "
	    "measured is kept beside it",
	    s->db_path);
}

void row_measure(struct session *s, struct outcome *o)
{
	struct task_watch w = session_watch(s);
	const struct job *job = &o->row.job;
	const struct target_info *t = o->record.target;
	enum task_end end;
	struct err e = { 0 };

	if (job->runtime != AXIS_UNSET)
		w.limit_ns = job->ramp_time + job->runtime + w.stall_timeout_ns;
	progress_begin(&s->progress);
	if (supervisor_ready(&s->supervisor, &e)) {
		outcome_judge(s, o, END_CRASHED, &e);
		return;
	}
	s->supervisor.shared->kind = TASK_RUN;
	outcome_spec(s, &o->row, s->supervisor.shared->spec);
	s->sim_rest_ns = 0;
	beside_spec(s, o, s->supervisor.shared->spec);
	s->supervisor.shared->spec[0].stop_ends = o->again < OUTCOME_AGAIN_MAX;
	w.major = t->major;
	w.minor = t->minor;
	end = session_do(s, &w, &e);
	outcome_judge(s, o, end, &e);
	wear_judge(s, o);
	written_run(s, o, end == END_DONE);
}

/* Each such row has the doubt; what to do about it is said once. */
static void memlock_note(struct session *s, const struct outcome *o)
{
	char text[512];

	if (s->memlock_said || o->record.status != STATUS_OK ||
	    !strstr(o->record.sample->degraded, "(memlock)"))
		return;
	s->memlock_said = true;
	(void)snprintf(text, sizeof(text), "%s: %s; such rows are in doubt (degraded)",
	               o->row.label, o->record.sample->degraded);
	session_warn(s, "memlock", text);
}

/* Execute o's row; its outcome is ready to be stored afterwards. */
static void execute(struct session *s, struct outcome *o)
{
	uint64_t start = clock_mono_ns(), planned = plan_row_ns(s->prepared->plan, &o->row),
		 took;
	char line[1600];

	row_measure(s, o);
	precondition_note(s, o);
	o->open = true;
	s->ran++;
	count(s, o);
	hang_note(s, o);
	outcome_line(o, line, sizeof(line));
	if (o->record.status == STATUS_INTERRUPTED) {
		progress_line(&s->progress, line);
		return;
	}
	took = clock_mono_ns() - start;
	progress_ran(&s->progress, planned, took, line);
	memlock_note(s, o);
	if (o->record.status == STATUS_OK)
		costs_run(&s->costs, s->prepared->plan, &o->row, took);
}

static void open_outcome(struct session *s, struct outcome *o, uint64_t attempt)
{
	struct plan_row *row = &o->row;

	o->error[0] = '\0';
	o->open = false;
	session_target_refresh(s, row->job.filename);
	o->record = (struct record){
		.run_id = s->next_run++,
		.job = &row->job,
		.key = &row->key,
		.key_text = row->key_text,
		.label = row->label,
		.target = &s->target[row->job.filename].info,
		.text = row->text,
		.repeat = row->repeat,
		.attempt = attempt,
		.purpose = o->purpose,
		.status = STATUS_RUNNING,
		.error = o->error,
	};
	for (unsigned k = 0; k < target_members(o->record.target); k++)
		o->record.member[k] = session_member(s, row->job.filename, k)->info.filename;
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
	const struct session_target *t = session_target_of(s, o->row.job.filename);
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
	if (t->state != TARGET_FAILED || !(uses_target(o) || job_simulated(&o->row.job)))
		return true;
	end_unrun(s, o,
	          t->spared               ? STATUS_SKIPPED
	          : t->error == ETIMEDOUT ? STATUS_TIMEOUT
	                                  : STATUS_FAILED,
	          t->error, t->text);
	return false;
}

static bool must_be_made(const struct session *s, const struct outcome *o)
{
	return uses_target(o) && session_target_of(s, o->row.job.filename)->state == TARGET_NEW;
}

/* Is there time for the row before --until or --for? */
static bool in_time(const struct session *s, const struct outcome *o)
{
	uint64_t left = deadline_left_ns(&s->deadline), ns;

	if (left == UINT64_MAX)
		return true;
	ns = costs_row_ns(&s->costs, s->prepared->plan, &o->row);
	if (must_be_made(s, o))
		ns += costs_layout_ns(&s->costs, session_layout_bytes(s, o->row.job.filename));
	return left > ns;
}

/* The row cannot run now. It is skipped when nothing else is left to do; else it comes again.
 */
static int put_off(struct session *s, struct outcome *o, struct outcome *before, bool last)
{
	char text[512];

	if (!last || session_stopping(s)) {
		s->next_run--;
		s->out_of_time |= last;
		return 0;
	}
	o->record.skipped_by_machine = o->record.given_up = true;
	end_unrun(s, o, STATUS_SKIPPED, ETIMEDOUT,
	          hang_text(s, o->row.job.filename, text, sizeof(text)));
	return row_store(s, before, NULL);
}

static int no_time(struct session *s)
{
	s->out_of_time = true;
	s->next_run--;
	return 0;
}

/* Is everything there that the row needs, and time? 1, or 0 when the row is done with for now,
 * or -EIO. */
static int ready(struct session *s, struct outcome *o, struct outcome *before)
{
	if (!in_time(s, o))
		return no_time(s);
	if (must_be_made(s, o)) {
		/* It may cost the worker, and with it the numbers that `before` still has in
		 * its memory. */
		if (row_store(s, before, NULL))
			return -EIO;
		session_target_make(s, o->row.job.filename);
		if (must_be_made(s, o) || !in_time(s, o))
			return no_time(s); /* unless it was a signal */
	}
	if (may_run(s, o))
		return 1;
	return row_store(s, before, NULL) ? -EIO : 0;
}

/* What its target needs first, in runs that take their numbers before it. As ready(). */
static int condition(struct session *s, struct outcome *o, struct outcome *before)
{
	int r = row_store(s, before, NULL);

	if (r)
		return -EIO;
	s->next_run = o->record.run_id;
	r = precondition_run(s, &o->row);
	o->record.run_id = s->next_run++;
	if (r)
		return r;
	if (session_stopping(s) || !in_time(s, o))
		return no_time(s);
	return may_run(s, o);
}

/* What was measured before is safe when an idle time begins. */
static int idle(struct session *s, const struct job *job, struct outcome *before, uint64_t ns)
{
	if (!ns || job_simulated(job))
		return 0;
	if (row_store(s, before, NULL))
		return -EIO;
	session_rest(s, ns);
	return 0;
}

/* Run it, and at once again when it was held up. */
static int run_row(struct session *s, struct outcome *o, struct outcome *before)
{
	if (idle(s, &o->row.job, before, o->row.job.startdelay))
		return -EIO;
	if (session_stopping(s))
		return no_time(s);
	if (row_store(s, before, o))
		return -EIO;
	(void)snprintf(s->what, sizeof(s->what), "%s%s%s %s",
	               o->purpose ? purpose_name(o->purpose) : "", o->purpose ? " " : "",
	               o->row.label, engine_name(o->row.job.ioengine));
	execute(s, o);
	while (o->record.status == STATUS_INTERRUPTED && !session_stopping(s)) {
		if (row_store(s, o, NULL))
			return -EIO;
		if (!in_time(s, o))
			break;
		o->again++;
		open_outcome(s, o, o->record.attempt + 1);
		if (row_store(s, o, o))
			return -EIO;
		execute(s, o);
	}
	s->out_of_time |= o->record.status == STATUS_INTERRUPTED;
	return idle(s, &o->row.job, o, s->prepared->sweep->pause_ns);
}

int row_do(struct session *s, struct outcome *o, struct outcome *before, bool last)
{
	bool grid = o->purpose == PURPOSE_GRID;
	const struct store_state *st = grid ? session_state(s, &o->row) : NULL;
	int r;

	if (session_final(s, st))
		return 0;
	o->again = 0;
	open_outcome(s, o, !grid ? o->attempt : st ? st->attempt + 1 : 1);
	if (!may_run(s, o))
		return row_store(s, before, NULL);
	if (uses_target(o) && hang_suspected(s, o->row.job.filename)) {
		if (row_store(s, before, NULL))
			return -EIO;
		if (!hang_answers(s, o->row.job.filename, last)) {
			r = put_off(s, o, before, last);
			return r ? r : !last;
		}
	}
	r = ready(s, o, before);
	if (r > 0 && precondition_due(s, &o->row))
		r = condition(s, o, before);
	return r > 0 ? run_row(s, o, before) : r;
}
