/* run/stamp.h: the clock of the hot loop. CLOCK_MONOTONIC nanoseconds, read from the time-stamp
 * counter where the CPU keeps it invariant and the kernel trusts it (half the cost), else by
 * clock_gettime(). */
#ifndef RUN_STAMP_H
#define RUN_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct stamp {
	bool tsc;
	uint64_t mult; /* ns = base_ns + (ticks - base_ticks) * mult / 2^32 */
	uint64_t base_ticks, base_ns;
	uint64_t origin_ticks, origin_ns; /* first reading: the long baseline for mult */
};

void stamp_init(struct stamp *s); /* takes up to 2 ms to calibrate */
/* Follow CLOCK_MONOTONIC again: call it a few times a second from the owner of the copy. It may
 * step back by what was wrong since the last call (microseconds). */
void stamp_sync(struct stamp *s);

#if defined(__x86_64__)
static inline uint64_t stamp_ticks(void)
{
	return __builtin_ia32_rdtsc();
}
#else
static inline uint64_t stamp_ticks(void)
{
	return 0;
}
#endif

static inline uint64_t stamp_now(const struct stamp *s)
{
	uint64_t ticks;

	if (!s->tsc)
		return clock_mono_ns();
	ticks = stamp_ticks() - s->base_ticks;
	/* Another CPU's counter may be a few ticks behind the one that set the base. */
	if ((int64_t)ticks < 0)
		return s->base_ns;
	return s->base_ns + (uint64_t)(((unsigned __int128)ticks * s->mult) >> 32);
}

#endif
