#include "run/core.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/units.h"
#include "run/course.h"
#include "run/early.h"
#include "run/gather.h"
#include "run/granted.h"
#include "run/lane_file.h"
#include "run/lane_thread.h"
#include "run/pre_read.h"
#include "run/watch.h"

#define DEPTH_SPARE                                                                            \
	128u /* open engines this deep at least, so that depths may grow without a new one */
#define DEPTH_SHARED 8192u       /* ... but all jobs together no deeper than this */
#define BUFFER_SPARE (256 * MIB) /* buffers that may be kept beyond what a run needs */
#define START_NS                                                                               \
	(50 * USEC) /* from the order to start to the start: for one job, and for each more */
#define START_EACH_NS (5 * USEC)
#define ATTEMPTS      4            /* to have all that a run needs */
#define TEARDOWN_NS   (200 * MSEC) /* rings are taken down in the background */

struct core {
	struct run run;
	struct pool pool;
	struct live *live;
	struct watch watch;
	int64_t sim_wall_ns; /* add it to a time of run.sim */
	struct early early;
	struct stat_room room;
};

int core_new(struct core **out, struct live *live, struct err *e)
{
	struct core *c = aligned_alloc(CACHE_LINE, sizeof(*c));

	*out = NULL;
	if (!c)
		return err_set(e, -ENOMEM, "out of memory");
	memset(c, 0, sizeof(*c));
	c->live = live;
	c->watch = (struct watch){ .pool = &c->pool, .run = &c->run, .live = live };
	instruments_init(&c->watch.instruments);
	pool_init(&c->pool, &c->run);
	c->run.early = &c->early;
	c->early.room = &c->room;
	stamp_init(&c->run.stamp);
	if (sched_getaffinity(0, sizeof(c->run.all_cpus), &c->run.all_cpus))
		CPU_SET(0, &c->run.all_cpus);
	(void)prctl(PR_SET_TIMERSLACK, 1); /* edges of the window are met by this thread, too */
	*out = c;
	return 0;
}

void core_free(struct core *c)
{
	if (!c)
		return;
	pool_fini(&c->pool);
	instruments_fini(&c->watch.instruments);
	sim_free(c->run.sim);
	free(c->run.turn);
	free(c);
}

static int set_up(struct core *c, const struct run_spec *spec, struct err *e)
{
	const struct job *job = &spec->job;
	struct run *run = &c->run;
	uint64_t jobs;
	int cpus;

	run->spec = spec;
	run->ops = engine_ops(job->ioengine);
	if (!run->ops)
		return err_set(e, -EINVAL, "ioengine %" PRIu64 ": there is none",
		               job->ioengine);
	if (job->numjobs < 1 || job->numjobs > UINT16_MAX)
		return err_set(e, -EINVAL, "numjobs %" PRIu64 ": 1..%u", job->numjobs,
		               UINT16_MAX);
	jobs = job->numjobs * run_targets(spec);
	if (jobs > UINT16_MAX)
		return err_set(e, -EINVAL, "numjobs %" PRIu64 " on %u targets: %u in all at most",
		               job->numjobs, run_targets(spec), UINT16_MAX);
	if (run->ops->now && run_targets(spec) > 1)
		return err_set(e, -EINVAL, "one simulated device at a time");
	if (job->bs < 1 || job->bs > GIB)
		return err_set(e, -EINVAL, "bs %" PRIu64 ": 1..%" PRIu64, job->bs,
		               (uint64_t)GIB);
	if (job->iodepth < 1 || job->iodepth > ENGINE_DEPTH_MAX)
		return err_set(e, -EINVAL, "iodepth %" PRIu64 ": 1..%u", job->iodepth,
		               ENGINE_DEPTH_MAX);
	if (job->time_based && job->runtime == AXIS_UNSET)
		return err_set(e, -EINVAL, "a time-based run needs a runtime");
	run->depth = run->ops->caps & ENGINE_ASYNC ? (unsigned)job->iodepth : 1;
	run->ramp_ns = job->time_based && job->ramp_time != AXIS_UNSET ? job->ramp_time : 0;
	run->runtime_ns = job->runtime == AXIS_UNSET ? NO_END : job->runtime;
	early_set_up(&c->early, run, spec);
	atomic_store_explicit(&run->stop_at_ns, NO_END, memory_order_relaxed);
	run->slot_ns = series_width(run->runtime_ns == NO_END ? 0 : run->runtime_ns);
	cpus = CPU_COUNT(&spec->cpus) ? CPU_COUNT(&spec->cpus) : CPU_COUNT(&run->all_cpus);
	run->spin = jobs <= (uint64_t)cpus;
	atomic_store_explicit(&run->stop, 0, memory_order_relaxed);
	c->watch.jobs = (unsigned)jobs;
	return 0;
}

/* The devices that are simulated, and their clock: it begins now, and goes on in its own time.
 */
static int set_up_sim(struct core *c, struct err *e)
{
	const struct run_spec *spec = c->run.spec;
	unsigned jobs = c->watch.jobs;
	struct heap_item *turn = reallocarray(c->run.turn, jobs, sizeof(*turn));

	if (!turn)
		return err_set(e, -ENOMEM, "out of memory for %u jobs", jobs);
	c->run.turn = turn;
	if (!c->run.sim) {
		c->run.sim = sim_new();
		c->sim_wall_ns = clock_wall_ns() - (int64_t)SIM_EPOCH_NS;
	}
	if (!c->run.sim)
		return err_set(e, -ENOMEM, "out of memory");
	sim_pass(c->run.sim, spec->rest_ns);
	return sim_begin(c->run.sim, spec->job.filename, &spec->sim, e);
}

static const struct err *first_failure(const struct pool *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (p->lane[i]->err.code)
			return &p->lane[i]->err;
	return NULL;
}

static void command(struct core *c, unsigned n, enum lane_command what)
{
	pool_command(&c->pool, n, what);
	pool_finish(&c->pool);
}

/* Parked lanes hold no file but the one that this run uses, and no more buffers than are worth
 * keeping. */
static void tidy(struct core *c)
{
	const struct run *run = &c->run;
	uint64_t need = lane_buffer_bytes(run), kept = 0;

	for (unsigned i = 0; i < c->pool.n; i++) {
		struct lane *lane = c->pool.lane[i];
		const struct lane_place at = lane_place(run, i);

		if (lane_file_differs(&lane->file, at.spec, at.job))
			lane_file_close(&lane->file);
		lane->keep[true] = 0;
		lane->keep[false] = HUGE_PAGE; /* small ones may stay */
		if (i < c->watch.jobs && need > lane->keep[lane_arena(lane)->huge])
			lane->keep[lane_arena(lane)->huge] = need;
		kept += lane_spare_bytes(lane);
	}
	if (kept > BUFFER_SPARE)
		command(c, c->pool.n, LANE_TRIM);
}

/* Limits count what lanes keep for later as well: give all of it back before giving up. */
static bool may_be_ours(int err)
{
	return err == -EAGAIN || err == -ENOMEM || err == -EMFILE || err == -ENFILE ||
	       err == -ENOSPC;
}

/* What the buffers of the first jobs lock is what the rings of the others need: the last
 * attempt does without. */
static bool no_room_for_rings(const struct run *run, int attempt)
{
	return attempt == ATTEMPTS - 1 && run->ops->caps & ENGINE_REGISTERS &&
	       run->spec->job.fixedbufs == AXIS_UNSET;
}

static int prepare(struct core *c, struct err *e)
{
	unsigned jobs = c->watch.jobs,
		 spare = DEPTH_SHARED / jobs < DEPTH_SPARE ? DEPTH_SHARED / jobs : DEPTH_SPARE;
	unsigned limit = c->run.ops->depth_limit;
	const struct err *failed = NULL;

	if (limit && c->run.depth > limit)
		return err_set(e, -EINVAL, "%s: iodepth %u is above the kernel's limit of %u",
		               c->run.ops->name, c->run.depth, limit);
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		c->run.no_room = no_room_for_rings(&c->run, attempt);
		c->run.depth_open = attempt == 0 && c->run.depth < spare ? spare : c->run.depth;
		command(c, jobs, LANE_PREPARE);
		failed = first_failure(&c->pool, jobs);
		if (!failed || !may_be_ours(failed->code))
			break;
		if (attempt == ATTEMPTS - 1)
			break;
		command(c, c->pool.n, LANE_RELEASE);
		if (attempt > 0)
			clock_sleep_until(clock_mono_ns() + TEARDOWN_NS);
	}
	if (!failed)
		return 0;
	return err_set(e, failed->code, "%s", failed->text);
}

/* The next job from *i on that has a file which none before it has; NULL: there is no more. */
static const struct lane *next_file(const struct core *c, unsigned *i)
{
	if (c->run.ops->caps & ENGINE_NO_TARGET)
		return NULL;
	for (; *i < c->watch.jobs; ++*i) {
		const struct lane_place at = lane_place(&c->run, *i);

		if (!at.job || at.spec->directory)
			return c->pool.lane[(*i)++];
	}
	return NULL;
}

static int drop_cache(struct core *c, struct err *e)
{
	const struct lane *lane;
	unsigned i = 0;
	int r = 0;

	while (!r && (lane = next_file(c, &i)))
		r = lane_file_drop_cache(&lane->file, e);
	return r;
}

static void flush(struct core *c, struct sample *out)
{
	uint64_t from = clock_mono_ns();
	const struct lane *lane;
	unsigned i = 0;

	while ((lane = next_file(c, &i))) {
		live_phase(c->live, LIVE_FLUSH); /* the one before is done */
		if (fsync(lane->file.fd) && !out->first_error.error) {
			out->first_error =
			    (struct io_error){ .error = errno,
				               .op = OP_SYNC,
				               .target = lane_place(&c->run, lane->index).target };
			out->op[OP_SYNC].errors++;
		}
	}
	out->flush_ns = clock_mono_ns() - from;
}

/* The drain lasted until it was given up. */
static void note_hung(const struct core *c, struct sample *out, unsigned hung)
{
	uint64_t end = c->run.start_ns + c->run.ramp_ns + c->run.runtime_ns,
		 early = atomic_load_explicit(&c->run.stop_at_ns, memory_order_relaxed);

	if (early < end)
		end = early;
	out->jobs_hung = hung;
	out->drain_ns = clock_mono_ns() - end;
}

/* Threads that are too nice for a job end, and others begin. */
static void renew_threads(struct core *c, const struct job *job)
{
	for (unsigned i = 0; i < c->pool.n && i < c->watch.jobs; i++)
		if (lane_thread_too_nice(c->pool.lane[i], job)) {
			pool_fini(&c->pool);
			pool_init(&c->pool, &c->run);
			return;
		}
}

static int get_ready(struct core *c, const struct run_spec *spec, struct err *e)
{
	int r = set_up(c, spec, e);

	if (!r)
		renew_threads(c, &spec->job);
	if (!r)
		r = pool_grow(&c->pool, c->watch.jobs, e);
	if (!r && c->run.ops->now)
		r = set_up_sim(c, e);
	if (r)
		return r;
	tidy(c);
	stamp_sync(&c->run.stamp);
	r = prepare(c, e);
	if (!r && spec->drop_cache)
		r = drop_cache(c, e);
	if (!r && spec->pre_read)
		r = pre_read(&c->pool, c->watch.jobs, c->live, e);
	return r;
}

/* Its jobs are driven by the first of them. */
static void start(struct core *c)
{
	c->run.lane = c->pool.lane;
	c->run.lanes = c->watch.jobs;
	early_begin(&c->early, c->run.lane, c->run.lanes, c->run.start_ns + c->run.ramp_ns);
	if (c->run.ops->now)
		pool_command(&c->pool, 1, LANE_TURNS);
	else
		pool_command(&c->pool, c->watch.jobs, LANE_RUN);
}

/* What the machine did meanwhile says nothing about time that was not real. */
static void mark_simulated(const struct core *c, struct sample *out)
{
	uint64_t from = c->pool.lane[0]->tally.window_from_ns;

	out->simulated = true;
	out->cpu_user_ns = out->cpu_sys_ns = 0;
	out->busiest_job = out->busiest_cpu_ns = out->busiest_window_ns = 0;
	if (from)
		out->window_start_wall_ns = c->sim_wall_ns + (int64_t)from;
}

static enum stop_reason stop_reason(const struct core *c, const struct sample *out)
{
	if (out->first_error.error || !out->window_ns)
		return STOPPED_NONE;
	if (c->run.runtime_ns != NO_END && out->window_ns + MSEC >= c->run.runtime_ns)
		return STOPPED_RUNTIME;
	return c->run.spec->job.time_based ? STOPPED_NONE : STOPPED_SIZE;
}

int core_run(struct core *c, const struct run_spec *spec, struct sample *out, struct err *e)
{
	unsigned hung;
	int64_t wall;
	int r;

	/* lanes that were given up have to come back first */
	(void)pool_wait(&c->pool, UINT64_MAX);
	live_begin(c->live, LIVE_OPEN);
	r = get_ready(c, spec, e);
	if (r) {
		live_phase(c->live, LIVE_DONE);
		return r;
	}
	watch_open(&c->watch);
	watch_begin(&c->watch);
	wall = clock_wall_ns();
	c->run.start_ns = clock_mono_ns();
	wall -= (int64_t)c->run.start_ns;
	c->run.start_ns += START_NS + START_EACH_NS * c->watch.jobs;
	start(c);
	hung = watch_run(&c->watch);
	for (unsigned i = 0; hung && i < c->watch.jobs; i++)
		loop_give_up(&c->pool.lane[i]->loop);
	gather(out, &c->pool, c->watch.jobs);
	course_judge(out, &c->pool, c->watch.jobs,
	             spec->precision > 0 ? spec->precision : STAT_PRECISION, &c->room);
	out->stop_reason = stop_reason(c, out);
	early_end(&c->early, out);
	if (out->window_ns || !c->run.ramp_ns) /* else it ended in the ramp */
		out->window_start_wall_ns = wall + (int64_t)(c->run.start_ns + c->run.ramp_ns);
	if (c->run.ops->now)
		mark_simulated(c, out);
	watch_end(&c->watch, out);
	if (hung)
		note_hung(c, out, hung);
	granted(out, &c->run, &c->pool, hung ? 0 : c->watch.jobs);
	if (spec->flush && !hung)
		flush(c, out); /* the sample is complete but for this */
	live_phase(c->live, LIVE_DONE);
	return 0;
}

void core_not_idle(struct core *c)
{
	c->watch.idle.at_ns = 0;
}
