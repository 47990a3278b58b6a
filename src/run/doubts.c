#include "run/doubts.h"

#include "base/units.h"
#include "model/metrics.h"

static uint64_t total_ios(const struct sample *s)
{
	return s->op[OP_READ].ios + s->op[OP_WRITE].ios + s->op[OP_TRIM].ios;
}

/* Do several jobs write the same blocks at the same time? Sequential jobs that each start at a
 * slice of their own do not, as long as they keep pace. */
static bool overlaps(const struct run_spec *spec)
{
	const struct job *j = &spec->job;

	if (!rw_writes(j->rw) || j->numjobs < 2 || spec->directory)
		return false;
	if (j->offset_increment >= spec->region_bytes && j->offset_increment)
		return false;
	return rw_random(j->rw) || j->job_offset == JOB_OFFSET_SAME || j->offset_increment;
}

static bool small_region(const struct sample *s, uint64_t memory_bytes)
{
	uint64_t bytes = s->op[OP_READ].bytes + s->op[OP_WRITE].bytes;
	uint64_t limit = memory_bytes > 4 * GIB ? memory_bytes : 4 * GIB;

	return s->region_bytes && s->region_bytes < limit && bytes > s->region_bytes;
}

uint64_t doubts_eval(const struct run_spec *spec, const struct sample *s,
                     const struct target_info *t, uint64_t memory_bytes)
{
	const struct job *j = &spec->job;
	uint64_t bits = 0, ios = total_ios(s), want = j->numjobs * j->iodepth;
	bool real = !(engine_ops(j->ioengine)->caps & ENGINE_NO_TARGET);

	if (t->unwritten && rw_reads(j->rw) && real)
		bits |= FLAG_BIT(unwritten);
	if (j->time_based && ios < 3 * want)
		bits |= FLAG_BIT(short_window);
	if (s->jobs_idle && ios)
		bits |= FLAG_BIT(partial_job);
	if (metric_few_samples(s, metric_ops(s, j, !s->first_error.error)))
		bits |= FLAG_BIT(few_samples);
	if (j->time_based && s->window_ns && s->jobs &&
	    (double)s->inflight_ns <
	        0.9 * (double)j->iodepth * (double)s->window_ns * (double)s->jobs)
		bits |= FLAG_BIT(depth_not_reached);
	if (overlaps(spec) && real)
		bits |= FLAG_BIT(overlapping_offsets);
	if (real && small_region(s, memory_bytes))
		bits |= FLAG_BIT(small_region);
	if (real && !s->device.valid)
		bits |= FLAG_BIT(unverified);
	return bits;
}
