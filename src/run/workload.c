#include "run/workload.h"

#include <errno.h>
#include <inttypes.h>

_Static_assert(OP_READ == 0 && OP_WRITE == 1, "workload.next[] is indexed by them");

static uint64_t room(const struct run_spec *spec)
{
	bool targetless = engine_ops(spec->job.ioengine)->caps & ENGINE_NO_TARGET;

	return targetless ? UINT64_MAX : spec->target_bytes;
}

int workload_region(struct region *r, const struct run_spec *spec, unsigned job, struct err *e)
{
	uint64_t bs = spec->job.bs, end, len, start;

	if (__builtin_mul_overflow(spec->job.offset_increment, (uint64_t)job, &start))
		return err_set(e, -EOVERFLOW,
		               "offset_increment: job %u would start beyond 2^64 bytes", job);
	end = room(spec);
	len = start < end ? end - start : 0;
	if (len > spec->region_bytes)
		len = spec->region_bytes;
	*r = (struct region){ .start = start, .blocks = bs ? len / bs : 0 };
	if (!r->blocks)
		return err_set(e, -EINVAL,
		               "job %u: not one block of %" PRIu64
		               " bytes fits: its region starts at byte %" PRIu64
		               " and has %" PRIu64 " bytes",
		               job, bs, start, len);
	return 0;
}

uint64_t workload_bytes(const struct run_spec *spec)
{
	uint64_t covered = 0, end = 0;
	struct region r = { 0 };

	for (unsigned i = 0; i < spec->job.numjobs; i++) {
		uint64_t bytes, from;

		if (workload_region(&r, spec, i, NULL))
			return 0;
		bytes = r.blocks * spec->job.bs;
		from = r.start > end || spec->directory ? r.start : end;
		if (r.start + bytes > from)
			covered += r.start + bytes - from;
		end = r.start + bytes > end ? r.start + bytes : end;
	}
	return covered;
}

uint64_t workload_seed(const struct run_spec *spec, unsigned job, enum workload_stream stream)
{
	uint64_t state = spec->seed;

	state = rng_splitmix(&state) ^ ((uint64_t)job << 8 | stream);
	return rng_splitmix(&state);
}

/* I/Os of one job in size mode: io_size, or one pass. */
static uint64_t amount(const struct job *job, uint64_t blocks)
{
	if (job->time_based)
		return UINT64_MAX;
	if (job->io_size == AXIS_UNSET)
		return blocks;
	return job->io_size / job->bs ? job->io_size / job->bs : 1;
}

int workload_init(struct workload *w, const struct run_spec *spec, unsigned job, struct err *e)
{
	const struct job *j = &spec->job;
	struct region r = { 0 };
	int err = workload_region(&r, spec, job, e);

	if (err)
		return err;
	*w = (struct workload){
		.start = r.start, .blocks = r.blocks, .bs = j->bs, .random = rw_random(j->rw)
	};
	w->left = amount(j, r.blocks);
	w->mixed = rw_mixed(j->rw) && j->rwmixread > 0 && j->rwmixread < 100;
	if (rw_mixed(j->rw))
		w->read_below = (j->rwmixread << 32) / 100;
	else
		w->read_below = rw_reads(j->rw) ? UINT64_C(1) << 32 : 0;
	if (j->job_offset == JOB_OFFSET_SPLIT && !j->offset_increment && !spec->directory)
		w->next[0] = w->next[1] =
		    (uint64_t)((unsigned __int128)r.blocks * job / j->numjobs);
	permute_init(&w->order, r.blocks, workload_seed(spec, job, STREAM_ORDER));
	rng_seed(&w->direction, workload_seed(spec, job, STREAM_DIRECTION));
	return 0;
}
