/* core_gap RUNS WINDOW_MS: the time from the end of one run's window to the start of the next
 * one's, without any storing: runs of the null engine that differ in pattern, block size and
 * depth. One JSON object. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "plan/effective.h"
#include "run/core.h"
#include "support/default_job.h"

static struct run_spec spec_of(uint64_t window_ns)
{
	struct target_info none = { .kind = TARGET_NOT_NEEDED };
	struct world world = { .target = &none, .targets = 1 };
	struct run_spec s = { .job = default_job(),
		              .region_bytes = GIB,
		              .target_bytes = GIB,
		              .seed = 1 };

	s.job.ioengine = ENGINE_NULL;
	s.job.size = GIB;
	s.job.ramp_time = 0;
	s.job.runtime = window_ns;
	s.job.time_based = 1;
	s.job.rw = RW_RANDREAD;
	job_resolve(&world, NULL, &s.job);
	return s;
}

/* What a sweep changes from run to run, in no order: 6 patterns, 4k to 1m, 1 to 64 in flight.
 */
static void vary(struct run_spec *s, struct rng *r)
{
	s->job.rw = rng_next(r) % RW_TRIM;
	s->job.bs = 4096ULL << rng_next(r) % 9;
	s->job.iodepth = 1ULL << rng_next(r) % 7;
	s->seed = rng_next(r);
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int measure(uint64_t *gap, size_t runs, uint64_t window_ns, struct err *e)
{
	AUTO(freep) struct live *live = xcalloc(1, sizeof(*live));
	AUTO(freep) struct sample *sample = xcalloc(1, sizeof(*sample));
	struct run_spec spec = spec_of(window_ns);
	struct core *core;
	struct rng r;
	int rc = core_new(&core, live, e);

	rng_seed(&r, 1);
	for (size_t i = 0; !rc && i < runs; i++) {
		uint64_t began = clock_mono_ns();

		vary(&spec, &r);
		rc = core_run(core, &spec, sample, e);
		gap[i] = clock_mono_ns() - began;
		gap[i] -= gap[i] < sample->window_ns ? gap[i] : sample->window_ns;
	}
	core_free(core);
	return rc;
}

int main(int argc, char **argv)
{
	size_t runs = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	uint64_t window_ns = argc == 3 ? strtoul(argv[2], NULL, 10) * 1000000 : 0;
	struct err e = { 0 };

	if (!runs || !window_ns) {
		(void)fprintf(stderr, "usage: %s RUNS WINDOW_MS\n", argv[0]);
		return 2;
	}
	AUTO(freep) uint64_t *gap = xcalloc(runs, sizeof(*gap));

	if (measure(gap, runs, window_ns, &e)) {
		(void)fprintf(stderr, "%s: %s\n", argv[0], e.text);
		return 1;
	}
	qsort(gap, runs, sizeof(*gap), ascending);
	printf("{\"gaps\":%zu,\"p50_ms\":%.4f,\"p99_ms\":%.4f,\"max_ms\":%.4f}\n", runs,
	       (double)gap[(runs - 1) / 2] / 1e6, (double)gap[(runs * 99 + 99) / 100 - 1] / 1e6,
	       (double)gap[runs - 1] / 1e6);
	return 0;
}
