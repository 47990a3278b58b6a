#include "plan/effective.h"

#include "base/cleanup.h"
#include "base/units.h"
#include "model/direction.h"

uint64_t engine_default(const struct world *w)
{
	static const enum engine_id choice[] = { ENGINE_IO_URING, ENGINE_LIBAIO, ENGINE_PSYNC };

	for (size_t i = 0; i < ARRAY_SIZE(choice); i++)
		if (w->engine[choice[i]].usable)
			return choice[i];
	return ENGINE_PSYNC;
}

uint64_t job_ns(const struct job *job)
{
	return job->runtime == AXIS_UNSET ? 0 : job->ramp_time + job->runtime;
}

static uint64_t percent_of(uint64_t bytes, uint64_t value)
{
	return (uint64_t)((unsigned __int128)bytes * (value & ~SIZE_PERCENT) / 100);
}

uint64_t size_on(const struct target_info *t, const struct job *job)
{
	bool simulated = t->kind == TARGET_SIMULATED,
	     exists = t->kind == TARGET_FILE || t->kind == TARGET_BLOCK || simulated;

	if (!exists || size_known(job))
		return job->size;
	if (job->size != AXIS_UNSET)
		return percent_of(t->size_bytes, job->size);
	if (!job_has_target(job) && !simulated)
		return job->size;
	return t->size_bytes > job->offset ? t->size_bytes - job->offset : 0;
}

/* As fio: up to a multiple of `unit`, the smallest I/O, or of what random offsets are multiples
 * of; of several targets in percent of the smallest. */
static void resolve_offset(const struct world *w, struct job *job, uint64_t unit)
{
	const unsigned n = target_members(&w->target[job->filename]);
	struct job whole = *job;
	uint64_t least = UINT64_MAX;

	whole.offset = 0;
	whole.size = AXIS_UNSET;
	if (job->blockalign != AXIS_UNSET)
		unit = job->blockalign;
	for (unsigned k = 0; k < n && !offset_known(job); k++) {
		uint64_t size = size_on(&w->target[world_member(w, job->filename, k)], &whole);

		if (size == AXIS_UNSET)
			return;
		least = size < least ? size : least;
	}
	if (!offset_known(job))
		job->offset = (percent_of(least, job->offset) + unit - 1) / unit * unit;
}

static void resolve_size(const struct world *w, struct job *job)
{
	const unsigned n = target_members(&w->target[job->filename]);
	uint64_t least = 0;

	for (unsigned k = 0; k < n; k++) {
		uint64_t size = size_on(&w->target[world_member(w, job->filename, k)], job);

		if (size & SIZE_PERCENT) /* as it was: unknown */
			return;
		if (!k || size < least)
			least = size;
	}
	job->size = least;
}

bool job_mix(const struct sweep *sweep, const struct job *job, struct size_mix mix[SIZES_COUNT])
{
	if (job->bssplit == AXIS_UNSET)
		return false;
	return !size_mix_parse(sweep_text(sweep, &axes[AXIS_bssplit], job->bssplit), mix, NULL);
}

uint64_t job_settle(struct job *job, const struct size_mix *mix)
{
	const struct size_span span = size_span(job, mix);

	job->bs = span.max;
	if (span.min == span.max)
		job->bssplit = AXIS_UNSET;
	job_defaults(job);
	return span.min;
}

void job_resolve(const struct world *w, const struct sweep *sweep, struct job *job)
{
	struct size_mix mix[SIZES_COUNT];
	uint64_t unit;

	if (job->ioengine == AXIS_UNSET)
		job->ioengine = engine_default(w);
	job_take_apart(job);
	unit = job_settle(job, job_mix(sweep, job, mix) ? mix : NULL);
	resolve_offset(w, job, unit);
	if (offset_known(job))
		resolve_size(w, job);
}

static void reset(struct job *job, enum axis_id a)
{
	*axis_slot(&axes[a], job) = axis_default_in(&axes[a], job);
}

/* What can only be said to some engines: 0 is how the others are anyway. */
static void collapse_engine(unsigned caps, struct job *job)
{
	if (!(caps & ENGINE_ASYNC)) {
		job->iodepth = 1;
		job->profile = PROFILE_MAX; /* what it said of job_offset is resolved */
	}
	if (!(caps & ENGINE_REGISTERS) && job->fixedbufs == 0)
		reset(job, AXIS_fixedbufs);
	if (!(caps & ENGINE_REGISTERS) && job->registerfiles == 0)
		reset(job, AXIS_registerfiles);
	if (caps & ENGINE_ASYNC)
		return;
	reset(job, AXIS_iodepth_batch_submit);
	reset(job, AXIS_iodepth_batch_complete_min);
	reset(job, AXIS_iodepth_batch_complete_max);
}

/* More than the depth is all of it, and so are 0 and what no call exceeds: one value for them.
 */
static void collapse_batch(struct job *job, enum axis_id a)
{
	uint64_t *value = axis_slot(&axes[a], job), usual = axis_default_in(&axes[a], job);
	uint64_t all = job->iodepth < AXIS_BATCH_MAX ? job->iodepth : AXIS_BATCH_MAX;

	if (*value && *value < all)
		return;
	*value = usual < all ? 0 : usual;
}

/* What is written, from the strongest word to the weakest; 0 and none are how it is anyway. */
static void collapse_data(unsigned caps, struct job *job)
{
	bool mixed;

	if (!rw_writes_data(job->rw) || caps & ENGINE_NO_TARGET) {
		reset(job, AXIS_buffer_pattern);
		reset(job, AXIS_buffer_compress_percentage);
		reset(job, AXIS_dedupe_percentage);
	}
	if (!job->buffer_compress_percentage || job->buffer_compress_percentage == 100)
		reset(job, AXIS_buffer_compress_chunk);
	mixed = job->buffer_compress_percentage || job->dedupe_percentage;
	if (mixed && !job->buffer_compress_percentage) /* nothing of it is the pattern */
		reset(job, AXIS_buffer_pattern);
	if (mixed || job->buffer_pattern != AXIS_UNSET) {
		reset(job, AXIS_zero_buffers);
		reset(job, AXIS_refill_buffers);
	}
}

/* One way to write each I/O priority. */
static void collapse_priority(unsigned caps, struct job *job)
{
	if (caps & ENGINE_NO_TARGET) {
		reset(job, AXIS_prioclass);
		reset(job, AXIS_prio);
	}
	if (job->prioclass == PRIOCLASS_IDLE)
		reset(job, AXIS_prio);
	else if (job->prioclass && job->prio == AXIS_UNSET)
		job->prio = 0;
	else if (!job->prioclass && job->prio != AXIS_UNSET)
		job->prioclass = PRIOCLASS_BEST_EFFORT;
}

/* What is said of the page cache, which direct I/O passes by, and of a file. */
static void collapse_file(unsigned caps, struct job *job)
{
	bool random = rw_random(job->rw);

	if (job->direct || caps & ENGINE_NO_TARGET) {
		reset(job, AXIS_invalidate);
		reset(job, AXIS_fadvise_hint);
		reset(job, AXIS_pre_read);
		reset(job, AXIS_uncached);
	}
	if (job->pre_read)
		reset(job, AXIS_invalidate);
	if (job->fadvise_hint == (random ? FADVISE_RANDOM : FADVISE_SEQUENTIAL))
		job->fadvise_hint = FADVISE_BY_RW;
	if (caps & (ENGINE_NO_TARGET | ENGINE_PAGE_CACHE))
		reset(job, AXIS_sync);
}

static void collapse_thinktime(struct job *job)
{
	static const enum axis_id parts[] = { AXIS_thinktime_spin, AXIS_thinktime_iotime,
		                              AXIS_thinktime_blocks };

	for (size_t i = 0; !job->thinktime && i < ARRAY_SIZE(parts); i++)
		reset(job, parts[i]);
	if (job->thinktime_spin > job->thinktime)
		job->thinktime_spin = job->thinktime;
}

/* A direction that is not there has no rate. Where both are there, rates say how they are
 * mixed. */
static void collapse_rate(struct job *job)
{
	static const enum axis_id rates[] = { AXIS_rate, AXIS_rate_iops };
	bool reads = job_does(job, OP_READ), writes = job_does(job, OP_WRITE);

	for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
		const struct axis *a = &axes[rates[i]];
		uint64_t *v = axis_slot(a, job);

		if (!writes)
			*v = direction_of(a, *v, OP_READ);
		else if (!reads)
			*v = direction_of(a, *v, OP_WRITE);
	}
	if (!job_rated(job))
		reset(job, AXIS_rate_process);
	else if (reads && writes)
		reset(job, AXIS_rwmixread);
}

/* Has each job a file of its own, on every target? */
static bool all_directories(const struct world *w, size_t target)
{
	for (unsigned k = 0; k < target_members(&w->target[target]); k++)
		if (w->target[world_member(w, target, k)].kind != TARGET_DIRECTORY)
			return false;
	return true;
}

/* What says where random I/Os go: nothing to sequential ones, and in part to each other. */
static void collapse_walk(struct job *job)
{
	bool random = rw_random(job->rw), plain = job->random_distribution == AXIS_UNSET;

	if (!random) {
		job->random_distribution = job->blockalign = AXIS_UNSET;
		job->percentage_random = 100;
	}
	if (random && job->rw_step == 1)
		job->rw_step = 0; /* each jumps */
	if (!random || !plain)
		job->norandommap = 0; /* other distributions repeat blocks anyway */
	if (job->bssplit == AXIS_UNSET && job->blockalign == job->bs)
		job->blockalign = AXIS_UNSET;
	if (!random && !rw_mixed(job->rw) && job->bssplit == AXIS_UNSET)
		job->randseed = AXIS_UNSET;
	if (job->randseed != AXIS_UNSET ||
	    (!random && !rw_mixed(job->rw) && job->bssplit == AXIS_UNSET))
		job->randrepeat = 1;
}

void job_collapse(const struct world *w, struct job *job)
{
	job_collapse_on(job, all_directories(w, job->filename));
}

void job_collapse_on(struct job *job, bool directory)
{
	collapse_engine(engine_ops(job->ioengine)->caps, job);
	if (job->iodepth_batch_complete_min > job->iodepth)
		job->iodepth_batch_complete_min = job->iodepth;
	collapse_batch(job, AXIS_iodepth_batch_submit);
	collapse_batch(job, AXIS_iodepth_batch_complete_max);
	if (job->cpus_allowed == AXIS_UNSET)
		reset(job, AXIS_cpus_allowed_policy);
	if (!rw_mixed(job->rw))
		reset(job, AXIS_rwmixread);
	if (rw_trims(job->rw) && !rw_writes_data(job->rw))
		reset(job, AXIS_direct); /* the cache gives way to a trim in any case */
	collapse_priority(engine_ops(job->ioengine)->caps, job);
	collapse_file(engine_ops(job->ioengine)->caps, job);
	collapse_rate(job);
	collapse_thinktime(job);
	collapse_data(engine_ops(job->ioengine)->caps, job);
	if (!rw_writes_data(job->rw)) {
		reset(job, AXIS_sync);
		reset(job, AXIS_fdatasync);
		reset(job, AXIS_fsync);
		reset(job, AXIS_end_fsync);
		reset(job, AXIS_zero_buffers);
		reset(job, AXIS_refill_buffers);
	}
	collapse_walk(job);
	if (rw_random(job->rw) || job->numjobs == 1 || directory)
		reset(job, AXIS_job_offset);
	if (job->numjobs == 1)
		reset(job, AXIS_offset_increment);
	if (job->time_based) {
		job->io_size = AXIS_UNSET;
		job->number_ios = 0;
	} else {
		job->ramp_time = 0;
	}
}
