/* run/loop_window.h: the phases of one job, for run/loop.c: when its window opens and ends, and
 * what is booked there. What is not inline is called a few times a second. */
#ifndef RUN_LOOP_WINDOW_H
#define RUN_LOOP_WINDOW_H

#include "base/branch.h"
#include "run/loop.h"

static inline uint64_t now_ns(const struct loop *l)
{
	return unlikely(l->run->ops->now) ? l->run->ops->now(l->eng) : stamp_now(&l->stamp);
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Book the time up to now with the present number of I/Os in flight. */
static inline void advance(struct loop *l, uint64_t now)
{
	if (now <= l->last_ns)
		return;
	l->tally->inflight_ns += l->inflight * (now - l->last_ns);
	l->last_ns = now;
}

static inline void note_gap(struct loop *l, uint64_t now)
{
	if (now > l->gap_from_ns && now - l->gap_from_ns > l->tally->longest_gap_ns)
		l->tally->longest_gap_ns = now - l->gap_from_ns;
	l->gap_from_ns = now;
}

/* Wait for the common start; the ramp begins. */
void window_begin(struct loop *l);
/* next_event_ns has passed: the window opens or ends, a slot is full, or it is time to look at
 * the clock. Sets the next one. */
void window_pass(struct loop *l, uint64_t now);
/* The window ends at `at`; this job saw that at `now` (0: it does not come back). I/Os in
 * flight are drained. */
void window_close(struct loop *l, uint64_t at, uint64_t now);
/* Does the run end before its time? Take that over, lest the window closes too late. */
void window_hasten(struct loop *l, uint64_t now);

/* The stop has passed: make the tally the job's own for a moment. False: it was taken away. */
bool tally_claim(struct loop *l);
void tally_release(struct loop *l);

#endif
