/* Rules about CPUs: theirs, ours, and the kernel's on our behalf. */
#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "run/doubts_private.h"

#define TICK_NS (10 * MSEC) /* resolution of /proc/stat */

/* Share of `part` in percent. */
static double pct(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* An engine that polls keeps its CPU busy whatever the device does; it is short of CPU when its
 * polls rarely come back empty. */
static bool busy_job(const struct sample *s, char *why, size_t size)
{
	double used = pct(s->busiest_cpu_ns, s->busiest_window_ns);

	if (s->polls) {
		double empty = pct(s->polls_empty, s->polls);

		if (empty >= 5)
			return false;
		(void)snprintf(why, size,
		               "only %.1f %% of the polls for completions came back empty",
		               empty);
		return true;
	}
	if (used < 95)
		return false;
	(void)snprintf(why, size, "job %" PRIu64 " used %.1f %% of a CPU", s->busiest_job,
	               used);
	return true;
}

static bool busy_jobs(const struct sample *s, char *why, size_t size)
{
	uint64_t used_ns = s->cpu_user_ns + s->cpu_sys_ns + s->poller_ns;
	double used = s->window_ns ? (double)used_ns / (double)s->window_ns : 0,
	       usable = (double)s->cpus_milli / 1000;

	if (!s->cpus_milli || used < 0.9 * usable)
		return false;
	(void)snprintf(why, size, "the jobs%s used %.2f of %.2f usable CPUs",
	               s->poller_ns ? " and their kernel pollers" : "", used, usable);
	return true;
}

/* 5 % must be more than a few ticks of the kernel's clock to mean anything. */
static bool busy_machine(const struct sample *s, char *why, size_t size)
{
	uint64_t all = s->system_ns + s->idle_ns, idle = s->idle_ns + s->spin_ns;

	if (all < 80 * TICK_NS || pct(idle, all) >= 5)
		return false;
	(void)snprintf(why, size, "all CPUs of this machine together were %.1f %% idle",
	               pct(idle, all));
	return true;
}

/* Latency counts from the planned start: what passed before the thread came is in it. */
static bool late_starts(const struct doubts_case *c, char *why, size_t size)
{
	const struct sample *s = c->sample;
	double late = (double)s->start_late_ns, lat = 0;

	for (int op = 0; op < OP_SYNC; op++)
		lat += (double)s->op[op].lat.sum;
	if (!job_rated(c->job) || !c->ios || late <= 0.1 * lat)
		return false;
	(void)snprintf(why, size,
	               "starts were %.1f us late on average with room in the queue; the mean "
	               "latency is %.1f us",
	               late / 1e3 / (double)c->ios, lat / 1e3 / (double)c->ios);
	return true;
}

RULE(cpu_bound)
{
	return late_starts(c, why, size) || busy_job(c->sample, why, size) || busy_jobs(c->sample, why, size) ||
	       busy_machine(c->sample, why, size);
}

RULE(vm_steal)
{
	const struct sample *s = c->sample;
	uint64_t all = s->system_ns + s->idle_ns;

	if (s->steal_ns < 2 * TICK_NS || pct(s->steal_ns, all) < 1)
		return false;
	(void)snprintf(why, size, "the hypervisor withheld %.1f %% of the CPU time",
	               pct(s->steal_ns, all));
	return true;
}

RULE(throttled)
{
	const struct sample *s = c->sample;

	if (s->thermal) {
		(void)snprintf(why, size, "CPUs slowed down for heat %" PRIu64 " times",
		               s->thermal);
		return true;
	}
	if (!s->window_ns || pct(s->throttled_ns, s->window_ns) <= 1)
		return false;
	(void)snprintf(why, size,
	               "a CPU quota of the control group held threads back for %.0f ms of a "
	               "window of %.0f ms",
	               (double)s->throttled_ns / MSEC, (double)s->window_ns / MSEC);
	return true;
}

/* Idle workers wake up every few seconds to see whether they are still needed. */
RULE(io_wq)
{
	const struct sample *s = c->sample;
	bool often = s->worker_runs >= 10 && s->worker_runs >= c->ios / 100;

	if (!often && (!s->window_ns || pct(s->worker_ns, s->window_ns) < 1))
		return false;
	(void)snprintf(why, size,
	               "kernel workers of the ring ran %" PRIu64
	               " times, %.1f ms of CPU, for %" PRIu64 " I/Os",
	               s->worker_runs, (double)s->worker_ns / MSEC, c->ios);
	return true;
}
