#include "run/paced.h"

#include "base/units.h"
#include "run/loop_window.h"

/* A thread that sleeps wakes up late, by about this much where the CPU went idle: it looks at the
 * clock from so long before the next start on, if it has a CPU for itself. */
#define SPIN_NS (50 * USEC)
/* A look at the clock takes no longer: meanwhile another had the CPU. */
#define LOOK_NS (5 * USEC)

void paced_prepare(struct loop *l, const struct run_spec *spec, unsigned job)
{
	const struct job *j = &spec->job;

	l->rated = job_rated(j);
	l->paced = job_paced(j);
	l->think = (struct think){ .pause_ns = j->thinktime,
		                   .spin_ns = j->thinktime_spin < j->thinktime ? j->thinktime_spin
		                                                             : j->thinktime,
		                   .blocks = j->thinktime_blocks,
		                   .io_ns = j->thinktime_iotime };
	if (l->rated)
		pace_init(&l->pace, spec, job);
}

void paced_begin(struct loop *l, uint64_t start_ns)
{
	if (l->rated)
		pace_begin(&l->pace, start_ns);
	l->think.since_ns = l->looked_ns = start_ns;
	l->spinning = l->started = l->held = false;
	l->room_ns = start_ns;
}

/* --- what may start --- */

static bool enough(const struct think *t, uint64_t now)
{
	return (t->blocks && t->ios >= t->blocks) ||
	       (t->io_ns && now >= t->since_ns + t->io_ns);
}

/* So many I/Os, or I/Os for so long; when they are complete, the pause. */
static bool thinks(struct loop *l, uint64_t now)
{
	struct think *t = &l->think;

	if (!t->holds && !enough(t, now))
		return false;
	t->holds = true;
	if (l->inflight || l->nbatch || l->sync != SYNC_NONE)
		return true;
	if (!t->until_ns) {
		t->until_ns = now + t->pause_ns;
		t->spin_until_ns = now + t->spin_ns;
	}
	if (now < t->until_ns)
		return true;
	t->holds = false;
	t->until_ns = t->ios = 0;
	t->since_ns = now;
	return false;
}

bool paced_ready(struct loop *l, bool room, uint64_t now)
{
	if (!room || (l->think.pause_ns && thinks(l, now))) {
		l->held = true;
		return false;
	}
	if (l->held)
		l->room_ns = now;
	l->held = false;
	return true;
}

/* That this thread came late is none of the device's doing. */
static void note_late(struct loop *l, uint64_t due, uint64_t now)
{
	uint64_t could = due > l->room_ns ? due : l->room_ns;

	if (l->phase == LOOP_WINDOW && now > could)
		l->tally->start_late_ns += now - could;
}

static void note_lag(struct loop *l, uint64_t lag, uint64_t waiting)
{
	if (lag > l->tally->lag_max_ns)
		l->tally->lag_max_ns = lag;
	if (waiting > l->tally->backlog_max)
		l->tally->backlog_max = waiting;
}

int paced_next(struct loop *l, uint64_t now, uint32_t slot)
{
	uint64_t due = 0;
	int op;

	if (l->think.pause_ns && l->think.blocks && l->think.ios >= l->think.blocks)
		return -1;
	op = l->rated ? pace_next(&l->pace, now, &due) : (int)workload_op(&l->work);
	if (op < 0)
		return op;
	if (l->rated) {
		if (due)
			note_late(l, due, now);
		if (due && l->phase == LOOP_WINDOW && now - due > l->tally->lag_max_ns)
			note_lag(l, now - due, pace_waiting(&l->pace, now, l->mean_len) - 1);
		l->due_ns[slot] = due;
	}
	l->think.ios++;
	l->started = true;
	return op;
}

void paced_took(struct loop *l, const struct io *io)
{
	if (l->rated)
		pace_step(&l->pace, io->op, io->len);
	if (!l->nfree)
		l->held = true;
}

/* --- waiting --- */

/* When an I/O may start without one being completed before; NO_END: never. */
static uint64_t next_start(const struct loop *l)
{
	const struct think *t = &l->think;

	if (l->phase >= LOOP_DRAIN || l->sync != SYNC_NONE || !l->nfree || !l->work.left)
		return NO_END;
	if (t->holds)
		return t->until_ns ? t->until_ns : NO_END;
	return l->rated ? pace_due(&l->pace) : 0;
}

/* To look at the clock without waiting until `start`, which is near. */
static bool spins(const struct loop *l, uint64_t now, uint64_t start)
{
	if (l->run->ops->now) /* it stands while nobody waits */
		return false;
	return now < l->think.spin_until_ns || (l->run->spin && start - now <= SPIN_NS);
}

unsigned paced_wait(struct loop *l, uint64_t *deadline)
{
	uint64_t now = now_ns(l), start = next_start(l);
	unsigned min = l->inflight < l->reap_min ? l->inflight : l->reap_min;

	l->spinning = start != NO_END && start > now && spins(l, now, start);
	if (start <= now || l->spinning || (start == NO_END && !l->inflight)) {
		*deadline = now;
		return 0;
	}
	if (start != NO_END && l->run->spin && !l->run->ops->now)
		start -= SPIN_NS;
	*deadline = min_u64(*deadline, start);
	return l->inflight ? min : 1;
}

int paced_rest(struct loop *l, uint64_t deadline)
{
	if (l->run->ops->now)
		return engine_reap(l->run->ops, l->eng, l->done, 1, l->reap_max, deadline);
	if (deadline > now_ns(l))
		clock_sleep_until(deadline);
	return 0;
}

void paced_turn(struct loop *l, bool completed, uint64_t now)
{
	if (l->spinning && !l->started && !completed && now > l->looked_ns)
		l->tally->spin_ns += min_u64(now - l->looked_ns, LOOK_NS);
	l->looked_ns = now;
	l->started = false;
}

/* --- what is counted --- */

void paced_record(struct loop *l, const struct io *io, uint64_t now)
{
	struct tally *t = l->tally;
	uint64_t due = io->op == OP_SYNC ? 0 : l->due_ns[io->slot],
		 service = now > io->start ? now - io->start : 0;

	hist_record(&t->service[io->op], service);
	hist_record(&t->lat[io->op], due && now > due ? now - due : service);
}

void paced_close(struct loop *l, uint64_t at)
{
	uint64_t due;

	if (!l->rated || !l->work.left)
		return;
	due = pace_due(&l->pace);
	l->tally->unstarted = pace_waiting(&l->pace, at - 1, l->mean_len);
	if (due && due < at)
		note_lag(l, at - due, l->tally->unstarted);
}
