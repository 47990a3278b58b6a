/* plan/effective.h: from a combination as configured to the values that run. */
#ifndef PLAN_EFFECTIVE_H
#define PLAN_EFFECTIVE_H

#include "model/sweep.h"
#include "model/world.h"

/* Fill in what was left open and can be known: the engine, the ramp, size and offset in bytes;
 * with bssplit bs is the largest of its sizes. A size that cannot be known (no target to take it
 * from) stays as it was; size_known() tells. Of several targets at once it is that of the
 * smallest. Nothing is collapsed yet. */
void job_resolve(const struct world *w, const struct sweep *sweep, struct job *job);

/* The sizes of its I/Os. False: all have job->bs. */
bool job_mix(const struct sweep *sweep, const struct job *job, struct size_mix mix[SIZES_COUNT]);

/* The size of a job, as configured, on one target: in bytes where it can be known. */
uint64_t size_on(const struct target_info *t, const struct job *job);

/* The part of job_resolve() that asks no target: sizes, and what follows from the other values. mix: of the bssplit, or
 * NULL. bs becomes the largest of the sizes; when all that are used are one, there is no bssplit. Returns the smallest,
 * in bytes. The values of job are taken apart (job_take_apart()), its pattern is known. */
uint64_t job_settle(struct job *job, const struct size_mix *mix);

/* Set what makes no difference to one value, so that rows that would do the same compare equal.
 */
void job_collapse(const struct world *w, struct job *job);
/* The same where it is known whether each job has a file of its own in a directory, on every target. */
void job_collapse_on(struct job *job, bool directory);

/* The engine that is used when none is named: the first usable of io_uring, libaio, psync
 * (psync if none is). */
uint64_t engine_default(const struct world *w);

static inline bool size_known(const struct job *job)
{
	return !(job->size & SIZE_PERCENT); /* AXIS_UNSET has that bit too */
}
static inline bool offset_known(const struct job *job)
{
	return !(job->offset & SIZE_PERCENT);
}
static inline bool job_has_target(const struct job *job)
{
	return !(engine_ops(job->ioengine)->caps & ENGINE_NO_TARGET);
}
static inline bool job_simulated(const struct job *job)
{
	return engine_ops(job->ioengine)->caps & ENGINE_SIMULATED;
}

/* ramp + runtime in ns; 0 when only the size ends the run. */
uint64_t job_ns(const struct job *job);
/* Idle time that goes with one run: before it, and after it. */
static inline uint64_t job_idle_ns(const struct sweep *s, const struct job *job)
{
	return s->pause_ns + job->startdelay;
}

#endif
