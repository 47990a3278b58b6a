#include "run/lane.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/early.h"
#include "run/lane_file.h"
#include "run/lane_thread.h"
#include "run/paced.h"

struct lane *lane_new(unsigned index, struct run *run, _Atomic uint32_t *pending)
{
	/* mmap: most of it is histograms and series, which cost memory only where they are
	 * touched. */
	struct lane *lane = mmap(NULL, sizeof(*lane), PROT_READ | PROT_WRITE,
	                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (lane == MAP_FAILED)
		return NULL;
	lane->index = index;
	lane->run = run;
	lane->pending = pending;
	lane->file.fd = -1;
	lane->arena[true].huge = true;
	lane->tally.series.slot = lane->series;
	lane->tally.marks.count = lane->counts;
	return lane;
}

static void close_engine(struct lane *lane, uint64_t id)
{
	engine_close(engine_ops(id), lane->eng[id]);
	lane->eng[id] = NULL;
}

static void close_engines(struct lane *lane)
{
	for (unsigned id = 0; id < ENGINE_COUNT; id++)
		close_engine(lane, id);
}

static void free_slots(struct lane *lane)
{
	struct loop *l = &lane->loop;

	free(l->io);
	free(l->free);
	free(l->batch);
	free(l->follow);
	free(l->due_ns);
	l->io = NULL;
	l->due_ns = NULL;
	l->free = l->batch = l->follow = NULL;
	lane->slots = 0;
}

void lane_release(struct lane *lane)
{
	close_engines(lane);
	lane_file_close(&lane->file);
	arena_fini(&lane->arena[false]);
	arena_fini(&lane->arena[true]);
	free_slots(lane);
}

size_t lane_spare_bytes(const struct lane *lane)
{
	size_t spare = 0;

	for (int huge = false; huge <= true; huge++)
		if (lane->arena[huge].touched > lane->keep[huge])
			spare += lane->arena[huge].touched - lane->keep[huge];
	return spare;
}

/* Registered memory is the kernel's until its ring is closed. */
void lane_trim(struct lane *lane)
{
	if (!lane_spare_bytes(lane))
		return;
	for (unsigned id = 0; id < ENGINE_COUNT; id++)
		if (engine_ops(id)->caps & ENGINE_REGISTERS)
			close_engine(lane, id);
	for (int huge = false; huge <= true; huge++)
		arena_trim(&lane->arena[huge], lane->keep[huge]);
}

void lane_free(struct lane *lane)
{
	if (lane)
		(void)munmap(lane, sizeof(*lane));
}

struct lane_place lane_place(const struct run *run, unsigned index)
{
	unsigned jobs = (unsigned)run->spec->job.numjobs,
		 last = run_targets(run->spec) - 1,
		 target = index / jobs < last ? index / jobs : last;

	return (struct lane_place){ &run->spec[target], target, index - target * jobs };
}

static bool has_buffers(const struct run *run)
{
	return !(run->ops->caps & ENGINE_NO_TARGET) && rw_buffers(run->spec->job.rw);
}

uint64_t lane_buffer_align(const struct run *run)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return run->spec->memory_align > page ? run->spec->memory_align : page;
}

static uint64_t stride(const struct run *run)
{
	uint64_t align = lane_buffer_align(run);

	return (workload_bs_max(run->spec) + align - 1) / align * align;
}

static bool mixed(const struct run *run)
{
	return rw_mixed(run->spec->job.rw);
}

/* The second buffer of a mixed pattern: what was read must not be what is written next. */
uint64_t lane_buffer_bytes(const struct run *run)
{
	if (!has_buffers(run))
		return 0;
	return stride(run) * run->depth * rw_buffers(run->spec->job.rw);
}

/* fio has none without being asked; and an I/O of small pages may have more segments than a device takes at once. */
static bool in_huge_pages(const struct run *run)
{
	return run->spec->job.profile != PROFILE_FIO && lane_buffer_bytes(run) >= HUGE_PAGE;
}

static struct arena *arena_of(struct lane *lane)
{
	return &lane->arena[in_huge_pages(lane->run)];
}

const struct arena *lane_arena(const struct lane *lane)
{
	return &lane->arena[in_huge_pages(lane->run)];
}

/* What the first `writes` bytes of the buffers hold, and what becomes of them with each write. */
static void prepare_data(struct lane *lane, uint64_t writes)
{
	const struct lane_place at = lane_place(lane->run, lane->index);
	const struct run_spec *spec = at.spec;
	const struct job *job = &spec->job;
	struct pattern *p = &lane->loop.pattern;
	struct arena *a = arena_of(lane);

	*p = (struct pattern){
		.key = workload_seed(spec, at.job, STREAM_STAMP),
		.fixed = job->zero_buffers || spec->pattern_bytes,
		.refill = job->refill_buffers,
		.mixed = job->buffer_compress_percentage || job->dedupe_percentage,
		.recipe = { .bytes = spec->pattern,
		            .n = spec->pattern_bytes,
		            .chunk = (uint32_t)job->buffer_compress_chunk,
		            .compress = (unsigned)job->buffer_compress_percentage,
		            .dedupe = (unsigned)job->dedupe_percentage },
	};
	rng_seed(&p->rng, p->key);
	if (p->mixed) {
		p->fixed = false;
		arena_spoil(a, 0);
	} else if (p->fixed) {
		arena_repeat(a, writes, stride(lane->run), spec->pattern, spec->pattern_bytes);
	} else {
		arena_fill(a, writes, workload_seed(spec, at.job, STREAM_DATA));
	}
}

static int prepare_buffers(struct lane *lane, struct err *e)
{
	const struct run *run = lane->run;
	const struct job *job = &run->spec->job;
	uint64_t need = lane_buffer_bytes(run),
		 writes = rw_writes_data(job->rw) ? stride(run) * run->depth : 0;
	struct loop *l = &lane->loop;
	struct arena *a = arena_of(lane);
	int r;

	l->stride = has_buffers(run) ? stride(run) : 0;
	if (!arena_fits(a, need ? need : 1))
		close_engines(lane); /* they may know the old address */
	r = arena_grow(a, need ? need : 1, e);
	if (r)
		return r;
	if (!lane->index) /* one speaks for all */
		arena_ask_huge(a);
	l->buf[OP_WRITE] = l->buf[OP_TRIM] = a->mem; /* a trim looks at none */
	l->buf[OP_READ] = a->mem + (mixed(run) ? writes : 0);
	l->prepare_writes = writes && has_buffers(run);
	if (l->prepare_writes)
		prepare_data(lane, writes);
	if (has_buffers(run) && rw_reads(job->rw))
		arena_spoil(a, mixed(run) ? writes : 0);
	return 0;
}

static int prepare_slots(struct lane *lane, struct err *e)
{
	unsigned depth = lane->run->depth;
	struct loop *l = &lane->loop;

	if (depth > lane->slots) {
		free_slots(lane);
		l->io = calloc(depth, sizeof(*l->io));
		l->free = calloc(depth, sizeof(struct io *));
		l->batch = calloc(depth, sizeof(struct io *));
		l->follow = calloc(depth, sizeof(struct io *));
		l->due_ns = calloc(depth, sizeof(*l->due_ns));
		if (!l->io || !l->free || !l->batch || !l->follow || !l->due_ns) {
			free_slots(lane);
			return err_set(e, -ENOMEM, "out of memory for %u I/Os in flight",
			               depth);
		}
		lane->slots = depth;
	}
	for (unsigned i = 0; i < depth; i++) {
		l->io[i] = (struct io){ .slot = i, .buf = l->buf[0] };
		l->free[i] = &l->io[depth - 1 - i]; /* slot 0 is used first */
	}
	l->done = lane->done;
	l->nfree = depth;
	return 0;
}

static enum engine_wish wish_of(uint64_t value)
{
	if (value == AXIS_UNSET)
		return WISH_IF_GRANTED;
	return value ? WISH_REQUIRED : WISH_NO;
}

static enum engine_wish wish_of_buffers(const struct run *run)
{
	enum engine_wish wish = wish_of(run->spec->job.fixedbufs);

	if (!has_buffers(run))
		return WISH_NO; /* none is left unregistered */
	return run->no_room && wish == WISH_IF_GRANTED ? WISH_NO_ROOM : wish;
}

static int bind_engine(struct lane *lane, struct err *e)
{
	const struct run *run = lane->run;
	const struct job *job = &run->spec->job;
	struct engine_run want = { .fds = &lane->file.fd,
		                   .n = 1,
		                   .buffers = lane_arena(lane)->mem,
		                   .buffer_bytes = lane_buffer_bytes(run),
		                   .buffer_stride = stride(run),
		                   .fixed_buffers = wish_of_buffers(run),
		                   .fixed_files = wish_of(job->registerfiles),
		                   .submit_now = job->profile == PROFILE_FIO,
		                   .uncached = job->uncached,
		                   .advice = lane_file_advice(job),
		                   .sim = run->sim };

	return engine_bind(run->ops, lane->loop.eng, &want, e);
}

static int prepare_engine(struct lane *lane, struct err *e)
{
	const struct run *run = lane->run;
	uint64_t id = run->spec->job.ioengine;
	struct engine_env env = { .depth = run->depth_open,
		                  .arena = lane_arena(lane)->mem,
		                  .arena_size = lane_arena(lane)->reserved,
		                  .poll = run->spec->job.hipri,
		                  .sq_thread = run->spec->job.sqthread_poll };
	const struct engine_env *has = &lane->env[id];
	int r;

	if (!lane->eng[id] || has->depth < run->depth || has->poll != env.poll ||
	    has->sq_thread != env.sq_thread) {
		close_engine(lane, id);
		r = engine_open(run->ops, &lane->eng[id], &env, e);
		if (r)
			return r;
		lane->env[id] = env;
	}
	lane->loop.eng = lane->eng[id];
	return bind_engine(lane, e);
}

static unsigned at_most(uint64_t value, unsigned most)
{
	return value && value < most ? (unsigned)value : most;
}

static void prepare_batches(struct loop *l, const struct run *run)
{
	const struct job *job = &run->spec->job;

	l->submit_max = at_most(job->iodepth_batch_submit, BATCH_MAX);
	l->reap_max = at_most(job->iodepth_batch_complete_max, BATCH_MAX);
	l->reap_min = (unsigned)job->iodepth_batch_complete_min;
	if (l->reap_min > l->reap_max)
		l->reap_min = l->reap_max;
	if (run->ops->now && !l->reap_min)
		l->reap_min = 1; /* its clock stands while nobody waits */
}

static void clear_tally(struct lane *lane)
{
	struct tally *t = &lane->tally;

	for (int op = 0; op < OP_COUNT; op++) {
		hist_clear(&t->lat[op]);
		if (lane->loop.rated)
			hist_clear(&t->service[op]);
	}
	memset(t->bytes, 0, offsetof(struct tally, series) - offsetof(struct tally, bytes));
	series_begin(&t->series, lane->run->slot_ns);
	marks_begin(&t->marks, lane->run->slot_ns);
}

static int prepare(struct lane *lane, struct err *e)
{
	const struct run *run = lane->run;
	const struct job *job = &run->spec->job;
	const struct lane_place at = lane_place(run, lane->index);
	struct loop *l = &lane->loop;
	int r = workload_init(&l->work, at.spec, at.job, e);

	if (!r)
		r = lane_thread_schedule(lane, e);
	if (!r)
		r = prepare_buffers(lane, e);
	if (!r)
		r = prepare_slots(lane, e);
	if (!r && !(run->ops->caps & ENGINE_NO_TARGET))
		r = lane_file_open(&lane->file, at.spec, at.job, e);
	if (!r)
		r = prepare_engine(lane, e);
	if (r)
		return r;
	l->run = lane->run;
	l->progress = &lane->progress;
	l->tally = &lane->tally;
	l->mean_len = (uint32_t)workload_bs_mean(at.spec);
	prepare_batches(l, run);
	l->polls = (struct engine_polls){ 0 };
	l->syncs = job->fsync || job->fdatasync;
	l->fsync_every = job->fsync;
	l->fdatasync_every = job->fdatasync;
	l->end_fsync = job->end_fsync;
	l->phase = LOOP_RAMP;
	atomic_store_explicit(&l->owner, TALLY_FREE, memory_order_relaxed);
	l->sync = SYNC_NONE;
	l->nbatch = l->inflight = l->nfollow = 0;
	l->trims_first = rw_trims_first(job->rw);
	l->issued = l->aborted = l->broken = l->unsynced = false;
	l->writes = l->ios = l->bytes = 0;
	l->again_ns = 0;
	l->stamp = run->stamp;
	paced_prepare(l, at.spec, at.job);
	l->plain = !l->rated && !l->trims_first;
	clear_tally(lane);
	return 0;
}

void lane_prepare(struct lane *lane)
{
	int r;

	lane->err = (struct err){ 0 };
	r = prepare(lane, &lane->err);
	if (r && !lane->err.code)
		(void)err_set(&lane->err, r, "%s", err_name(-r));
}

/* An engine that polls would go on taking a CPU. */
static void finish(struct lane *lane)
{
	uint64_t id = lane->run->spec->job.ioengine;

	engine_describe(lane->run->ops, lane->eng[id], lane->granted, sizeof(lane->granted));
	lane->polls = lane->loop.reap_min ? engine_polls(lane->run->ops, lane->eng[id])
	                                  : lane->loop.polls;
	if (lane->loop.broken || lane->env[id].poll || lane->env[id].sq_thread)
		close_engine(lane, id);
	else
		engine_unbind(lane->run->ops, lane->eng[id]);
}

void lane_run(struct lane *lane)
{
	loop_run(&lane->loop);
	finish(lane);
}

/* Always the one that is due first. */
static void take_turns(const struct run *run)
{
	struct heap_item *turn = run->turn;
	unsigned n = 0;

	for (unsigned i = 0; i < run->lanes; i++)
		loop_begin(&run->lane[i]->loop);
	for (unsigned i = 0; i < run->lanes; i++, n++)
		heap_push(turn, n,
		          (struct heap_item){ loop_due(&run->lane[i]->loop), i, run->lane[i] });
	early_begin(run->early, run->lane, run->lanes, run->lane[0]->loop.ramp_end_ns);
	while (n) {
		struct heap_item next = turn[0];
		struct lane *lane = next.what;

		if (early_due(run->early, next.key))
			early_tick(run->early, next.key);
		if (loop_turn(&lane->loop)) {
			next.key = loop_due(&lane->loop);
			heap_replace(turn, n, next);
		} else {
			(void)heap_pop(turn, n--);
		}
	}
}

void lane_turns(const struct run *run)
{
	if (run->lanes > 1 || run->early->on)
		take_turns(run);
	else
		loop_run(&run->lane[0]->loop); /* nobody else moves the clock, or looks at it */
	for (unsigned i = 0; i < run->lanes; i++)
		finish(run->lane[i]);
}
