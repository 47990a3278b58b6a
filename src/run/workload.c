#include "run/workload.h"

#include <errno.h>
#include <inttypes.h>

#include "base/divisor.h"

_Static_assert(OP_READ == 0 && OP_WRITE == 1 && OP_TRIM == 2,
               "workload.next[] is indexed by them");

static uint64_t room(const struct run_spec *spec)
{
	bool targetless = engine_ops(spec->job.ioengine)->caps & ENGINE_NO_TARGET;

	return targetless ? UINT64_MAX : spec->target_bytes;
}

/* --- sizes --- */

/* The sizes of the I/Os in one direction, SIZES_READ and so on; NULL: all have job.bs. */
static const struct size_mix *mix_of(const struct run_spec *spec, unsigned direction)
{
	return spec->sizes ? &spec->mix[direction] : NULL;
}

static struct size_span sizes(const struct run_spec *spec)
{
	return size_span(&spec->job, spec->sizes ? spec->mix : NULL);
}

uint64_t workload_bs_max(const struct run_spec *spec)
{
	return sizes(spec).max;
}

uint64_t workload_bs_mean(const struct run_spec *spec)
{
	const struct job *j = &spec->job;
	double reads = !rw_reads(j->rw) ? 0 : rw_mixed(j->rw) ? (double)j->rwmixread / 100 : 1;

	if (!spec->sizes)
		return j->bs;
	return (uint64_t)(reads * size_mix_mean(&spec->mix[SIZES_READ]) +
	                  (1 - reads) *
	                      size_mix_mean(
				  &spec->mix[rw_trims(j->rw) ? SIZES_TRIM : SIZES_WRITE]) +
	                  0.5);
}

uint64_t workload_grain(const struct run_spec *spec)
{
	uint64_t grain = greatest_divisor(spec->job.offset, spec->job.offset_increment);

	if (spec->job.blockalign != AXIS_UNSET)
		grain = greatest_divisor(grain, spec->job.blockalign);
	return greatest_divisor(grain, sizes(spec).grain);
}

/* --- regions --- */

int workload_region(struct region *r, const struct run_spec *spec, unsigned job, struct err *e)
{
	const struct size_span size = sizes(spec);
	uint64_t end, len, start;

	if (__builtin_mul_overflow(spec->job.offset_increment, (uint64_t)job, &start) ||
	    __builtin_add_overflow(spec->job.offset, start, &start))
		return err_set(e, -EOVERFLOW,
		               "offset_increment: job %u would start beyond 2^64 bytes", job);
	end = room(spec);
	len = start < end ? end - start : 0;
	if (len > spec->region_bytes)
		len = spec->region_bytes;
	*r = (struct region){ .start = start,
		              .bytes = size.grain ? len / size.grain * size.grain : 0 };
	if (!size.max || r->bytes < size.max)
		return err_set(e, -EINVAL,
		               "job %u: not one block of %" PRIu64
		               " bytes fits: its region starts at byte %" PRIu64
		               " and has %" PRIu64 " bytes",
		               job, size.max, start, len);
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
		bytes = r.bytes;
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

/* Bytes of one job in size mode: io_size, or one pass. */
static uint64_t amount(const struct job *job, uint64_t region)
{
	if (job->time_based)
		return UINT64_MAX;
	return job->io_size == AXIS_UNSET ? region : job->io_size;
}

/* ... and I/Os, where all have one size. */
static uint64_t count(const struct job *job, uint64_t bytes)
{
	uint64_t n = bytes / job->bs;

	if (bytes == UINT64_MAX)
		n = UINT64_MAX;
	return n ? n : 1;
}

static uint64_t at_most(uint64_t n, uint64_t limit)
{
	return limit && n > limit ? limit : n;
}

/* Where a job of a sequential pattern begins in a region that it shares. */
static uint64_t slice(const struct run_spec *spec, uint64_t units, unsigned job)
{
	const struct job *j = &spec->job;

	if (j->job_offset != JOB_OFFSET_SPLIT || j->offset_increment || spec->directory)
		return 0;
	return (uint64_t)((unsigned __int128)units * job / j->numjobs);
}

/* --- walks --- */

/* Whose sizes the I/Os of a walk have: trims go where writes would. */
static unsigned sizes_of(const struct job *job, unsigned walk)
{
	return walk && rw_trims(job->rw) ? SIZES_TRIM : walk;
}

/* Anything but whole passes in blocks of one size? */
static bool walks(const struct run_spec *spec)
{
	const struct job *j = &spec->job;
	bool odd = spec->sizes || j->rw_step;

	if (!rw_random(j->rw))
		return odd;
	return odd || j->norandommap || j->blockalign != AXIS_UNSET ||
	       j->percentage_random < 100 || spec->distribution.kind != DISTRIBUTION_RANDOM;
}

static void walk_init(struct walk *k, const struct run_spec *spec, unsigned direction)
{
	uint64_t align = spec->job.blockalign;

	*k = (struct walk){ .mix = mix_of(spec, direction), .len = (uint32_t)spec->job.bs };
	if (k->mix && size_mix_single(k->mix)) {
		k->len = size_mix_single(k->mix);
		k->mix = NULL;
	}
	k->align = align != AXIS_UNSET ? align : k->mix ? k->mix->min : k->len;
}

/* The last block leaves room for the largest I/O. */
static uint64_t blocks(const struct walks *w, const struct walk *k)
{
	return (w->bytes - (k->mix ? k->mix->max : k->len)) / k->align + 1;
}

static void draws_init(struct walks *w, const struct run_spec *spec, unsigned job)
{
	uint64_t seed = workload_seed(spec, job, STREAM_ORDER);

	for (unsigned d = 0; d < 2; d++) {
		uint64_t n = blocks(w, &w->of[d]);

		w->draw_of[d] = d;
		if (d && w->of[d].align == w->of[0].align && n == w->draw[0].n)
			w->draw_of[d] = 0;
		else if (job_uses(&spec->job, sizes_of(&spec->job, d)))
			draw_init(&w->draw[d], &spec->distribution, !spec->job.norandommap, n,
			          seed + d);
	}
}

static void walks_init(struct workload *w, const struct run_spec *spec, unsigned job,
                       const struct region *r)
{
	const struct job *j = &spec->job;
	struct walks *all = &w->walk;

	*all = (struct walks){ .start = r->start,
		               .bytes = r->bytes,
		               .left_bytes = amount(j, r->bytes),
		               .min_len = sizes(spec).min,
		               .random = rw_random(j->rw),
		               .jump_below = (j->percentage_random << 32) / 100 };
	if (all->random)
		all->run = j->rw_step;
	else
		all->step = (int64_t)j->rw_step;
	for (unsigned d = 0; d < 2; d++) {
		struct walk *k = &all->of[d];

		walk_init(k, spec, sizes_of(j, d));
		if (!all->random)
			k->next = slice(spec, r->bytes / k->align, job) * k->align -
			          (uint64_t)all->step;
	}
	if (all->random)
		draws_init(all, spec, job);
	rng_seed(&all->rng, workload_seed(spec, job, STREAM_WALK));
}

int workload_init(struct workload *w, const struct run_spec *spec, unsigned job, struct err *e)
{
	const struct job *j = &spec->job;
	struct region r = { 0 };
	int err = workload_region(&r, spec, job, e);

	if (err)
		return err;
	*w = (struct workload){
		.start = r.start,
		.blocks = r.bytes / j->bs,
		.bs = j->bs,
		.random = rw_random(j->rw),
		.walks = walks(spec),
	};
	w->left = w->walks ? UINT64_MAX : count(j, amount(j, r.bytes));
	if (!j->time_based)
		w->left = at_most(w->left, j->number_ios);
	w->mixed = rw_mixed(j->rw) && j->rwmixread > 0 && j->rwmixread < 100;
	if (rw_mixed(j->rw))
		w->read_below = (j->rwmixread << 32) / 100;
	else
		w->read_below = rw_reads(j->rw) ? UINT64_C(1) << 32 : 0;
	w->only = rw_trims(j->rw) ? OP_TRIM : w->read_below ? OP_READ : OP_WRITE;
	if (w->walks)
		walks_init(w, spec, job, &r);
	else
		permute_init(&w->order, w->blocks, workload_seed(spec, job, STREAM_ORDER));
	w->next[OP_READ] = w->next[OP_WRITE] = w->next[OP_TRIM] = slice(spec, w->blocks, job);
	rng_seed(&w->direction, workload_seed(spec, job, STREAM_DIRECTION));
	return 0;
}
