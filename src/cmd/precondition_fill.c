/* What is written before the first run: passes over all blocks, rounds until they are steady.
 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cmd/precondition_private.h"
#include "stat/between.h"

#define ROUNDS_MAX 1000

static int cut(struct conditioner *c, const char *by)
{
	(void)snprintf(c->t->condition.always, sizeof(c->t->condition.always),
	               "preconditioning was cut off by %s", by);
	session_warn(c->s, "precondition", c->t->condition.always);
	return 1;
}

/* What the bounds leave for the next run: > 0 when that is nothing. */
static int bound(struct conditioner *c, struct job *job)
{
	const struct precondition *p = c->p;
	char why[256];

	if (p->max_time_ns && c->spent_ns >= p->max_time_ns)
		return cut(c, "max_time");
	if (p->max_bytes && c->spent_bytes + job->bs > p->max_bytes)
		return cut(c, "its max_write");
	if (p->max_time_ns && p->max_time_ns - c->spent_ns < job->runtime)
		job->runtime = p->max_time_ns - c->spent_ns;
	if (p->max_bytes) {
		uint64_t each = (p->max_bytes - c->spent_bytes) / job->numjobs;

		if (job->time_based || each < job->size)
			job->io_size = each;
		job->time_based = 0; /* then the bytes are a bound as well */
	}
	return wear_forbids(c->s, job, 0, why, sizeof(why)) ? cut(c, "max_write") : 0;
}

static int write_run(struct conditioner *c, const struct job *job, enum purpose purpose,
                     uint64_t number)
{
	int r = condition_run(c, job, purpose, number);

	if (r == -EINTR && c->s->wear.over && !c->s->signal)
		return cut(c, "max_write");
	if (r)
		return r;
	c->spent_ns += c->past.window_ns;
	c->spent_bytes += c->past.bytes;
	return 0;
}

/* Every block once: what a pass did not write was cut off. */
static int pass(struct conditioner *c, enum rw rw, uint64_t bs, uint64_t number)
{
	struct job job;
	uint64_t all;
	int r;

	condition_job(c, &job);
	job.rw = rw;
	job.time_based = 0;
	condition_finish_job(c, &job, bs);
	r = bound(c, &job);
	if (!r)
		r = write_run(c, &job, PURPOSE_FILL, number);
	if (r)
		return r;
	all = job.size / job.bs * job.bs * job.numjobs;
	if (c->past.bytes >= all)
		return 0;
	return cut(c, job.io_size != AXIS_UNSET && job.io_size < job.size ? "its max_write"
	                                                                  : "max_time");
}

int condition_passes(struct conditioner *c)
{
	uint64_t n = 0;
	int r = 0;

	for (uint64_t i = 0; i < c->p->sequential_passes && !r; i++)
		r = pass(c, RW_WRITE, c->p->sequential_bs, ++n);
	for (uint64_t i = 0; i < c->p->random_passes && !r; i++)
		r = pass(c, RW_RANDWRITE, c->p->random_bs, ++n);
	return r;
}

static void judge_rounds(struct conditioner *c, const struct stat_steady *st, unsigned n)
{
	char text[320];

	(void)snprintf(
	    text, sizeof(text),
	    "%.100s: %s after %u rounds: the last %d lie within %.1f %% of their mean, "
	    "their line rises "
	    "by %.1f %%",
	    c->t->info.filename, st->steady ? "steady" : "not steady", n, STAT_ROUNDS,
	    100 * st->excursion, 100 * st->rise);
	if (st->steady && c->ran)
		(void)store_event(c->s->store, 0, "info", "precondition", text, NULL);
	if (st->steady)
		return;
	(void)snprintf(
	    c->t->condition.always, sizeof(c->t->condition.always),
	    "preconditioning: not steady after %u rounds (range %.1f %%, rise %.1f %%)", n,
	    100 * st->excursion, 100 * st->rise);
	session_warn(c->s, "precondition", text);
}

int condition_rounds(struct conditioner *c)
{
	AUTO(freep) double *rate = xcalloc(ROUNDS_MAX, sizeof(*rate));
	struct stat_steady st = { 0 };
	unsigned n = 0;

	while (n < c->p->rounds && !st.steady) {
		struct job job;
		int r;

		condition_job(c, &job);
		job.rw = RW_RANDWRITE;
		job.time_based = 1;
		job.runtime = c->p->round_ns;
		condition_finish_job(c, &job, c->p->random_bs);
		r = bound(c, &job);
		if (!r)
			r = write_run(c, &job, PURPOSE_ROUND, n + 1);
		if (r)
			return r;
		rate[n++] = c->past.iops;
		stat_snia_steady(&st, rate, n);
	}
	if (n)
		judge_rounds(c, &st, n);
	return 0;
}
