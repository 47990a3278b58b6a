#include "run/doubts.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "run/doubts_private.h"

/* null measures this program alone; what is simulated does not know this machine. */
enum measured { REAL = 1, NULL_TOO = 2, SIM_TOO = 4 };

static const struct {
	enum flag_id id;
	bool (*holds)(const struct doubts_case *c, char *why, size_t size);
	unsigned of; /* enum measured */
} rules[] = {
	{ FLAG_cached, doubt_cached, REAL },
	{ FLAG_warm_cache, doubt_warm_cache, REAL },
	{ FLAG_page_cache, doubt_page_cache, REAL },
	{ FLAG_unwritten, doubt_unwritten, REAL },
	{ FLAG_foreign_io, doubt_foreign_io, REAL },
	{ FLAG_cpu_bound, doubt_cpu_bound, REAL },
	{ FLAG_degraded, doubt_degraded, REAL | NULL_TOO },
	{ FLAG_short_window, doubt_short_window, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_vm_steal, doubt_vm_steal, REAL | NULL_TOO },
	{ FLAG_throttled, doubt_throttled, REAL | NULL_TOO },
	{ FLAG_lower_cache, doubt_lower_cache, REAL | SIM_TOO },
	{ FLAG_partial_job, doubt_partial_job, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_stalls, doubt_stalls, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_drift, doubt_drift, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_bimodal, doubt_bimodal, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_unsteady, doubt_unsteady, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_few_samples, doubt_few_samples, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_depth_not_reached, doubt_depth_not_reached, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_overlapping_offsets, doubt_overlapping_offsets, REAL | SIM_TOO },
	{ FLAG_small_region, doubt_small_region, REAL },
	{ FLAG_io_wq, doubt_io_wq, REAL },
	{ FLAG_unverified, doubt_unverified, REAL },
	{ FLAG_wide, doubt_wide, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_rate_limited, doubt_rate_limited, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_uncalibrated, doubt_uncalibrated, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_p_unresolved, doubt_p_unresolved, REAL | NULL_TOO | SIM_TOO },
	{ FLAG_behind_schedule, doubt_behind_schedule, REAL | NULL_TOO | SIM_TOO },
};

static unsigned kind_of(const struct job *j)
{
	unsigned caps = engine_ops(j->ioengine)->caps;

	if (caps & ENGINE_SIMULATED)
		return SIM_TOO;
	return caps & ENGINE_NO_TARGET ? NULL_TOO : REAL;
}

void doubts_eval(struct doubts *out, const struct run_spec *spec, const struct sample *s,
                 const struct target_info *t, uint64_t memory_bytes)
{
	const struct job *j = &spec->job;
	struct doubts_case c = {
		.spec = spec,
		.job = j,
		.sample = s,
		.target = t,
		.memory_bytes = memory_bytes,
		.ios = s->op[OP_READ].ios + s->op[OP_WRITE].ios + s->op[OP_TRIM].ios,
		.bytes = s->op[OP_READ].bytes + s->op[OP_WRITE].bytes + s->op[OP_TRIM].bytes,
		.queue = j->numjobs * j->iodepth * run_targets(spec),
		.turn = j->numjobs * (job_paced(j) ? 1 : j->iodepth) * run_targets(spec),
		.block_device = true,
		.directory = true,
		.real = !(engine_ops(j->ioengine)->caps & ENGINE_NO_TARGET),
		.reads = job_does(j, OP_READ),
		.writes = job_does(j, OP_WRITE),
	};
	const unsigned kind = kind_of(j);
	char why[512];
	size_t n = 0;

	for (unsigned i = 0; i < run_targets(spec); i++) {
		c.block_device &= spec[i].block_device;
		c.directory &= spec[i].directory;
	}
	*out = (struct doubts){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (!(rules[i].of & kind) || !rules[i].holds(&c, why, sizeof(why)))
			continue;
		out->flags |= 1ULL << rules[i].id;
		if (n < sizeof(out->why))
			n += (size_t)snprintf(out->why + n, sizeof(out->why) - n, "%s%s: %s",
			                      n ? "\n" : "", flag_at(rules[i].id)->name, why);
	}
}
