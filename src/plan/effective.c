#include "plan/effective.h"

#include "base/cleanup.h"
#include "base/units.h"

uint64_t engine_default(const struct world *w)
{
	static const enum engine_id choice[] = { ENGINE_IO_URING, ENGINE_LIBAIO, ENGINE_PSYNC };

	for (size_t i = 0; i < ARRAY_SIZE(choice); i++)
		if (w->engine[choice[i]].usable)
			return choice[i];
	return ENGINE_PSYNC;
}

uint64_t ramp_default(const struct job *job)
{
	uint64_t fifth = job->runtime / 5;

	if (!job->time_based || job->runtime == AXIS_UNSET)
		return 0;
	return fifth < 2 * SEC ? fifth : 2 * SEC;
}

uint64_t job_ns(const struct job *job)
{
	return job->runtime == AXIS_UNSET ? 0 : job->ramp_time + job->runtime;
}

static void resolve_size(const struct target_info *t, struct job *job)
{
	bool exists = t->kind == TARGET_FILE || t->kind == TARGET_BLOCK;

	if (!exists || size_known(job))
		return;
	if (job->size != AXIS_UNSET)
		job->size = (uint64_t)((unsigned __int128)t->size_bytes *
		                       (job->size & ~SIZE_PERCENT) / 100);
	else if (job_has_target(job))
		job->size = t->size_bytes;
}

void job_resolve(const struct world *w, struct job *job)
{
	if (job->ioengine == AXIS_UNSET)
		job->ioengine = engine_default(w);
	if (job->ramp_time == AXIS_UNSET)
		job->ramp_time = ramp_default(job);
	resolve_size(&w->target[job->filename], job);
}

void job_collapse(const struct world *w, struct job *job)
{
	bool directory = w->target[job->filename].kind == TARGET_DIRECTORY;

	if (!(engine_ops(job->ioengine)->caps & ENGINE_ASYNC))
		job->iodepth = 1;
	if (!rw_mixed(job->rw))
		job->rwmixread = axis_default(&axes[AXIS_rwmixread]);
	if (!rw_writes(job->rw)) {
		job->fsync = axis_default(&axes[AXIS_fsync]);
		job->end_fsync = axis_default(&axes[AXIS_end_fsync]);
		job->zero_buffers = axis_default(&axes[AXIS_zero_buffers]);
		job->refill_buffers = axis_default(&axes[AXIS_refill_buffers]);
	}
	if (rw_random(job->rw) || job->numjobs == 1 || directory)
		job->job_offset = axis_default(&axes[AXIS_job_offset]);
	if (job->numjobs == 1)
		job->offset_increment = axis_default(&axes[AXIS_offset_increment]);
	if (job->time_based)
		job->io_size = AXIS_UNSET;
	else
		job->ramp_time = 0;
}
