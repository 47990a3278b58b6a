/* Rules about the work itself: how much of it, where, and what the engine made of it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/metrics.h"
#include "run/doubts_private.h"
#include "run/workload.h"

#define PASS_SLOTS 10 /* a pass and what follows it are compared over at least this many */

RULE(unwritten)
{
	if (!c->target->unwritten || !c->reads)
		return false;
	if (c->target->kind == TARGET_BLOCK && c->target->zero_pct < 0)
		(void)snprintf(why, size, "blocks of the device were trimmed by this sweep");
	else if (c->target->kind == TARGET_BLOCK)
		(void)snprintf(why, size, "%d %% of the sampled blocks are all zero",
		               c->target->zero_pct);
	else if (c->target->kind == TARGET_SET)
		(void)snprintf(why, size,
		               "a target has holes, unwritten extents or blocks that are all zero");
	else
		(void)snprintf(why, size, "the file has holes or unwritten extents");
	return true;
}

RULE(short_window)
{
	const struct sample *s = c->sample;

	if (!c->job->time_based)
		return false;
	if (c->ios < 3 * c->turn) {
		(void)snprintf(why, size,
		               "%" PRIu64 " I/Os in the window, 3 x numjobs%s%s is %" PRIu64,
		               c->ios, job_paced(c->job) ? "" : " x iodepth",
		               run_targets(c->spec) > 1 ? " x targets" : "", 3 * c->turn);
		return true;
	}
	if (!c->job->ramp_time || c->job->ramp_time == AXIS_UNSET || s->ramp_ios >= c->turn)
		return false;
	(void)snprintf(why, size,
	               "the ramp completed %" PRIu64 " I/Os, one turn of the queue is %" PRIu64,
	               s->ramp_ios, c->turn);
	return true;
}

RULE(partial_job)
{
	if (!c->sample->jobs_idle || !c->ios)
		return false;
	(void)snprintf(why, size, "%" PRIu64 " of %" PRIu64 " jobs completed nothing",
	               c->sample->jobs_idle, c->sample->jobs);
	return true;
}

struct rate {               /* bytes per slot */
	double mean, error; /* standard error of the mean */
};

static double slot_bytes(const struct sample *s, uint32_t i)
{
	return (double)(s->slot[i].bytes[OP_READ] + s->slot[i].bytes[OP_WRITE] +
	                s->slot[i].bytes[OP_TRIM]);
}

static struct rate rate_of(const struct sample *s, uint32_t from, uint32_t to)
{
	double n = to - from, mean = 0, squares = 0;

	for (uint32_t i = from; i < to; i++)
		mean += slot_bytes(s, i);
	mean /= n;
	for (uint32_t i = from; i < to; i++)
		squares += (slot_bytes(s, i) - mean) * (slot_bytes(s, i) - mean);
	return (struct rate){ mean, sqrt(squares / (n - 1) / n) };
}

/* The first slot that begins when every byte of the region was touched as often as once, the
 * ramp included; 0 when that was so before the window, or never. */
static uint32_t first_pass_end(const struct doubts_case *c)
{
	const struct sample *s = c->sample;
	double bytes = (double)s->ramp_ios * (double)workload_bs_mean(c->spec);

	if (bytes >= (double)s->region_bytes)
		return 0;
	for (uint32_t i = 0; i < s->slots; i++) {
		bytes += slot_bytes(s, i);
		if (bytes >= (double)s->region_bytes)
			return i + 1;
	}
	return 0;
}

RULE(lower_cache)
{
	const struct sample *s = c->sample;
	double passes = s->region_bytes ? (double)c->bytes / (double)s->region_bytes : 0;
	/* The last slot is cut off by the end of the window. */
	uint32_t split = passes < 2 ? 0 : first_pass_end(c), end = s->slots ? s->slots - 1 : 0;
	struct rate first, later;
	double apart;

	if (split < PASS_SLOTS || end < split + PASS_SLOTS)
		return false;
	first = rate_of(s, 0, split);
	later = rate_of(s, split, end);
	apart = fabs(later.mean - first.mean);
	if (apart <= 0.1 * first.mean || apart <= 3 * hypot(first.error, later.error))
		return false;
	(void)snprintf(why, size,
	               "%.1f MiB/s in the first pass over the region, %.1f MiB/s after it",
	               first.mean * 1e9 / (double)s->slot_ns / MIB,
	               later.mean * 1e9 / (double)s->slot_ns / MIB);
	return true;
}

RULE(degraded)
{
	(void)snprintf(why, size, "%s", c->sample->degraded);
	return c->sample->degraded[0] != '\0';
}

RULE(few_samples)
{
	const struct sample *s = c->sample;
	unsigned ops = metric_ops(s, c->job, !s->first_error.error);
	size_t n = 0;

	if (!metric_few_samples(s, ops))
		return false;
	for (unsigned op = 0; op < OP_COUNT && n < size; op++)
		if (ops & 1U << op)
			n += (size_t)snprintf(why + n, size - n, "%s%" PRIu64 " %ss",
			                      n ? ", " : "", s->op[op].ios, op_name(op));
	if (n < size)
		(void)snprintf(why + n, size - n, " in the window; p99.99 needs 10,000");
	return true;
}

/* The number behind "key=" in what the engine says of itself; negative when it does not. */
static double granted(const struct sample *s, const char *key)
{
	const char *p = strstr(s->effective, key);

	return p ? strtod(p + strlen(key), NULL) : -1;
}

RULE(depth_not_reached)
{
	const struct sample *s = c->sample;
	double asked = (double)c->job->iodepth,
	       got = s->window_ns && s->jobs
	                 ? (double)s->inflight_ns / (double)s->window_ns / (double)s->jobs
	                 : asked,
	       done = granted(s, "done_at_submit_pct=");

	if (c->job->time_based && !job_paced(c->job) && got < 0.9 * asked) {
		(void)snprintf(why, size, "%.2f of %" PRIu64 " I/Os per job were in flight",
		               got, c->job->iodepth);
		return true;
	}
	if (!c->real || c->job->iodepth < 2 || done < 90)
		return false;
	(void)snprintf(why, size,
	               "%.0f %% of the I/Os were complete when their submission returned",
	               done);
	return true;
}

/* Sequential jobs that each start at a slice of their own do not, as long as they keep pace. */
RULE(overlapping_offsets)
{
	const struct job *j = c->job;

	if (!c->writes || j->numjobs < 2 || c->directory)
		return false;
	if (j->offset_increment && j->offset_increment >= c->spec->region_bytes)
		return false;
	if (!rw_random(j->rw) && j->job_offset != JOB_OFFSET_SAME && !j->offset_increment)
		return false;
	(void)snprintf(why, size, "%" PRIu64 " jobs write the same blocks of one region",
	               j->numjobs);
	return true;
}

RULE(small_region)
{
	uint64_t region = c->sample->region_bytes,
		 limit = c->memory_bytes > 4 * GIB ? c->memory_bytes : 4 * GIB;

	if (!region || region >= limit || c->bytes <= region)
		return false;
	(void)snprintf(
	    why, size,
	    "%.1f passes over a region of %.1f MiB; this machine has %.1f GiB of memory",
	    (double)c->bytes / (double)region, (double)region / MIB,
	    (double)c->memory_bytes / GIB);
	return true;
}

/* A few that wait when the window ends belong to a hiccup, not to a rate that cannot be had. */
bool is_behind(const struct doubts_case *c)
{
	uint64_t waited = c->sample->unstarted;

	return job_rated(c->job) && waited > c->queue && waited * 100 > c->ios;
}

RULE(behind_schedule)
{
	if (!is_behind(c))
		return false;
	(void)snprintf(why, size,
	               "%" PRIu64 " I/Os were complete in the window, and %" PRIu64
	               " waited for their turn at its end",
	               c->ios, c->sample->unstarted);
	return true;
}
