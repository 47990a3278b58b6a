#include "run/watch.h"

#include <sys/resource.h>

#include "base/units.h"
#include "run/early.h"
#include "run/gather.h"
#include "run/halt.h"

#define LOOK_NS    (100 * MSEC)
#define FIRST_NICE (-20)
#define GAP_NS     (500 * MSEC) /* shorter pauses between two runs say nothing about others */

/* Its time is not ours: nothing that we count would fit to it. */
static bool simulated(const struct watch *w)
{
	return w->run->ops->now;
}

static void open_window(struct watch *w, uint64_t at_ns)
{
	if (!w->from.at_ns && !simulated(w))
		counters_read(&w->instruments, &w->from);
	atomic_store_explicit(&w->live->window_start_ns, at_ns, memory_order_relaxed);
	live_phase(w->live, LIVE_WINDOW);
}

static void publish(struct watch *w)
{
	uint64_t ios = 0, bytes = 0, waiting = 0;

	for (unsigned i = 0; i < w->jobs; i++) {
		const struct progress *p = &w->pool->lane[i]->progress;
		uint64_t since =
		    atomic_load_explicit(&p->waiting_since_ns, memory_order_relaxed);

		ios += atomic_load_explicit(&p->ios, memory_order_relaxed);
		bytes += atomic_load_explicit(&p->bytes, memory_order_relaxed);
		if (since && (!waiting || since < waiting))
			waiting = since;
	}
	atomic_store_explicit(&w->live->ios, ios, memory_order_relaxed);
	atomic_store_explicit(&w->live->bytes, bytes, memory_order_relaxed);
	atomic_store_explicit(&w->live->waiting_since_ns, waiting, memory_order_relaxed);
}

void watch_begin(struct watch *w)
{
	uint64_t now = clock_mono_ns();
	struct counters gap;

	w->from.at_ns = w->to.at_ns = 0;
	w->gap.valid = false;
	w->late_ns = w->stopped_ns = 0;
	(void)halt_continued(); /* before this run */
	if (w->idle.at_ns && now - w->idle.at_ns >= GAP_NS) {
		counters_read_device(&w->instruments, &gap);
		counters_device_delta(&w->idle, &gap, &w->gap);
	}
	w->idle.at_ns = 0;
	if (!w->run->ramp_ns && !simulated(w))
		counters_read(&w->instruments, &w->from);
}

/* Woken at `now`, to be at `due`. */
static void look_late(struct watch *w, enum live_phase phase, uint64_t due, uint64_t now)
{
	uint64_t late = now > due ? now - due : 0;

	if (phase == LIVE_DRAIN || late < HALT_NOTICED_NS)
		return;
	if (late > w->late_ns)
		w->late_ns = late;
	if (!halt_continued())
		return;
	w->stopped_ns += late;
	if (w->run->spec->stop_ends)
		atomic_store_explicit(&w->run->stop, 1, memory_order_relaxed);
}

/* Look whether the run may end. Returns when it does, as far as is known. */
static uint64_t look_for_end(struct watch *w, uint64_t now, uint64_t stop)
{
	uint64_t early;

	if (simulated(w))
		return stop; /* its jobs look themselves, by their clock */
	if (early_due(w->run->early, now))
		early_tick(w->run->early, now);
	early = atomic_load_explicit(&w->run->stop_at_ns, memory_order_relaxed);
	return early < stop ? early : stop;
}

/* With more jobs than CPUs this thread would wait for its turn, and read the counters late.
 * Where it is permitted it comes first; the jobs, begun before, do not. Returns what to go back
 * to. */
static int hurry(void)
{
	int usual = getpriority(PRIO_PROCESS, 0);

	(void)setpriority(PRIO_PROCESS, 0, FIRST_NICE);
	return usual;
}

/* When to look again. */
static uint64_t next_look(const struct watch *w, enum live_phase phase, uint64_t now,
                          uint64_t ramp_end, uint64_t stop)
{
	const struct early *early = w->run->early;
	uint64_t next = now + LOOK_NS;

	if (phase == LIVE_RAMP && ramp_end < next)
		next = ramp_end;
	if (phase != LIVE_WINDOW)
		return next;
	if (stop < next)
		next = stop;
	if (!simulated(w) && early->on && early->next_ns < next)
		next = early->next_ns;
	return next;
}

static unsigned look_on(struct watch *w)
{
	const uint64_t ramp_end = simulated(w) ? 0 : w->run->start_ns + w->run->ramp_ns;
	uint64_t stop = simulated(w) || w->run->runtime_ns == NO_END
	                    ? NO_END
	                    : ramp_end + w->run->runtime_ns;
	enum live_phase phase = LIVE_RAMP;
	uint64_t now = clock_mono_ns();
	unsigned hung = 0;
	uint64_t next;
	uint32_t asked;
	bool over;

	live_phase(w->live, LIVE_RAMP);
	do {
		if (phase == LIVE_RAMP && now >= ramp_end) {
			open_window(w, ramp_end);
			phase = LIVE_WINDOW;
		}
		if (phase == LIVE_WINDOW)
			stop = look_for_end(w, now, stop);
		if (phase == LIVE_WINDOW && now >= stop) {
			counters_read(&w->instruments, &w->to);
			live_phase(w->live, LIVE_DRAIN);
			phase = LIVE_DRAIN;
		}
		asked = atomic_load_explicit(&w->live->stop, memory_order_relaxed);
		if (asked)
			atomic_store_explicit(&w->run->stop, 1, memory_order_relaxed);
		if (!simulated(w))
			publish(w);
		hung = asked == STOP_GIVE_UP && phase == LIVE_DRAIN ? pool_pending(w->pool) : 0;
		if (hung)
			break;
		next = next_look(w, phase, now, ramp_end, stop);
		over = pool_wait(w->pool, next);
		now = clock_mono_ns();
		if (!simulated(w))
			look_late(w, phase, next, now);
	} while (!over);
	if (!w->to.at_ns && !simulated(w))
		counters_read(&w->instruments, &w->to);
	publish(w);
	return hung;
}

unsigned watch_run(struct watch *w)
{
	int usual = hurry();
	unsigned hung = look_on(w);

	(void)setpriority(PRIO_PROCESS, 0, usual);
	return hung;
}

static void judge_edges(const struct watch *w, struct sample *out)
{
	struct window window = gather_window(w->pool, w->jobs);

	if (!simulated(w) && instruments_count(&w->instruments) &&
	    window.to_ns > window.from_ns)
		(void)counters_at_edges(&w->from, &w->to, window.from_ns, window.to_ns, out);
}

void watch_end(struct watch *w, struct sample *out)
{
	out->gap = w->gap;
	out->late_ns = w->late_ns;
	out->stopped_ns = w->stopped_ns;
	judge_edges(w, out);
	if (w->from.at_ns)
		counters_delta(&w->from, &w->to, out);
	if (!w->run->spec->flush && !simulated(w)) /* a flush works on the device, too */
		counters_read_device(&w->instruments, &w->idle);
}

void watch_open(struct watch *w)
{
	if (instruments_open(&w->instruments, w->run->spec))
		w->idle.at_ns = 0; /* of another device */
}
