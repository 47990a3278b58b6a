#include "cmd/preflight.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/outcome.h"
#include "cmd/outcome_words.h"
#include "cmd/session_set.h"
#include "cmd/session_target.h"
#include "cmd/session_wait.h"

/* What a run takes in the database and the CSV together, and each second and op of it. */
#define RUN_BYTES    2500
#define SECOND_BYTES 100

enum { SMALLEST, LARGEST, ENDS };

/* Rows that ask the same of one target. */
struct ask {
	uint64_t rows;
	uint64_t row[ENDS], bs[ENDS]; /* a row with the smallest and one with the largest bs */
	int error[ENDS];              /* positive errno: it certainly does not work ... */
	char text[ENDS][400];         /* ... and why */
};

struct preflight {
	struct ask *ask; /* by target, engine, direct, direction */
};

void preflight_free(struct preflight *p)
{
	if (p)
		free(p->ask);
	free(p);
}

/* --- what is known beforehand --- */

static void say_skipped(struct session *s)
{
	const struct plan *p = s->prepared->plan;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	char text[512];

	for (size_t i = 0; i < p->reasons; i++) {
		if (!p->reason[i].by_machine)
			continue;
		plan_example(p, i, row);
		(void)snprintf(text, sizeof(text),
		               "%" PRIu64 " of %" PRIu64 " combinations cannot run here: %s%s",
		               p->reason[i].count, p->combinations, row->skip.text,
		               p->reason[i].count > 1 ? " (and the like)" : "");
		session_warn(s, "preflight", text);
	}
}

static uint64_t results_bytes(const struct session *s)
{
	const struct plan *p = s->prepared->plan;
	uint64_t left = p->runs;
	double share;

	for (size_t i = 0; i < s->states && left; i++)
		left -= session_final(s, &s->state[i]);
	share = p->runs ? (double)left / (double)p->runs : 0;
	return left * RUN_BYTES + (uint64_t)(share * p->estimate_s * SECOND_BYTES);
}

static void say_space(struct session *s)
{
	uint64_t need = results_bytes(s), left;
	char need_text[32], left_text[32], text[PATH_MAX];
	struct statvfs vfs;

	if (statvfs(s->db_path, &vfs) || !vfs.f_blocks)
		return;
	left = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	if (left >= need)
		return;
	(void)snprintf(text, sizeof(text),
	               "the results may not fit: about %s are to come, %s are free on the file "
	               "system of %.3000s",
	               print_bytes(need_text, sizeof(need_text), need),
	               print_bytes(left_text, sizeof(left_text), left), s->db_path);
	session_warn(s, "preflight", text);
}

/* --- what is asked --- */

static size_t ask_index(const struct job *job, bool writes)
{
	return ((job->filename * ENGINE_COUNT + job->ioengine) * 2 + (job->direct != 0)) * 2 +
	       writes;
}

static bool asks(const struct job *job, bool writes)
{
	return writes ? rw_writes_data(job->rw) : rw_reads(job->rw);
}

static void note(struct ask *a, uint64_t index, uint64_t bs)
{
	if (!a->rows || bs < a->bs[SMALLEST]) {
		a->bs[SMALLEST] = bs;
		a->row[SMALLEST] = index;
	}
	if (!a->rows || bs > a->bs[LARGEST]) {
		a->bs[LARGEST] = bs;
		a->row[LARGEST] = index;
	}
	a->rows++;
}

static bool has_target(const struct job *job)
{
	return !(engine_ops(job->ioengine)->caps & ENGINE_NO_TARGET);
}

static void gather(struct session *s)
{
	const struct plan *p = s->prepared->plan;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	char why[256]; /* said when its turn comes */

	for (uint64_t i = 0; i < p->runs; i++) {
		plan_row(p, i, row);
		if (row->skip.skipped || !has_target(&row->job) ||
		    session_final(s, session_state(s, row)) ||
		    wear_forbids(s, &row->job, 0, why, sizeof(why)))
			continue;
		for (int writes = 0; writes < 2; writes++)
			if (asks(&row->job, writes))
				note(&s->preflight->ask[ask_index(&row->job, writes)], i,
				     row->job.bs);
	}
}

/* --- trying it --- */

/* The row as one I/O of one job: as its kind is done, without what its own axes add. */
static void one_io(struct plan_row *row, bool writes)
{
	struct job *job = &row->job;

	job->rw = writes ? RW_WRITE : RW_READ;
	job->numjobs = job->iodepth = 1;
	job->size = job->io_size = row->raw_size = job->bs;
	job->time_based = 0;
	job->ramp_time = 0;
	job->runtime = AXIS_UNSET;
	job->offset_increment = job->number_ios = job->rw_step = 0;
	job->bssplit = AXIS_UNSET;
	job->fsync = job->fdatasync = 0;
	job->end_fsync = writes && !job->direct; /* nothing stays dirty for the first run */
	job->nice = 0;
	job->prioclass = PRIOCLASS_NONE;
	job->prio = AXIS_UNSET;
	job->hipri = job->sqthread_poll = job->uncached = 0;
	job->fixedbufs = job->registerfiles = AXIS_UNSET;
	row->text.of[AXIS_cpus_allowed] = NULL;
}

/* Errors that the next attempt will meet as well. */
static bool lasting(int error)
{
	static const int known[] = { EINVAL, EOPNOTSUPP, ENOSYS, EPERM,
		                     EACCES, EROFS,      ENXIO,  ENODEV };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (error == known[i])
			return true;
	return false;
}

struct attempt {
	int error; /* positive errno; 0: it worked */
	bool hung;
	char text[400];
};

static void try_row(struct session *s, struct plan_row *row, struct attempt *a)
{
	struct task_watch w = session_watch(s);
	struct err e = { 0 };
	const struct shared *sh;
	enum task_end end = END_CRASHED;

	*a = (struct attempt){ 0 };
	if (!supervisor_ready(&s->supervisor, &e)) {
		struct run_spec *spec = s->supervisor.shared->spec;

		s->supervisor.shared->kind = TASK_RUN;
		outcome_spec(s, row, spec);
		spec->drop_cache = spec->pre_read = spec->flush = false;
		w.stall_timeout_ns = prepared_patience(s->prepared->sweep);
		end = session_do(s, &w, &e);
	}
	sh = s->supervisor.shared;
	if (end == END_CRASHED || end == END_STALLED) {
		a->error = e.code ? -e.code : EIO;
		a->hung = end == END_STALLED;
		(void)snprintf(a->text, sizeof(a->text), "%.399s", e.text);
	} else if (end == END_DONE && sh->result) {
		a->error = -sh->result;
		(void)snprintf(a->text, sizeof(a->text), "%.399s", sh->err.text);
	} else if (end == END_DONE && sh->sample.first_error.error) {
		a->error = sh->sample.first_error.error;
		outcome_io_error(&sh->sample.first_error, a->text, sizeof(a->text));
		outcome_add_target(s, &row->job, sh->sample.first_error.target, a->text,
		                   sizeof(a->text));
	}
}

static void say_failed(struct session *s, const struct plan_row *row, const struct attempt *a)
{
	char text[PATH_MAX + 600], bs[32];

	(void)snprintf(text, sizeof(text), "%s with %s, direct=%d, %s of %s: %s; %s",
	               row->filename, engine_name(row->job.ioengine), row->job.direct != 0,
	               rw_name(row->job.rw), print_size(bs, sizeof(bs), row->job.bs), a->text,
	               lasting(a->error) ? "such rows are skipped"
	                                 : "such rows are tried all the same");
	session_warn(s, "preflight", text);
}

/* False: the target hangs, or we are to stop: nothing more is asked of it. */
static bool try_ask(struct session *s, struct ask *ask, bool writes)
{
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	AUTO(freep) struct attempt *a = xcalloc(1, sizeof(*a));

	for (int end = 0; end < ENDS; end++) {
		if (!ask->rows || (end == LARGEST && ask->bs[LARGEST] == ask->bs[SMALLEST]))
			continue;
		plan_row(s->prepared->plan, ask->row[end], row);
		one_io(row, writes);
		try_row(s, row, a);
		if (session_stopping(s))
			return false;
		if (!a->error)
			continue;
		say_failed(s, row, a);
		for (unsigned k = 0; a->hung && k < session_members(s, row->job.filename); k++)
			session_member(s, row->job.filename, k)->hang.suspected = true;
		if (a->hung)
			return false;
		ask->error[end] = lasting(a->error) ? a->error : 0;
		(void)snprintf(ask->text[end], sizeof(ask->text[end]), "%s", a->text);
	}
	return true;
}

static struct ask *asks_of(const struct session *s, size_t target, size_t *n)
{
	*n = (size_t)ENGINE_COUNT * 2 * 2;
	return &s->preflight->ask[target * *n];
}

static bool used(const struct session *s, size_t target)
{
	size_t n;
	const struct ask *ask = asks_of(s, target, &n);

	for (size_t i = 0; i < n; i++)
		if (ask[i].rows)
			return true;
	return false;
}

static void try_target(struct session *s, size_t target)
{
	size_t n;
	struct ask *ask = asks_of(s, target, &n);

	(void)snprintf(s->what, sizeof(s->what), "%s", s->target[target].info.filename);
	progress_begin(&s->progress);
	for (size_t i = 0; i < n; i++)
		if (!try_ask(s, &ask[i], i % 2))
			return;
}

static bool is_there(const struct session *s, size_t target)
{
	for (unsigned k = 0; k < session_members(s, target); k++) {
		const struct target_info *t = &session_member(s, target, k)->info;

		if (t->kind != TARGET_BLOCK && (t->kind != TARGET_FILE || t->ours))
			return false;
	}
	return true;
}

/* With --until or --for, what takes long to make is made when its turn comes, if it does. */
static bool soon_made(const struct session *s, size_t target)
{
	return costs_layout_ns(&s->costs, session_layout_bytes(s, target)) <=
	       deadline_left_ns(&s->deadline) / 10;
}

/* What is there is tried before what must be made, which may take long. */
static void try_targets(struct session *s)
{
	for (size_t i = 0; i < s->prepared->world.targets && !session_stopping(s); i++)
		if (used(s, i) && is_there(s, i))
			try_target(s, i);
	for (size_t i = 0; i < s->prepared->world.targets && !session_stopping(s); i++) {
		bool tried = is_there(s, i);
		const struct session_target *t;

		if (!used(s, i) || !soon_made(s, i))
			continue;
		session_target_make(s, i);
		t = session_target_of(s, i);
		if (t->state == TARGET_FAILED)
			session_warn(s, "preflight", t->text);
		else if (!tried && !session_stopping(s))
			try_target(s, i);
	}
}

void session_preflight(struct session *s)
{
	const struct world *w = &s->prepared->world;
	bool needed = false;

	if (!s->states) /* else it was said when the sweep began */
		say_skipped(s);
	say_space(s);
	for (size_t i = 0; i < w->targets; i++)
		needed |= w->target[i].kind != TARGET_NOT_NEEDED &&
		          w->target[i].kind != TARGET_SET &&
		          w->target[i].kind != TARGET_SIMULATED;
	if (!needed)
		return;
	s->preflight = xcalloc(1, sizeof(*s->preflight));
	s->preflight->ask =
	    xcalloc(w->targets * ENGINE_COUNT * 2 * 2, sizeof(*s->preflight->ask));
	gather(s);
	try_targets(s);
	progress_clear(&s->progress);
}

/* What fails at both ends with one errno fails between them as well. */
static int verdict(const struct ask *a, uint64_t bs, const char **why)
{
	for (int end = 0; end < ENDS; end++)
		if (a->error[end] &&
		    (bs == a->bs[end] || a->error[SMALLEST] == a->error[LARGEST])) {
			*why = a->text[end];
			return a->error[end];
		}
	return 0;
}

int preflight_verdict(const struct session *s, const struct job *job, char *text, size_t size)
{
	const char *why = "";
	int error = 0;

	for (int writes = 0; writes < 2 && s->preflight && !error; writes++)
		if (has_target(job) && asks(job, writes))
			error =
			    verdict(&s->preflight->ask[ask_index(job, writes)], job->bs, &why);
	if (error)
		(void)snprintf(text, size, "tried before the first run: %s", why);
	return error;
}
