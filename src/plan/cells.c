#include "plan/cells.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "plan/effective.h"
#include "stat/stopping.h"

/* --- expected time --- */

/* A steady device satisfies the first look; without a pilot two in a row are needed. */
static uint64_t first_end_ns(const struct sweep *s)
{
	return (uint64_t)(stat_look_s[s->pilot ? 0 : 1] * 1e9);
}

uint64_t job_expected_ns(const struct sweep *s, const struct job *job)
{
	uint64_t ns = job_ns(job), discard = (uint64_t)(STAT_DISCARD_S * 1e9), early;

	if (!ns)
		return 0;
	early = (job->ramp_time > discard ? job->ramp_time : discard) + first_end_ns(s);
	if (s->precision > 0 && !job_paced(job) && early < ns)
		ns = early;
	return ns + job_idle_ns(s, job);
}

/* --- blocks and classes --- */

struct finder {
	struct plan *p;
	size_t *block; /* by target and rw: index + 1 in p->block, 0: none */
	uint64_t *seen;
};

static struct plan_block *block_of(const struct finder *f, const struct job *job)
{
	size_t *at = &f->block[job->filename * RW_COUNT + job->rw];
	struct plan *p = f->p;

	if (!*at) {
		p->block = xrealloc(p->block, p->blocks + 1, sizeof(*p->block));
		p->block[p->blocks] =
		    (struct plan_block){ .target = job->filename, .rw = job->rw };
		*at = ++p->blocks;
	}
	return &p->block[*at - 1];
}

static struct plan_class *class_of(struct plan *p, const struct job *job, uint64_t combination)
{
	for (size_t i = 0; i < p->classes; i++) {
		struct plan_class *c = &p->class[i];

		if (c->target == job->filename && c->ioengine == job->ioengine &&
		    c->rw == job->rw && c->direct == job->direct)
			return c;
	}
	p->class = xrealloc(p->class, p->classes + 1, sizeof(*p->class));
	p->class[p->classes] = (struct plan_class){
		.target = job->filename,
		.ioengine = job->ioengine,
		.rw = job->rw,
		.direct = job->direct,
		.bs = { job->bs, job->bs },
		.cell = { combination, combination },
	};
	return &p->class[p->classes++];
}

static uint64_t in_flight(const struct job *job)
{
	return job->numjobs * job->iodepth;
}

/* Is it a better pilot at this end of the block sizes than the one so far? */
static bool better(const struct plan *p, const struct plan_class *c, unsigned end,
                   const struct job *job)
{
	struct job so_far;

	if (job->bs != c->bs[end])
		return end ? job->bs > c->bs[end] : job->bs < c->bs[end];
	(void)plan_runs(p, c->cell[end], &so_far);
	return in_flight(job) > in_flight(&so_far);
}

static void add_to_class(struct plan *p, const struct job *job, uint64_t combination)
{
	struct plan_class *c = class_of(p, job, combination);

	for (unsigned end = 0; end < 2; end++)
		if (better(p, c, end, job)) {
			c->bs[end] = job->bs;
			c->cell[end] = combination;
		}
	c->pilots = c->bs[0] == c->bs[1] ? 1 : 2;
}

static void look_at_all(struct finder *f, bool sentinels)
{
	struct plan *p = f->p;
	struct job job;

	for (uint64_t i = 0; i < p->combinations; i++) {
		struct plan_block *b;

		if (!plan_runs(p, i, &job))
			continue;
		if (p->sweep->pilot)
			add_to_class(p, &job, i);
		if (!sentinels)
			continue;
		b = block_of(f, &job);
		b->cells++;
		b->rows_ns += (job_ns(&job) + job_idle_ns(p->sweep, &job)) * p->sweep->repeats;
	}
}

/* In listed order, which the combinations' numbers are. */
static void find_middles(struct finder *f)
{
	struct plan *p = f->p;
	struct job job;

	f->seen = xcalloc(p->blocks, sizeof(*f->seen));
	for (uint64_t i = 0; i < p->combinations; i++) {
		size_t b;

		if (!plan_runs(p, i, &job))
			continue;
		b = f->block[job.filename * RW_COUNT + job.rw] - 1;
		if (f->seen[b]++ == p->block[b].cells / 2)
			p->block[b].cell = i;
	}
	free(f->seen);
}

/* --- their time --- */

static void add_time(struct plan *p, const struct job *job, double all_s, double expected_s)
{
	p->estimate_s += all_s;
	p->expected_s += expected_s;
	if (job_simulated(job))
		p->simulated_s += all_s;
	else if (rw_writes_data(job->rw))
		p->write_s += all_s;
}

static void add_sentinels(struct plan *p, struct plan_block *b)
{
	double n, each_s;
	struct job job;

	(void)plan_runs(p, b->cell, &job);
	b->sentinels = 1 + b->rows_ns / p->sweep->sentinel_ns;
	n = (double)b->sentinels;
	each_s = (double)(job_ns(&job) + job_idle_ns(p->sweep, &job)) / 1e9;
	p->sentinels += b->sentinels;
	p->sentinel_s += n * each_s;
	add_time(p, &job, n * each_s, n * (double)job_expected_ns(p->sweep, &job) / 1e9);
	if (rw_writes_data(job.rw) && job_has_target(&job))
		p->need[b->target].write_ns += b->sentinels * job_ns(&job);
}

static void add_pilots(struct plan *p, const struct plan_class *c)
{
	const struct sweep *s = p->sweep;
	uint64_t busy = s->pilot_ns + pilot_again_ns(s);
	double each_s = (double)(busy + pilot_pause_ns(s)) / 1e9;
	struct job job;

	(void)plan_runs(p, c->cell[0], &job);
	p->pilots += c->pilots;
	p->pilot_s += c->pilots * each_s;
	add_time(p, &job, c->pilots * each_s, c->pilots * each_s);
	if (rw_writes_data(job.rw) && job_has_target(&job))
		p->need[c->target].write_ns += c->pilots * busy;
}

void plan_cells(struct plan *p)
{
	const struct sweep *s = p->sweep;
	bool sentinels =
	    s->sentinel_ns && (!s->sentinel_long || p->estimate_s > SENTINEL_SWEEP_S);
	struct finder f = { .p = p };

	if (!sentinels && !s->pilot)
		return;
	f.block = xcalloc(p->world->targets * RW_COUNT, sizeof(*f.block));
	look_at_all(&f, sentinels);
	if (sentinels)
		find_middles(&f);
	free(f.block);
	for (size_t i = 0; i < p->blocks; i++)
		add_sentinels(p, &p->block[i]);
	for (size_t i = 0; i < p->classes; i++)
		add_pilots(p, &p->class[i]);
}
