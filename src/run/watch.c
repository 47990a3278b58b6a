#include "run/watch.h"

#include "base/units.h"

#define LOOK_NS (100 * MSEC)

static void read_counters(const struct watch *w, struct counters *c)
{
	c->device_ok = w->device_fd >= 0 && !device_stat_read(w->device_fd, &c->device);
	c->cpu_ok = !cpu_stat_read(&c->cpu);
	c->at_ns = clock_mono_ns();
}

static void open_window(struct watch *w, uint64_t at_ns)
{
	if (!w->from.at_ns)
		read_counters(w, &w->from);
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
	if (!w->run->ramp_ns)
		read_counters(w, &w->from);
}

unsigned watch_run(struct watch *w)
{
	const bool simulated = w->run->ops->now; /* its time is not ours */
	const uint64_t ramp_end = simulated ? 0 : w->run->start_ns + w->run->ramp_ns;
	const uint64_t stop =
	    simulated || w->run->runtime_ns == NO_END ? NO_END : ramp_end + w->run->runtime_ns;
	enum live_phase phase = LIVE_RAMP;
	uint64_t now = clock_mono_ns();
	unsigned hung = 0;
	uint64_t next;
	uint32_t asked;

	live_phase(w->live, LIVE_RAMP);
	do {
		if (phase == LIVE_RAMP && now >= ramp_end) {
			open_window(w, ramp_end);
			phase = LIVE_WINDOW;
		}
		if (phase == LIVE_WINDOW && now >= stop) {
			read_counters(w, &w->to);
			live_phase(w->live, LIVE_DRAIN);
			phase = LIVE_DRAIN;
		}
		asked = atomic_load_explicit(&w->live->stop, memory_order_relaxed);
		if (asked)
			atomic_store_explicit(&w->run->stop, 1, memory_order_relaxed);
		if (!simulated)
			publish(w);
		hung = asked == STOP_GIVE_UP && phase == LIVE_DRAIN ? pool_pending(w->pool) : 0;
		if (hung)
			break;
		next = now + LOOK_NS;
		if (phase == LIVE_RAMP && ramp_end < next)
			next = ramp_end;
		else if (phase == LIVE_WINDOW && stop < next)
			next = stop;
		if (pool_wait(w->pool, next))
			break;
		now = clock_mono_ns();
	} while (true);
	if (!w->to.at_ns)
		read_counters(w, &w->to);
	publish(w);
	return hung;
}

/* The kernel's iowait, a part of idle, may run backwards. */
static uint64_t since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

void watch_end(const struct watch *w, struct sample *out)
{
	const struct counters *a = &w->from, *b = &w->to;

	if (!a->at_ns)
		return;
	if (a->cpu_ok && b->cpu_ok) {
		out->system_ns = since(a->cpu.busy_ns, b->cpu.busy_ns);
		out->idle_ns = since(a->cpu.idle_ns, b->cpu.idle_ns);
		out->steal_ns = since(a->cpu.steal_ns, b->cpu.steal_ns);
	}
	if (a->device_ok && b->device_ok)
		device_stat_delta(&a->device, &b->device, b->at_ns - a->at_ns, &out->device);
}
