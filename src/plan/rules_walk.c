/* Where the I/Os of a job go: offsets that do not fit the target, or its alignment. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "plan/rule.h"

uint64_t sizes_grain(const struct rule_case *c)
{
	struct size_mix mix[SIZES_COUNT];

	return size_span(c->job, job_mix(c->sweep, c->job, mix) ? mix : NULL).grain;
}

static bool percent_of_nothing(const struct rule_case *c)
{
	return c->target->kind != TARGET_UNUSABLE && !offset_known(c->job);
}

static void say_percent(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "offset %" PRIu64
	               "%% of %.150s, which has no size yet; give offset in bytes",
	               c->job->offset & ~SIZE_PERCENT, c->filename);
}

/* A file of ours may grow; what belongs to someone else ends where it ends. */
static bool fixed_size(const struct rule_case *c)
{
	bool fixed = c->target->kind == TARGET_BLOCK ||
	             (c->target->kind == TARGET_FILE && !c->target->ours);

	return (uses_target(c) && fixed) || c->target->kind == TARGET_SIMULATED;
}

static bool offset_over_target(const struct rule_case *c)
{
	return fixed_size(c) && (c->job->offset || c->job->offset_increment) &&
	       c->job->size <= c->target->size_bytes &&
	       (region_end(c->job) > c->target->size_bytes || !c->job->size);
}

static void say_offset_over_target(const struct rule_case *c, char *buf, size_t n)
{
	char offset[64] = "", jobs[96] = "";

	if (c->job->offset)
		(void)snprintf(offset, sizeof(offset), " + offset %s",
		               size_text(c->job->offset).s);
	if (c->job->offset_increment)
		(void)snprintf(jobs, sizeof(jobs), " + %" PRIu64 " x offset_increment %s",
		               c->job->numjobs - 1, size_text(c->job->offset_increment).s);
	(void)snprintf(buf, n,
	               "job %" PRIu64 " would end at %" PRIu64
	               " (size %s%s%s), but %s has %" PRIu64 " bytes",
	               c->job->numjobs, region_end(c->job), size_text(c->job->size).s, offset,
	               jobs, c->filename, c->target->size_bytes);
}

bool misaligned(const struct rule_case *c, uint64_t value)
{
	return uses_target(c) && (c->job->direct || rw_trims(c->job->rw)) &&
	       c->target->offset_align && value % c->target->offset_align;
}

const char *alignment_needed_by(const struct rule_case *c)
{
	return rw_trims(c->job->rw) ? "trims need" : "direct=1 needs";
}

/* The first of the options that move offsets which is no multiple; NULL: none. */
static const struct axis *moved(const struct rule_case *c)
{
	static const enum axis_id all[] = { AXIS_offset_increment, AXIS_offset, AXIS_blockalign,
		                            AXIS_rw_step };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		uint64_t v = axis_value(&axes[all[i]], c->job);

		if (v == AXIS_UNSET || (all[i] == AXIS_rw_step && rw_random(c->job->rw)))
			continue;
		if (misaligned(c, (int64_t)v < 0 ? -v : v))
			return &axes[all[i]];
	}
	return NULL;
}

static bool offset_misaligned(const struct rule_case *c)
{
	return moved(c) != NULL;
}

static void say_offset_misaligned(const struct rule_case *c, char *buf, size_t n)
{
	const struct axis *a = moved(c);
	char value[64];

	axis_print(a, axis_value(a, c->job), value, sizeof(value));
	(void)snprintf(buf, n, "%s %s is not a multiple of %u, which %s on %s", a->name, value,
	               c->target->offset_align, alignment_needed_by(c), c->filename);
}

static bool jumps_back(const struct rule_case *c)
{
	return rw_random(c->job->rw) && (int64_t)c->job->rw_step < 0;
}

static void say_jumps_back(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "rw_step %" PRId64
	               ": a random pattern takes a number of I/Os, which is not negative",
	               (int64_t)c->job->rw_step);
}

/* clang-format off */
const struct rule rule_walk[] = {
	{ "offset in percent of nothing",          false, 0,      percent_of_nothing, say_percent },
	{ "offset beyond the target",              false, 0,      offset_over_target, say_offset_over_target },
	{ "offset not a multiple of the alignment", false, EINVAL, offset_misaligned, say_offset_misaligned },
	{ "negative step of a random pattern",     false, EINVAL, jumps_back,         say_jumps_back },
};
/* clang-format on */
const size_t rule_walk_count = ARRAY_SIZE(rule_walk);
