/* One pass, round or probe. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "cmd/outcome.h"
#include "cmd/precondition_private.h"
#include "cmd/row.h"
#include "cmd/session_wait.h"
#include "plan/effective.h"

/* The last attempt at this run, by this call or an earlier one. */
static int look_up(struct conditioner *c, const struct plan_row *row, enum purpose purpose)
{
	AUTO(rows_closep) struct rows *r = NULL;
	struct err e = { 0 };

	c->past = (struct past){ 0 };
	if (rows_open(&r, c->s->store,
	              "SELECT r.status = 'ok', r.attempt, r.run_iops, r.window_ns,"
	              " (SELECT bytes FROM result WHERE run_id = r.id AND op = 1)"
	              " FROM run r JOIN combination c ON c.id = r.combination_id"
	              " WHERE c.key_text = ? AND r.repeat = ? AND r.purpose = ?"
	              " ORDER BY r.attempt DESC LIMIT 1",
	              &e))
		return e.code;
	rows_bind_text(r, 1, row->key_text);
	rows_bind_int(r, 2, (int64_t)row->repeat);
	rows_bind_text(r, 3, purpose_name(purpose));
	if (rows_next(r, &e) == 1)
		c->past = (struct past){ .ok = rows_int(r, 0) != 0,
			                 .attempt = (uint64_t)rows_int(r, 1),
			                 .iops = rows_null(r, 2) ? 0 : rows_real(r, 2),
			                 .window_ns = (uint64_t)rows_int(r, 3),
			                 .bytes = (uint64_t)rows_int(r, 4) };
	return e.code;
}

static void open_run(struct conditioner *c, enum purpose purpose)
{
	struct outcome *o = c->o;

	o->error[0] = '\0';
	o->record = (struct record){
		.run_id = c->s->next_run++,
		.job = &o->row.job,
		.key = &o->row.key,
		.key_text = o->row.key_text,
		.label = o->row.label,
		.target = &c->t->info,
		.repeat = o->row.repeat,
		.attempt = c->past.attempt + 1,
		.purpose = purpose,
		.status = STATUS_RUNNING,
		.error = o->error,
	};
	o->open = false;
}

static void remember(struct conditioner *c)
{
	const struct sample *sm = c->o->record.sample;
	uint64_t ios = 0;

	c->past = (struct past){ .ok = c->o->record.status == STATUS_OK,
		                 .attempt = c->o->record.attempt };
	if (!sm)
		return;
	for (int op = 0; op < OP_SYNC; op++)
		ios += sm->op[op].ios;
	c->past.window_ns = sm->window_ns;
	c->past.bytes = sm->op[OP_WRITE].bytes;
	c->past.iops = sm->window_ns ? (double)ios * 1e9 / (double)sm->window_ns : 0;
}

static void tell(struct conditioner *c)
{
	char line[1600];

	outcome_line(c->o, line, sizeof(line));
	progress_line(&c->s->progress, line);
}

/* Its rows are not run any more. */
static void give_up(struct conditioner *c)
{
	struct session_target *t = c->t;

	t->state = TARGET_FAILED;
	t->error = c->o->record.error_no ? c->o->record.error_no : EIO;
	(void)snprintf(t->text, sizeof(t->text), "preconditioning: %.400s", c->o->error);
}

static int measure(struct conditioner *c, enum purpose purpose)
{
	struct outcome *o = c->o;

	open_run(c, purpose);
	if (row_store(c->s, o, o))
		return -EIO;
	row_measure(c->s, o);
	o->open = true;
	remember(c);
	tell(c);
	return row_store(c->s, o, NULL);
}

int condition_run(struct conditioner *c, const struct job *job, enum purpose purpose,
                  uint64_t number)
{
	struct session *s = c->s;
	struct outcome *o = c->o;

	plan_row_of(s->prepared->plan, job, number, &o->row);
	if (look_up(c, &o->row, purpose))
		return -EIO;
	c->ran = !c->past.ok || condition_simulated(c);
	if (!c->ran)
		return 0;
	(void)snprintf(s->what, sizeof(s->what), "%s %" PRIu64 " %.4000s",
	               purpose_name(purpose), number, c->t->info.filename);
	o->again = 0;
	do {
		if (measure(c, purpose))
			return -EIO;
		o->again++;
	} while (o->record.status == STATUS_INTERRUPTED && !session_stopping(s));
	if (o->record.status == STATUS_OK)
		return 0;
	if (o->record.status != STATUS_INTERRUPTED && !s->wear.over)
		give_up(c);
	return -EINTR;
}

void condition_wait(struct conditioner *c)
{
	if (condition_simulated(c))
		c->s->sim_rest_ns += CONDITION_WAIT_NS;
	else
		session_rest(c->s, CONDITION_WAIT_NS);
}

void condition_job(const struct conditioner *c, struct job *job)
{
	const struct prepared *p = c->s->prepared;
	const struct plan_need *need = &p->plan->need[c->index];

	for (size_t a = 0; a < AXIS_COUNT; a++)
		*axis_slot(&axes[a], job) = axis_default(&axes[a]);
	job->filename = c->index;
	job->ioengine = condition_simulated(c) ? ENGINE_SIM : engine_default(&p->world);
	job->numjobs = c->t->info.kind == TARGET_DIRECTORY ? need->files : 1;
	job->iodepth = c->p->iodepth;
	job->direct = condition_simulated(c) || c->t->info.offset_align != 0;
	job->size = precondition_region(&c->t->info, need);
	job->ramp_time = 0;
}

void condition_finish_job(const struct conditioner *c, struct job *job, uint64_t bs)
{
	while (bs > job->size && bs > 1)
		bs /= 2;
	job->bs = bs;
	job_resolve(&c->s->prepared->world, c->s->prepared->sweep, job);
	job_collapse(&c->s->prepared->world, job);
}
