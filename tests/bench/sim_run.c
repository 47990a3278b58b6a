/* sim_run RUNS: the real time that a run of 30 s at 10,000 I/Os per second takes on a simulated
 * device with random times and noise, with one job and with 32. One JSON object. */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "run/core.h"
#include "support/default_job.h"

static struct run_spec spec_of(uint64_t jobs)
{
	struct run_spec s = { .job = default_job(),
		              .region_bytes = GIB,
		              .target_bytes = GIB,
		              .seed = 1 };

	s.job.ioengine = ENGINE_SIM;
	s.job.size = GIB;
	s.job.rw = RW_RANDREAD;
	s.job.numjobs = jobs;
	s.job.iodepth = 32 / jobs;
	s.job.runtime = 30 * SEC;
	s.job.ramp_time = 0;
	job_defaults(&s.job);
	s.sim = (struct sim_device){ .size_bytes = GIB, .servers = 32, .seed = 1 };
	s.sim.service[OP_READ] =
	    (struct sim_service){ .base_ns = 3200 * USEC, .spread = SIM_LOGNORMAL, .cv = 0.3 };
	s.sim.noise.cv = 0.02;
	s.sim.noise.rho = 0.5;
	s.sim.noise.slot_ns = 100 * MSEC;
	return s;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median, in ms; negative on failure. */
static double measure(uint64_t jobs, size_t runs, struct err *e)
{
	AUTO(freep) struct live *live = xcalloc(1, sizeof(*live));
	AUTO(freep) struct sample *sample = xcalloc(1, sizeof(*sample));
	AUTO(freep) uint64_t *took = xcalloc(runs, sizeof(*took));
	struct run_spec spec = spec_of(jobs);
	struct core *core;
	int rc = core_new(&core, live, e);

	for (size_t i = 0; !rc && i < runs; i++) {
		uint64_t began = clock_mono_ns();

		rc = core_run(core, &spec, sample, e);
		took[i] = clock_mono_ns() - began;
	}
	core_free(core);
	qsort(took, runs, sizeof(*took), ascending);
	return rc ? -1 : (double)took[(runs - 1) / 2] / 1e6;
}

int main(int argc, char **argv)
{
	size_t runs = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct err e = { 0 };
	double one, many;

	if (!runs) {
		(void)fprintf(stderr, "usage: %s RUNS\n", argv[0]);
		return 2;
	}
	one = measure(1, runs, &e);
	many = measure(32, runs, &e);
	if (e.code) {
		(void)fprintf(stderr, "%s: %s\n", argv[0], e.text);
		return 1;
	}
	printf("{\"runs\":%zu,\"one_job_ms\":%.2f,\"many_jobs_ms\":%.2f}\n", runs, one, many);
	return 0;
}
