/* run/doubts_private.h: what the rules look at. */
#ifndef RUN_DOUBTS_PRIVATE_H
#define RUN_DOUBTS_PRIVATE_H

#include "run/doubts.h"

struct doubts_case {
	const struct run_spec *spec;
	const struct job *job;
	const struct sample *sample;
	const struct target_info *target;
	uint64_t memory_bytes;
	uint64_t ios, bytes; /* reads, writes and trims of the window */
	uint64_t queue;      /* numjobs x iodepth x targets */
	uint64_t turn;       /* I/Os that are in flight at a time, at least: queue; all jobs when paced */
	bool block_device, directory; /* every target is one */
	bool real;           /* the engine does I/O */
	bool reads, writes;  /* the pattern does, and with this rwmixread */
};

/* A rule: does its flag apply? If so, why, in a sentence without a full stop. */
#define RULE(name) bool doubt_##name(const struct doubts_case *c, char *why, size_t size)

/* doubts_cpu.c */
RULE(cpu_bound);
RULE(vm_steal);
RULE(throttled);
RULE(io_wq);

/* doubts_device.c */
RULE(cached);
RULE(warm_cache);
RULE(page_cache);
RULE(foreign_io);
RULE(unverified);

/* doubts_work.c */
RULE(unwritten);
RULE(short_window);
RULE(partial_job);
RULE(lower_cache);
RULE(degraded);
RULE(few_samples);
RULE(depth_not_reached);
RULE(overlapping_offsets);
RULE(small_region);
RULE(behind_schedule);

/* There is a rate, and it was not held. */
bool is_behind(const struct doubts_case *c);

/* doubts_course.c */
RULE(stalls);
RULE(drift);
RULE(bimodal);
RULE(unsteady);
RULE(wide);
RULE(rate_limited);
RULE(uncalibrated);
RULE(p_unresolved);

#endif
