#include "run/pool.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"

#define SPIN_NS     (100 * USEC)
#define STACK_BYTES (256 * KIB) /* address space; touched as needed */

static void futex_wake_all(_Atomic uint32_t *word)
{
	(void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Returns when *word is not `value`, on a signal, or at the absolute monotonic time (0: never).
 */
static void futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t until_ns)
{
	struct timespec ts = { .tv_sec = (time_t)(until_ns / SEC),
		               .tv_nsec = (long)(until_ns % SEC) };

	(void)syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, until_ns ? &ts : NULL,
	              NULL, FUTEX_BITSET_MATCH_ANY);
}

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* A sleeper takes tens of microseconds to wake. Where CPUs are free, look on for a moment
 * first. */
static void spin_while(const _Atomic uint32_t *word, uint32_t value)
{
	uint64_t until = clock_mono_ns() + SPIN_NS;

	while (atomic_load_explicit(word, memory_order_acquire) == value &&
	       clock_mono_ns() < until)
		relax();
}

static void *lane_main(void *arg)
{
	struct lane *lane = arg;
	uint32_t command;
	bool spin;

	(void)prctl(PR_SET_NAME, "iosweep-job");
	(void)prctl(PR_SET_TIMERSLACK, 1); /* the default of 50 us would blur every deadline */
	do {
		while ((command = atomic_load_explicit(&lane->command, memory_order_acquire)) ==
		       LANE_PARKED)
			futex_wait(&lane->command, LANE_PARKED, 0);
		if (command == LANE_PREPARE)
			lane_prepare(lane);
		else if (command == LANE_RUN)
			lane_run(lane);
		else if (command == LANE_TURNS)
			lane_turns(lane->run);
		else if (command == LANE_TRIM)
			lane_trim(lane);
		else
			lane_release(lane);
		atomic_store_explicit(&lane->command, LANE_PARKED, memory_order_relaxed);
		spin = command == LANE_PREPARE && lane->run->spin;
		if (atomic_fetch_sub_explicit(lane->pending, 1, memory_order_acq_rel) == 1)
			futex_wake_all(lane->pending);
		if (spin)
			spin_while(&lane->command, LANE_PARKED);
	} while (command != LANE_EXIT);
	return NULL;
}

void pool_init(struct pool *p, struct run *run)
{
	p->run = run;
	p->lane = NULL;
	p->n = p->cap = 0;
	atomic_init(&p->pending, 0);
}

static int start_thread(struct lane *lane)
{
	sigset_t all, old;
	pthread_attr_t attr;
	int r = pthread_attr_init(&attr);

	if (r)
		return r;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	(void)sigfillset(&all); /* signals are the coordinator's business */
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(&lane->thread, &attr, lane_main, lane);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_attr_destroy(&attr);
	return r;
}

/* End the lanes from number `keep` on. */
static void end_from(struct pool *p, unsigned keep)
{
	atomic_store_explicit(&p->pending, p->n - keep, memory_order_relaxed);
	for (unsigned i = keep; i < p->n; i++) {
		atomic_store_explicit(&p->lane[i]->command, LANE_EXIT, memory_order_release);
		futex_wake_all(&p->lane[i]->command);
	}
	for (unsigned i = keep; i < p->n; i++) {
		(void)pthread_join(p->lane[i]->thread, NULL);
		lane_free(p->lane[i]);
	}
	p->n = keep;
}

static int start_lane(struct pool *p)
{
	struct lane *lane = lane_new(p->n, p->run, &p->pending);
	int r = lane ? start_thread(lane) : ENOMEM;

	if (r)
		lane_free(lane);
	else
		p->lane[p->n++] = lane;
	return r;
}

int pool_grow(struct pool *p, unsigned n, struct err *e)
{
	unsigned before = p->n;
	int r = 0;

	if (n > p->cap) {
		struct lane **lane = reallocarray(p->lane, n, sizeof(struct lane *));

		if (!lane)
			return err_set(e, -ENOMEM, "out of memory for %u jobs", n);
		p->lane = lane;
		p->cap = n;
	}
	while (p->n < n && !r)
		r = start_lane(p);
	if (!r)
		return 0;
	(void)err_set(
	    e, -r,
	    "cannot start job %u of %u: %s (limits: ulimit -u, kernel.threads-max, pids "
	    "of the cgroup, vm.max_map_count)",
	    p->n + 1, n, err_name(r));
	end_from(p, before);
	return -r;
}

void pool_command(struct pool *p, unsigned n, enum lane_command command)
{
	atomic_store_explicit(&p->pending, n, memory_order_relaxed);
	for (unsigned i = 0; i < n; i++) {
		atomic_store_explicit(&p->lane[i]->command, command, memory_order_release);
		futex_wake_all(&p->lane[i]->command);
	}
}

void pool_finish(struct pool *p)
{
	uint32_t left = atomic_load_explicit(&p->pending, memory_order_acquire);

	if (left == 1 && p->run->spin)
		spin_while(&p->pending, left);
	(void)pool_wait(p, UINT64_MAX);
}

bool pool_wait(struct pool *p, uint64_t until_ns)
{
	uint32_t left;

	while ((left = atomic_load_explicit(&p->pending, memory_order_acquire)) != 0) {
		if (clock_mono_ns() >= until_ns)
			return false;
		futex_wait(&p->pending, left, until_ns);
	}
	return true;
}

unsigned pool_pending(const struct pool *p)
{
	return atomic_load_explicit(&p->pending, memory_order_acquire);
}

void pool_fini(struct pool *p)
{
	(void)pool_wait(p, UINT64_MAX); /* lanes that were given up have to come back first */
	end_from(p, 0);
	free(p->lane);
}
