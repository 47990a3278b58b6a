#include "run/stamp.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define CALIBRATE_NS 2000000
#define TRIES        5

#if defined(__x86_64__)
#include <cpuid.h>

static bool cpu_is_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1 << 8;
}
#else
static bool cpu_is_invariant(void)
{
	return false;
}
#endif

static bool kernel_trusts_it(void)
{
	char name[32] = "";
	AUTO(fclosep)
	FILE *f =
	    fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");

	return f && fgets(name, sizeof(name), f) && !strcmp(name, "tsc\n");
}

/* Read both clocks at one moment: the try with the least ticks between the two readings of the
 * counter. */
static void read_both(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	*ticks = *ns = 0;
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = stamp_ticks(), now = clock_mono_ns(),
			 width = stamp_ticks() - before;

		if (width < best) {
			best = width;
			*ticks = before + width / 2;
			*ns = now;
		}
	}
}

void stamp_sync(struct stamp *s)
{
	uint64_t ticks, ns;

	if (!s->tsc)
		return;
	read_both(&ticks, &ns);
	if (ticks <= s->origin_ticks || ns <= s->origin_ns)
		return;
	s->mult = (uint64_t)(((unsigned __int128)(ns - s->origin_ns) << 32) /
	                     (ticks - s->origin_ticks));
	s->base_ticks = ticks;
	s->base_ns = ns;
}

void stamp_init(struct stamp *s)
{
	*s = (struct stamp){ .tsc = cpu_is_invariant() && kernel_trusts_it() };
	if (!s->tsc)
		return;
	read_both(&s->origin_ticks, &s->origin_ns);
	clock_sleep_until(s->origin_ns + CALIBRATE_NS);
	stamp_sync(s);
}
