/* Rules about the course of the run: what the mean over its window hides. The judging is in
 * stat/. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "model/direction.h"
#include "run/doubts_private.h"
#include "stat/shape.h"

#define STALL_NS  (200 * MSEC) /* shorter: the host, or slices of a throttle */
#define STALL_PCT 10           /* of the window */

static const struct verdict *verdict(const struct doubts_case *c)
{
	return &c->sample->verdict;
}

static bool saw(const struct doubts_case *c, unsigned bits)
{
	return verdict(c)->judged && verdict(c)->seen & bits;
}

/* One job may stall while the others go on. */
static bool job_stalled(const struct doubts_case *c)
{
	const struct sample *s = c->sample;
	double apart; /* completions of one job, on average */

	if (!c->job->time_based || !c->ios)
		return false;
	apart = (double)s->window_ns * (double)s->jobs / (double)c->ios;
	return s->longest_gap_ns >= STALL_NS &&
	       s->longest_gap_ns * 100 >= s->window_ns * STALL_PCT &&
	       (double)s->longest_gap_ns >= 10 * apart;
}

RULE(stalls)
{
	const struct sample *s = c->sample;
	const struct verdict *v = verdict(c);

	if (saw(c, VERDICT_STALLS)) {
		(void)snprintf(
		    why, size,
		    "%" PRIu32
		    " times the rate fell below half its median, which cost %.1f %% of the "
		    "work; the longest lasted %.1f s, " FLAG_FROM_SECOND "%.1f of the window on",
		    v->stalls, 100 * v->stall_lost, v->stall_longest_s, v->stall_at_s);
		return true;
	}
	if (saw(c, VERDICT_PILOT_STALLS)) {
		(void)snprintf(
		    why, size,
		    "the pilot run of its class stalled; a shorter run may have met fewer");
		return true;
	}
	if (!job_stalled(c))
		return false;
	(void)snprintf(why, size, "a job saw no completion for %.0f ms of a window of %.0f ms",
	               (double)s->longest_gap_ns / 1e6, (double)s->window_ns / 1e6);
	return true;
}

RULE(drift)
{
	const struct verdict *v = verdict(c);

	if (!saw(c, VERDICT_DRIFT | VERDICT_WARMING | VERDICT_FAST_START))
		return false;
	if (saw(c, VERDICT_DRIFT))
		(void)snprintf(
		    why, size, "the rate %s by %.1f %% over the window, %.1f standard errors",
		    v->drift < 0 ? "fell" : "rose", 100 * fabs(v->drift), fabs(v->drift_t));
	else
		(void)snprintf(
		    why, size,
		    "%.0f IOPS " FLAG_IN_THE_FIRST "%.1f s of the window, %.0f IOPS in the rest",
		    v->head_rate, v->head_s, v->rest_rate);
	return true;
}

RULE(bimodal)
{
	const struct verdict *v = verdict(c);

	if (!saw(c, VERDICT_BIMODAL))
		return false;
	(void)snprintf(why, size, "%.0f IOPS in %.0f %% of the window and %.0f IOPS in %.0f %%",
	               v->low_rate, 100 * v->low_share, v->high_rate, 100 * (1 - v->low_share));
	return true;
}

RULE(unsteady)
{
	const struct verdict *v = verdict(c);

	if (!saw(c, VERDICT_UNSETTLED | VERDICT_EXCURSION | VERDICT_PILOT_UNSTEADY |
	                VERDICT_PILOT_REFILLS))
		return false;
	if (saw(c, VERDICT_PILOT_REFILLS))
		(void)snprintf(
		    why, size,
		    "the pilot run of its class started fast again after a pause: what a short "
		    "run measures is a cache or credit");
	else if (saw(c, VERDICT_PILOT_UNSTEADY))
		(void)snprintf(why, size,
		               "the pilot run of its class did not become steady enough for "
		               "this precision");
	else
		(void)snprintf(why, size,
		               "parts of the window lie between %.1f %% and %.1f %% of the "
		               "mean, neighbours correlate "
		               "by %.2f",
		               100 * v->lowest, 100 * v->highest, v->rho);
	return true;
}

RULE(wide)
{
	const struct verdict *v = verdict(c);

	if (!saw(c, VERDICT_WIDE))
		return false;
	(void)snprintf(why, size, "%.1f IOPS +- %.1f %% (%" PRIu32 " batches, rho %.2f)",
	               v->mean, 100 * v->half_width, v->batches, v->rho);
	return true;
}

/* A direction without a rate does what the target can, and the flag would stand on it too. */
static bool all_rated(const struct job *job)
{
	const struct axis *a = job->rate ? &axes[AXIS_rate] : &axes[AXIS_rate_iops];

	for (enum op op = OP_READ; op <= OP_TRIM; op++)
		if (job_does(job, op) && !direction_of(a, axis_value(a, job), op))
			return false;
	return job_rated(job);
}

/* By the config itself. */
static bool keeps_rate(const struct doubts_case *c, char *why, size_t size)
{
	const struct axis *a = c->job->rate ? &axes[AXIS_rate] : &axes[AXIS_rate_iops];
	char text[64];

	if (!all_rated(c->job) || !c->ios || is_behind(c))
		return false;
	axis_print_human(a, axis_value(a, c->job), text, sizeof(text));
	(void)snprintf(why, size, "%s=%s was asked for and held", a->name, text);
	return true;
}

RULE(rate_limited)
{
	double iops = verdict(c)->mean,
	       bytes_s = c->ios ? iops * (double)c->bytes / (double)c->ios : 0;

	if (keeps_rate(c, why, size))
		return true;
	if (!saw(c, VERDICT_PLATEAU))
		return false;
	if (stat_round_number(iops))
		(void)snprintf(why, size, "%.1f IOPS all the time", iops);
	else if (stat_round_number(bytes_s / MIB))
		(void)snprintf(why, size, "%.2f MiB/s all the time", bytes_s / MIB);
	else if (stat_round_number(bytes_s / 1e6))
		(void)snprintf(why, size, "%.2f MB/s all the time", bytes_s / 1e6);
	else
		return false;
	return true;
}

RULE(uncalibrated)
{
	const struct verdict *v = verdict(c);

	if (!saw(c, VERDICT_NO_PILOT))
		return false;
	(void)snprintf(why, size, "ended after %.0f s without a pilot run", v->seconds);
	return true;
}

RULE(p_unresolved)
{
	size_t n = 0;

	for (unsigned op = 0; op < OP_COUNT && n < size; op++)
		if (c->sample->op[op].verdict.tail_unresolved)
			n +=
			    (size_t)snprintf(why + n, size - n, "%s%" PRIu64 " %ss",
			                     n ? ", " : "", c->sample->op[op].ios, op_name(op));
	if (!n)
		return false;
	if (n < size)
		(void)snprintf(why + n, size - n,
		               ": the share above p99 is not known to half of 1 %%");
	return true;
}
