#include "run/loop.h"

#include <errno.h>

#include "base/branch.h"
#include "base/units.h"
#include "run/loop_fail.h"
#include "run/loop_window.h"
#include "run/paced.h"

#define RETRY_NS MSEC /* pause when the kernel takes nothing and nothing is in flight */

static inline void publish(struct loop *l, uint64_t waiting_since)
{
	atomic_store_explicit(&l->progress->ios, l->ios, memory_order_relaxed);
	atomic_store_explicit(&l->progress->bytes, l->bytes, memory_order_relaxed);
	atomic_store_explicit(&l->progress->waiting_since_ns, waiting_since,
	                      memory_order_relaxed);
}

/* --- completions --- */

static inline uint64_t age(const struct io *io, uint64_t now)
{
	return now > io->start ? now - io->start : 0;
}

/* Its slot is free, unless what was trimmed is to be written: that waits for the trim. */
static void release(struct loop *l, struct io *io)
{
	if (l->trims_first && io->op == OP_TRIM)
		l->follow[l->nfollow++] = io;
	else
		l->free[l->nfree++] = io;
}

/* `plain` is known where it is called: two loops are made of it. */
static inline __attribute__((always_inline)) void count_window(struct loop *l, unsigned n,
                                                               uint64_t now, bool plain)
{
	struct tally *t = l->tally;
	uint64_t bytes = 0, ios = 0;

	for (unsigned i = 0; i < n; i++) {
		struct io *io = l->done[i];

		if (unlikely(io->res != (int32_t)io->len) && loop_odd_result(l, io, now))
			continue;
		if (!plain && l->rated)
			paced_record(l, io, now);
		else
			hist_record(&t->lat[io->op], age(io, now));
		t->bytes[io->op] += (uint32_t)io->res;
		bytes += (uint32_t)io->res;
		ios++;
		if (plain)
			l->free[l->nfree++] = io;
		else
			release(l, io);
	}
	l->ios += ios;
	l->bytes += bytes;
	note_gap(l, now);
}

static void count_outside(struct loop *l, unsigned n, uint64_t now)
{
	struct tally *t = l->tally;
	bool drain = l->phase == LOOP_DRAIN;

	for (unsigned i = 0; i < n; i++) {
		struct io *io = l->done[i];

		if (unlikely(io->res != (int32_t)io->len) && loop_odd_result(l, io, now))
			continue;
		l->ios++;
		l->bytes += (uint32_t)io->res;
		release(l, io);
		if (!drain) {
			t->ramp_ios++;
			continue;
		}
		t->drain_ios++;
		if (age(io, now) > t->drain_max_ns)
			t->drain_max_ns = age(io, now);
	}
	if (drain && now > t->window_to_ns)
		t->drain_ns = now - t->window_to_ns;
}

static inline void account(struct loop *l, unsigned n, uint64_t now)
{
	if (l->phase == LOOP_WINDOW)
		advance(l, now);
	if (!n)
		return;
	l->inflight -= n;
	if (l->phase != LOOP_WINDOW)
		count_outside(l, n, now);
	else if (likely(l->plain))
		count_window(l, n, now, true);
	else
		count_window(l, n, now, false);
	publish(l, l->inflight ? now : 0);
}

/* --- submission --- */

static bool due(uint64_t writes, uint64_t every)
{
	return every && !(writes % every);
}

/* An fsync makes durable what an fdatasync would. */
static bool sync_due(struct loop *l)
{
	l->writes++;
	if (due(l->writes, l->fsync_every))
		l->sync = SYNC_DUE;
	else if (due(l->writes, l->fdatasync_every))
		l->sync = DATA_SYNC_DUE;
	return l->sync != SYNC_NONE;
}

/* True when a sync is due after this write. */
static inline bool prepare_write(struct loop *l, const struct io *io)
{
	if (l->prepare_writes)
		pattern_apply(&l->pattern, io->buf, io->len, io->offset);
	l->unsynced = true;
	return unlikely(l->syncs) && sync_due(l);
}

static inline bool may_issue(const struct loop *l)
{
	return l->phase < LOOP_DRAIN && l->sync == SYNC_NONE &&
	       ((l->nfree && l->work.left) || unlikely(l->nfollow));
}

/* Write a block that was trimmed. True when a sync is due after it. */
static bool follow(struct loop *l)
{
	struct io *io = l->follow[--l->nfollow];

	io->op = OP_WRITE;
	io->res = 0;
	io->start = 0;
	l->batch[l->nbatch++] = io;
	return prepare_write(l, io);
}

/* Take a slot for the next I/O, in that direction. True when a sync is due after it. */
static inline __attribute__((always_inline)) bool take(struct loop *l, unsigned op)
{
	struct io *io = l->free[--l->nfree];

	workload_place(&l->work, op, io);
	io->res = 0;
	io->start = 0;
	io->buf = l->buf[io->op] + io->slot * l->stride;
	l->batch[l->nbatch++] = io;
	return io->op == OP_WRITE && prepare_write(l, io);
}

static inline bool has_room(const struct loop *l)
{
	return l->nbatch < l->submit_max && l->nfree && l->work.left;
}

/* The same by a schedule, or with pauses. */
static __attribute__((noinline)) void fill_paced(struct loop *l, bool pause)
{
	uint64_t now = now_ns(l);
	int op;

	pause = !paced_ready(l, !pause, now);
	while (!pause && has_room(l)) {
		op = paced_next(l, now, l->free[l->nfree - 1]->slot);
		if (op < 0)
			return;
		pause = take(l, (unsigned)op);
		paced_took(l, l->batch[l->nbatch - 1]);
	}
}

static inline void fill(struct loop *l)
{
	bool pause = !may_issue(l);

	while (unlikely(l->nfollow) && !pause && l->nbatch < l->submit_max)
		pause = follow(l);
	if (unlikely(l->paced)) {
		fill_paced(l, pause);
		return;
	}
	while (!pause && has_room(l))
		pause = take(l, workload_op(&l->work));
}

static void queue_sync(struct loop *l, bool data_only)
{
	struct io *io = l->free[--l->nfree];

	io->op = OP_SYNC;
	io->data_only = data_only;
	io->offset = io->start = 0;
	io->len = 0;
	io->res = 0;
	l->batch[l->nbatch++] = io;
	l->sync = SYNC_FLYING;
}

static inline void submit(struct loop *l)
{
	unsigned n = l->nbatch;
	uint64_t now;
	int r;

	if (!n)
		return;
	now = now_ns(l);
	for (unsigned i = 0; i < n; i++)
		if (!l->batch[i]->start)
			l->batch[i]->start = now;
	if (l->phase < LOOP_DRAIN)
		advance(l, now);
	if (!l->inflight)
		publish(l, now);
	l->inflight += n; /* beforehand: a synchronous engine may stay in there */
	atomic_store_explicit(&l->entered, 1, memory_order_release);
	r = engine_submit(l->run->ops, l->eng, l->batch, n);
	if (r == (int)n)
		l->nbatch = 0;
	else
		loop_submit_less(l, r, now);
}

/* What to wait for: at least so many completions, until then. */
static inline unsigned reap_min(struct loop *l, uint64_t *deadline)
{
	unsigned min = may_issue(l) && !l->nbatch ? 0 : l->reap_min;

	*deadline = l->next_event_ns;
	if (unlikely(l->paced) && !l->nbatch)
		return paced_wait(l, deadline);
	if (unlikely(min > l->inflight))
		min = l->inflight;
	if (unlikely(!l->inflight) && l->nbatch) {
		min = 1;
		*deadline = min_u64(*deadline, now_ns(l) + RETRY_NS);
	}
	return min;
}

static inline unsigned reap(struct loop *l)
{
	uint64_t deadline;
	unsigned min = reap_min(l, &deadline);
	int r;

	if (unlikely(!l->inflight && !l->nbatch))
		r = l->paced ? paced_rest(l, deadline) : 0;
	else
		r = engine_reap(l->run->ops, l->eng, l->done, min, l->reap_max, deadline);
	if (r >= 0)
		return (unsigned)r;
	if (r != -EINTR && r != -EAGAIN) {
		struct io nothing = { .op = OP_READ };

		loop_fail(l, &nothing, -r, now_ns(l));
		l->broken = true;
	}
	return 0;
}

/* --- the run --- */

/* What was trimmed too late to be written: its slots are free. */
static void forgo(struct loop *l)
{
	while (l->nfollow)
		l->free[l->nfree++] = l->follow[--l->nfollow];
}

/* Nothing is in flight or waiting: a sync that is due, or the end. */
static void settle(struct loop *l, uint64_t now)
{
	bool all_done = l->phase == LOOP_DRAIN || (!l->work.left && !l->nfollow);

	if (all_done)
		forgo(l);
	if (l->sync == SYNC_FLYING)
		l->sync = SYNC_NONE;
	if (l->sync != SYNC_NONE && l->phase < LOOP_DRAIN) {
		queue_sync(l, l->sync == DATA_SYNC_DUE);
	} else if (all_done && l->end_fsync && l->unsynced && !l->aborted) {
		l->unsynced = false;
		queue_sync(l, false);
	} else if (all_done) {
		if (l->phase < LOOP_DRAIN)
			window_close(l, now, now);
		l->phase = LOOP_DONE;
	}
}

static inline bool running(const struct loop *l)
{
	return l->phase != LOOP_DONE && !l->broken;
}

/* Wait for what was issued, and count it. False: given up. */
static inline bool collect(struct loop *l)
{
	unsigned got = reap(l);
	uint64_t now;
	bool event, owned;

	if (unlikely(!l->reap_min)) {
		l->polls.all++;
		l->polls.empty += !got;
	}
	now = now_ns(l);
	event = unlikely(now >= l->next_event_ns);
	if (event)
		window_hasten(l, now);
	owned = unlikely(now >= l->stop_ns);
	if (owned && !tally_claim(l)) {
		l->broken = true;
		return false;
	}
	if (event)
		window_pass(l, now);
	account(l, got, now);
	if (unlikely(l->paced))
		paced_turn(l, got, now);
	if (unlikely(atomic_load_explicit(&l->run->stop, memory_order_relaxed)) &&
	    l->phase < LOOP_DRAIN) {
		l->aborted = true;
		window_close(l, now, now);
	}
	if (unlikely(!l->inflight && !l->nbatch))
		settle(l, now);
	if (owned)
		tally_release(l);
	return true;
}

static void end(struct loop *l)
{
	if (l->phase < LOOP_DRAIN)
		window_close(l, now_ns(l), now_ns(l));
	publish(l, 0);
}

/* Issue and wait until all is done; in turns, each ends before the wait and the next begins
 * with it. One function for both: its parts are inlined where there is one place to put them.
 */
static void drive(struct loop *l, bool turns)
{
	bool issued = l->issued;

	l->issued = false;
	while (running(l)) {
		if (!issued) {
			fill(l);
			submit(l);
			l->issued = turns;
			if (unlikely(turns))
				return;
		}
		issued = false;
		if (!collect(l))
			return;
	}
	end(l);
}

void loop_run(struct loop *l)
{
	window_begin(l);
	drive(l, false);
}

void loop_begin(struct loop *l)
{
	window_begin(l);
	drive(l, true);
}

uint64_t loop_due(struct loop *l)
{
	uint64_t deadline;
	unsigned min = reap_min(l, &deadline);

	return l->inflight || l->nbatch || l->paced ? l->run->ops->due(l->eng, min, deadline)
	                                            : now_ns(l);
}

bool loop_turn(struct loop *l)
{
	drive(l, true);
	return l->issued;
}
