#include "cmd/written.h"

#include "base/cleanup.h"
#include "cmd/session_set.h"
#include "model/metrics.h"

/* Of runs on it alone, and on it and others. */
static const char runs_sql[] =
    "SELECT max(n) FROM (SELECT max(r.written_before_bytes + r.written_bytes) AS n FROM run r "
    "JOIN combination c ON c.id = r.combination_id WHERE c.filename = ?1 AND r.environment_id "
    "> "
    "0 UNION ALL SELECT max(t.written_bytes) FROM target_result t JOIN run r ON r.id = "
    "t.run_id WHERE t.filename = ?1 AND r.environment_id > 0)";
static const char made_sql[] = "SELECT total(size) FROM created WHERE dev AND (path = ?1 OR "
			       "substr(path, 1, length(?1) + 1) = ?1 || '/')";

static uint64_t ask(const struct session *s, const char *sql, const char *name)
{
	AUTO(rows_closep) struct rows *r = NULL;

	if (rows_open(&r, s->store, sql, NULL))
		return 0;
	rows_bind_text(r, 1, name);
	return rows_next(r, NULL) == 1 && !rows_null(r, 0) ? (uint64_t)rows_int(r, 0) : 0;
}

/* The last run that has numbers knows it, or, before there is any, the files that were made. A
 * single target has all that was ever written, also by runs without numbers. */
void written_begin(struct session *s)
{
	const struct prepared *p = s->prepared;
	size_t used = 0, last = 0;

	if (!p->resuming)
		return;
	for (size_t i = 0; i < p->world.targets; i++) {
		struct session_target *t = &s->target[i];

		if (!p->plan->need[i].used)
			continue;
		used++;
		last = i;
		t->written_bytes = ask(s, runs_sql, t->info.filename);
		if (!t->written_bytes)
			t->written_bytes = ask(s, made_sql, t->info.path);
	}
	if (used == 1 && s->wear.written > s->target[last].written_bytes)
		s->target[last].written_bytes = s->wear.written;
}

/* Of the bytes of a run those that were written. */
static uint64_t share(const struct job *job, const struct sample *sample, uint64_t bytes)
{
	double part = rw_trims_first(job->rw) ? 0.5 : 1 - (double)job->rwmixread / 100, all;

	if (!rw_reads(job->rw) && !rw_trims(job->rw))
		return bytes;
	if (sample) {
		all = (double)sample->op[OP_READ].bytes + (double)sample->op[OP_WRITE].bytes +
		      (double)sample->op[OP_TRIM].bytes;
		if (all > 0)
			part = (double)sample->op[OP_WRITE].bytes / all;
	}
	return (uint64_t)((double)bytes * part);
}

/* Each of several has its share of all that they did. */
static uint64_t share_of(const struct sample *sample, unsigned k, unsigned n, uint64_t bytes)
{
	if (n == 1)
		return bytes;
	if (!sample || !sample->op[OP_WRITE].bytes)
		return bytes / n;
	return (uint64_t)((double)bytes * (double)sample->target[k].bytes[OP_WRITE] /
	                  (double)sample->op[OP_WRITE].bytes);
}

void written_run(struct session *s, struct outcome *o, bool done)
{
	const struct job *job = &o->row.job;
	const unsigned n = session_members(s, job->filename);
	uint64_t before = 0;
	struct sample *sample = o->record.sample ? &s->supervisor.shared->sample : NULL;
	uint64_t bytes =
	    done ? atomic_load_explicit(&s->supervisor.shared->live.bytes, memory_order_relaxed)
		 : s->progress.last_bytes;
	bool nowhere = engine_ops(job->ioengine)->caps & ENGINE_NO_TARGET &&
	               !(engine_ops(job->ioengine)->caps & ENGINE_SIMULATED);

	bytes = nowhere || !rw_writes_data(job->rw) ? 0 : share(job, sample, bytes);
	for (unsigned k = 0; k < n; k++) {
		struct session_target *t = session_member(s, job->filename, k);

		before += t->written_bytes;
		if (rw_trims(job->rw) && !rw_writes_data(job->rw)) {
			t->info.unwritten = true; /* reads of it meet nothing */
			t->info.zero_pct = -1;
		}
		t->written_bytes += share_of(sample, k, n, bytes);
		if (sample)
			sample->target[k].written_bytes = t->written_bytes;
	}
	if (sample) {
		sample->written_before_bytes = nowhere ? WRITTEN_NOWHERE : before;
		sample->written_bytes = bytes;
	}
}
