#include "run/doubts.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "run/doubts_private.h"

static const struct {
	enum flag_id id;
	bool (*holds)(const struct doubts_case *c, char *why, size_t size);
	bool null_too; /* also of an engine that does no I/O, which measures this program alone
	                */
} rules[] = {
	{ FLAG_cached, doubt_cached, false },
	{ FLAG_page_cache, doubt_page_cache, false },
	{ FLAG_unwritten, doubt_unwritten, false },
	{ FLAG_foreign_io, doubt_foreign_io, false },
	{ FLAG_cpu_bound, doubt_cpu_bound, false },
	{ FLAG_degraded, doubt_degraded, true },
	{ FLAG_short_window, doubt_short_window, true },
	{ FLAG_vm_steal, doubt_vm_steal, true },
	{ FLAG_throttled, doubt_throttled, true },
	{ FLAG_lower_cache, doubt_lower_cache, false },
	{ FLAG_partial_job, doubt_partial_job, true },
	{ FLAG_stalls, doubt_stalls, true },
	{ FLAG_few_samples, doubt_few_samples, true },
	{ FLAG_depth_not_reached, doubt_depth_not_reached, true },
	{ FLAG_overlapping_offsets, doubt_overlapping_offsets, false },
	{ FLAG_small_region, doubt_small_region, false },
	{ FLAG_io_wq, doubt_io_wq, false },
	{ FLAG_unverified, doubt_unverified, false },
};

static bool draws(const struct job *j, uint64_t never)
{
	return !rw_mixed(j->rw) || j->rwmixread != never;
}

void doubts_eval(struct doubts *out, const struct run_spec *spec, const struct sample *s,
                 const struct target_info *t, uint64_t memory_bytes)
{
	const struct job *j = &spec->job;
	const struct doubts_case c = {
		.spec = spec,
		.job = j,
		.sample = s,
		.target = t,
		.memory_bytes = memory_bytes,
		.ios = s->op[OP_READ].ios + s->op[OP_WRITE].ios + s->op[OP_TRIM].ios,
		.bytes = s->op[OP_READ].bytes + s->op[OP_WRITE].bytes + s->op[OP_TRIM].bytes,
		.queue = j->numjobs * j->iodepth,
		.real = !(engine_ops(j->ioengine)->caps & ENGINE_NO_TARGET),
		.reads = rw_reads(j->rw) && draws(j, 0),
		.writes = rw_writes(j->rw) && draws(j, 100),
	};
	char why[512];
	size_t n = 0;

	*out = (struct doubts){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if ((!c.real && !rules[i].null_too) || !rules[i].holds(&c, why, sizeof(why)))
			continue;
		out->flags |= 1ULL << rules[i].id;
		if (n < sizeof(out->why))
			n += (size_t)snprintf(out->why + n, sizeof(out->why) - n, "%s%s: %s",
			                      n ? "\n" : "", flag_at(rules[i].id)->name, why);
	}
}
