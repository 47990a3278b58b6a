#include "cmd/sentinel.h"

#include "base/cleanup.h"

/* Ramp and window of what ran since the last sentinel; runs without numbers took their time,
 * too. */
static const char since_sql[] =
    "SELECT total(CASE WHEN r.window_ns IS NULL THEN ifnull(c.runtime_ns, 0) ELSE r.window_ns "
    "END "
    "+ ifnull(c.ramp_time_ns, 0)) FROM run r JOIN combination c ON c.id = r.combination_id "
    "WHERE "
    "r.id > ifnull((SELECT max(id) FROM run WHERE purpose = 'sentinel' AND status NOT IN "
    "('running', 'interrupted')), 0) AND r.purpose = 'grid' AND r.environment_id > 0 AND "
    "r.status "
    "IN ('ok', 'failed', 'timeout')";

void sentinel_begin(struct session *s)
{
	AUTO(rows_closep) struct rows *r = NULL;

	if (!rows_open(&r, s->store, since_sql, NULL) && rows_next(r, NULL) == 1)
		s->beside.since_ns = (uint64_t)rows_real(r, 0);
}

static const char runs_sql[] =
    "SELECT r.repeat, max(r.attempt), max(r.status NOT IN ('running', 'interrupted')) FROM run "
    "r "
    "JOIN combination c ON c.id = r.combination_id WHERE r.purpose = 'sentinel' AND "
    "lower(hex(c.key)) = ? GROUP BY r.repeat";

/* Of its block, in earlier calls. */
static void look_up(struct session *s, struct sentinel *n, const struct plan_row *cell)
{
	AUTO(rows_closep) struct rows *r = NULL;
	char hex[2 * KEY_BYTES + 1];

	n->known = true;
	n->attempt = 1;
	if (rows_open(&r, s->store, runs_sql, NULL))
		return;
	rows_bind_text(r, 1, key_hex(&cell->key, hex));
	while (rows_next(r, NULL) == 1) {
		if (rows_int(r, 2))
			n->runs++;
		else
			n->attempt = (uint64_t)rows_int(r, 1) + 1;
	}
}

static size_t block_of(const struct plan *p, const struct job *job)
{
	size_t i = 0;

	while (i < p->blocks &&
	       (p->block[i].target != job->filename || p->block[i].rw != job->rw))
		i++;
	return i;
}

bool sentinel_before(struct session *s, const struct plan_row *row, struct outcome *o)
{
	const struct plan *p = s->prepared->plan;
	size_t b = block_of(p, &row->job);
	struct sentinel *n;

	if (!s->beside.sentinel || b == p->blocks)
		return false;
	n = &s->beside.sentinel[b];
	if (n->known && n->runs && s->beside.since_ns < s->prepared->sweep->sentinel_ns)
		return false;
	plan_cell(p, p->block[b].cell, &o->row);
	if (!n->known)
		look_up(s, n, &o->row);
	if (n->runs && s->beside.since_ns < s->prepared->sweep->sentinel_ns)
		return false;
	o->row.repeat = n->runs + 1;
	o->purpose = PURPOSE_SENTINEL;
	o->attempt = n->attempt;
	return true;
}

void sentinel_ran(struct session *s, const struct outcome *o)
{
	const struct record *r = &o->record;
	const struct job *job = r->job;
	uint64_t runtime = job->runtime == AXIS_UNSET ? 0 : job->runtime;
	struct sentinel *n;

	if (!s->beside.sentinel || r->status == STATUS_INTERRUPTED)
		return;
	if (r->purpose == PURPOSE_GRID && r->status != STATUS_SKIPPED)
		s->beside.since_ns +=
		    job->ramp_time + (r->sample ? r->sample->window_ns : runtime);
	if (r->purpose != PURPOSE_SENTINEL)
		return;
	n = &s->beside.sentinel[block_of(s->prepared->plan, job)];
	n->runs++;
	n->attempt = 1;
	s->beside.since_ns = 0;
	s->beside.judge = r->run_id;
}
