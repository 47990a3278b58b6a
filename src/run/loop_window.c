#include "run/loop_window.h"

#include <sys/resource.h>

#include "base/units.h"
#include "run/paced.h"

#define TICK_NS (100 * MSEC) /* a job comes back to look around at least this often */
#define SPIN_NS (200 * USEC) /* longer waits for the start sleep first */

static void totals(const struct tally *t, struct series_slot *sum)
{
	for (int op = 0; op < OP_COUNT; op++) {
		sum->ios[op] = t->lat[op].n;
		sum->bytes[op] = t->bytes[op];
		sum->lat_sum_ns[op] = t->lat[op].sum;
	}
}

static void cpu_time(uint64_t *user_ns, uint64_t *sys_ns)
{
	struct rusage u;

	(void)getrusage(RUSAGE_THREAD, &u);
	*user_ns = (uint64_t)u.ru_utime.tv_sec * SEC + (uint64_t)u.ru_utime.tv_usec * USEC;
	*sys_ns = (uint64_t)u.ru_stime.tv_sec * SEC + (uint64_t)u.ru_stime.tv_usec * USEC;
}

/* CPU time of this thread since the window opened, but for what it took to meet planned starts. */
static void book_cpu(struct loop *l)
{
	struct tally *t = l->tally;
	uint64_t user;

	cpu_time(&t->cpu_user_ns, &t->cpu_sys_ns);
	t->cpu_user_ns -= l->cpu_user_ns;
	t->cpu_sys_ns -= l->cpu_sys_ns;
	user = min_u64(t->cpu_user_ns, t->spin_ns);
	t->cpu_user_ns -= user;
	t->cpu_sys_ns -= min_u64(t->cpu_sys_ns, t->spin_ns - user);
}

static void open_window(struct loop *l)
{
	struct tally *t = l->tally;
	uint64_t from = l->ramp_end_ns > t->started_ns ? l->ramp_end_ns : t->started_ns;

	t->window_from_ns = t->window_to_ns = from;
	t->inflight_ns = t->spin_ns = 0;
	l->last_ns = l->gap_from_ns = from;
	l->slot_end_ns = from + t->series.slot_ns;
	l->phase = LOOP_WINDOW;
}

void window_close(struct loop *l, uint64_t at, uint64_t now)
{
	struct tally *t = l->tally;
	struct series_slot sum;

	if (l->phase == LOOP_WINDOW) {
		advance(l, at);
		note_gap(l, at);
		t->window_to_ns = at > t->window_from_ns ? at : t->window_from_ns;
		if (now)
			book_cpu(l);
		if (l->rated)
			paced_close(l, at);
		totals(t, &sum);
		series_end(&t->series, &sum);
		l->last_ns = NO_END; /* nothing more is booked */
	} else {
		t->inflight_ns = 0;
	}
	t->stopped_ns = now;
	t->inflight_at_stop = l->inflight;
	while (l->nbatch) /* never submitted: never happened */
		l->free[l->nfree++] = l->batch[--l->nbatch];
	l->phase = LOOP_DRAIN;
}

static void next_slot(struct loop *l, uint64_t now)
{
	struct tally *t = l->tally;
	struct series_slot sum;

	totals(t, &sum);
	l->slot_end_ns =
	    t->window_from_ns + series_advance(&t->series, now - t->window_from_ns, &sum);
	marks_take(&t->marks, t->lat, now - t->window_from_ns);
}

void window_pass(struct loop *l, uint64_t now)
{
	if (l->phase == LOOP_RAMP && now >= l->ramp_end_ns) {
		open_window(l);
		cpu_time(&l->cpu_user_ns, &l->cpu_sys_ns);
	}
	if (l->phase == LOOP_WINDOW && now >= l->stop_ns)
		window_close(l, l->stop_ns, now);
	if (l->phase == LOOP_WINDOW && now >= l->slot_end_ns)
		next_slot(l, now);
	if (now >= l->tick_ns) {
		stamp_sync(&l->stamp);
		l->tick_ns = now + TICK_NS;
		if (l->phase == LOOP_WINDOW)
			book_cpu(l); /* lest it is given up */
	}
	l->next_event_ns = l->tick_ns;
	if (l->phase == LOOP_RAMP)
		l->next_event_ns = min_u64(l->tick_ns, l->ramp_end_ns);
	else if (l->phase == LOOP_WINDOW)
		l->next_event_ns = min_u64(l->tick_ns, min_u64(l->stop_ns, l->slot_end_ns));
}

static void wait_for_start(struct loop *l)
{
	const struct run *run = l->run;
	uint64_t now;

	if (run->ops->now)
		return;
	while ((now = now_ns(l)) < run->start_ns) {
		if (!run->spin)
			clock_sleep_until(run->start_ns);
		else if (run->start_ns - now > SPIN_NS)
			clock_sleep_until(run->start_ns - SPIN_NS / 2);
	}
}

void window_begin(struct loop *l)
{
	uint64_t start, now;

	wait_for_start(l);
	now = now_ns(l);
	start = l->run->ops->now ? now : l->run->start_ns;
	l->tally->started_ns = now;
	l->ramp_end_ns = start + l->run->ramp_ns;
	l->stop_ns =
	    l->run->runtime_ns == NO_END ? NO_END : l->ramp_end_ns + l->run->runtime_ns;
	l->tick_ns =
	    l->run->ops->now ? NO_END : now + TICK_NS; /* nothing else happens meanwhile */
	l->last_ns = now;
	l->phase = LOOP_RAMP;
	if (l->paced)
		paced_begin(l, start);
	window_pass(l, now);
}

void window_hasten(struct loop *l, uint64_t now)
{
	uint64_t at = atomic_load_explicit(&l->run->stop_at_ns, memory_order_relaxed);

	if (likely(at >= l->stop_ns))
		return;
	/* slots of a job that came late end elsewhere: what it counted since stays in its time
	 */
	if (l->tally->window_from_ns != l->ramp_end_ns && at < now)
		at = now;
	l->stop_ns = at;
}

bool tally_claim(struct loop *l)
{
	uint32_t owner = TALLY_FREE;

	return atomic_compare_exchange_strong_explicit(
	    &l->owner, &owner, TALLY_JOB, memory_order_acquire, memory_order_relaxed);
}

void tally_release(struct loop *l)
{
	atomic_store_explicit(&l->owner, TALLY_FREE, memory_order_release);
}

void loop_give_up(struct loop *l)
{
	uint32_t owner = TALLY_FREE;

	while (!atomic_compare_exchange_weak_explicit(
	    &l->owner, &owner, TALLY_TAKEN, memory_order_acquire, memory_order_relaxed))
		owner = TALLY_FREE;
	(void)atomic_load_explicit(&l->entered, memory_order_acquire);
	if (l->phase == LOOP_RAMP)
		open_window(l);
	window_hasten(l, 0);
	if (l->phase == LOOP_WINDOW)
		window_close(l, l->stop_ns, 0);
}
