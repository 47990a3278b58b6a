/* What is asked of an engine, a ring or the CPUs, and cannot be had. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/cpulist.h"
#include "plan/rule.h"

/* The first axis that asks the engine for what it does not have; NULL: none. */
static const struct axis *lacking(const struct rule_case *c)
{
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		uint64_t v = axis_value(a, c->job);

		if (a->needs && v && v != AXIS_UNSET && !(engine(c)->caps & a->needs))
			return a;
	}
	return NULL;
}

static bool engine_lacks(const struct rule_case *c)
{
	return lacking(c) != NULL;
}

static void say_engine_lacks(const struct rule_case *c, char *buf, size_t n)
{
	const struct axis *a = lacking(c);
	const struct engine_ops *ops;
	size_t len = (size_t)snprintf(buf, n, "%s=1 means nothing to ioengine %s; it needs",
	                              a->name, engine(c)->name);
	const char *sep = " ";

	for (uint64_t id = 0; (ops = engine_ops(id)) && len < n; id++)
		if (ops->caps & a->needs) {
			len += (size_t)snprintf(buf + len, n - len, "%s%s", sep, ops->name);
			sep = " or ";
		}
}

static bool cache_and_direct(const struct rule_case *c)
{
	return engine(c)->caps & ENGINE_PAGE_CACHE && c->job->direct;
}

static void say_cache_and_direct(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "ioengine %s goes through the page cache; it needs direct=0",
	               engine(c)->name);
}

static bool polls_buffered(const struct rule_case *c)
{
	return c->job->hipri && !c->job->direct;
}

static void say_polls_buffered(const struct rule_case *c, char *buf, size_t n)
{
	(void)c;
	(void)snprintf(buf, n,
	               "hipri=1 polls the device, which the page cache keeps away: it "
	               "needs direct=1");
}

static bool trims_badly(const struct rule_case *c)
{
	return rw_trims(c->job->rw) &&
	       (engine(c)->caps & ENGINE_PAGE_CACHE || job_paced(c->job) ||
	        (c->job->hipri && c->job->ioengine == ENGINE_IO_URING));
}

static void say_trims_badly(const struct rule_case *c, char *buf, size_t n)
{
	const char *what = engine(c)->caps & ENGINE_PAGE_CACHE ? engine(c)->name
	                   : job_paced(c->job)                 ? "a rate or thinktime"
	                                                       : "io_uring with hipri=1";

	(void)snprintf(buf, n, "rw %s: there are no trims with %s", rw_name(c->job->rw), what);
}

static bool trims_too_early(const struct rule_case *c)
{
	return rw_trims(c->job->rw) && c->job->ioengine == ENGINE_IO_URING && uses_target(c) &&
	       !c->world->limits.uring_trims;
}

static void say_trims_too_early(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "rw %s: io_uring trims from Linux 6.12 on; use libaio, psync or pvsync2",
	               rw_name(c->job->rw));
}

static bool polls_and_syncs(const struct rule_case *c)
{
	return c->job->hipri && c->job->ioengine == ENGINE_IO_URING &&
	       (c->job->fsync || c->job->fdatasync || c->job->end_fsync);
}

static void say_polls_and_syncs(const struct rule_case *c, char *buf, size_t n)
{
	(void)c;
	(void)snprintf(buf, n,
	               "hipri=1 makes a ring that only reads and writes: no fsync, "
	               "fdatasync or end_fsync with io_uring");
}

static bool no_polling(const struct rule_case *c)
{
	return c->job->hipri && uses_target(c) && !c->target->polls;
}

static void say_no_polling(const struct rule_case *c, char *buf, size_t n)
{
	if (!c->target->major && !c->target->minor)
		(void)snprintf(buf, n, "hipri=1: there is no block device to poll under %.120s",
		               c->filename);
	else
		(void)snprintf(
		    buf, n,
		    "hipri=1: the queue of %.100s does not poll (queue/io_poll is 0; "
		    "NVMe needs nvme.poll_queues)",
		    *c->target->device ? c->target->device : c->filename);
}

static bool no_uncached(const struct rule_case *c)
{
	return c->job->uncached && uses_target(c) && !c->target->uncached;
}

static void say_no_uncached(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "uncached=1: %.32s does not take RWF_DONTCACHE (%.120s); it needs Linux "
	               "6.14 and a file system that has it",
	               *c->target->fs ? c->target->fs : "this device", c->filename);
}

static bool batch_reversed(const struct rule_case *c)
{
	return c->job->iodepth_batch_complete_max &&
	       c->job->iodepth_batch_complete_max < c->job->iodepth_batch_complete_min;
}

static void say_batch_reversed(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "iodepth_batch_complete_min %" PRIu64
	               " is above iodepth_batch_complete_max %" PRIu64,
	               c->job->iodepth_batch_complete_min, c->job->iodepth_batch_complete_max);
}

/* NULL: not given. */
static const char *cpus_allowed(const struct rule_case *c)
{
	return sweep_text(c->sweep, &axes[AXIS_cpus_allowed], c->job->cpus_allowed);
}

static bool two_rates(const struct rule_case *c)
{
	return c->job->rate && c->job->rate_iops;
}

static void say_two_rates(const struct rule_case *c, char *buf, size_t n)
{
	char bytes[64], ios[64];

	axis_print_human(&axes[AXIS_rate], c->job->rate, bytes, sizeof(bytes));
	axis_print_human(&axes[AXIS_rate_iops], c->job->rate_iops, ios, sizeof(ios));
	(void)snprintf(buf, n, "rate %s and rate_iops %s are two schedules; give one", bytes,
	               ios);
}

/* The CPUs asked for that this process may not use. */
static int cpus_beyond(const struct rule_case *c, cpu_set_t *beyond)
{
	const char *cpus = cpus_allowed(c);

	CPU_ZERO(beyond);
	if (!cpus || cpulist_parse(cpus, beyond))
		return 0;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &c->world->limits.cpu_set))
			CPU_CLR(cpu, beyond);
	return CPU_COUNT(beyond);
}

static bool cpus_missing(const struct rule_case *c)
{
	cpu_set_t beyond;

	return cpus_beyond(c, &beyond) > 0;
}

static void say_cpus_missing(const struct rule_case *c, char *buf, size_t n)
{
	char missing[80], usable[80];
	cpu_set_t beyond;

	(void)cpus_beyond(c, &beyond);
	(void)snprintf(buf, n, "cpus_allowed %.60s: CPU %s cannot be used here, only %s",
	               cpus_allowed(c), cpulist_print(missing, sizeof(missing), &beyond),
	               cpulist_print(usable, sizeof(usable), &c->world->limits.cpu_set));
}

static int nice_of(const struct rule_case *c)
{
	return nice_value(c->job->nice);
}

static bool nice_forbidden(const struct rule_case *c)
{
	return nice_of(c) < c->world->limits.nice_least;
}

static void say_nice_forbidden(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "nice=%d is not permitted to this user, only %d and more; it needs "
	               "CAP_SYS_NICE or a limit (ulimit -e)",
	               nice_of(c), c->world->limits.nice_least);
}

static bool realtime_forbidden(const struct rule_case *c)
{
	return c->job->prioclass == PRIOCLASS_REALTIME && !c->world->limits.realtime_io;
}

static void say_realtime_forbidden(const struct rule_case *c, char *buf, size_t n)
{
	(void)c;
	(void)snprintf(buf, n,
	               "prioclass=1 (realtime) is not permitted to this user; it needs "
	               "CAP_SYS_NICE or CAP_SYS_ADMIN");
}

static bool memlock_short(const struct rule_case *c)
{
	return c->job->fixedbufs == 1 && buffer_bytes(c) > c->world->limits.memlock;
}

static void say_memlock_short(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "fixedbufs=1 locks the buffers of %s x iodepth %" PRIu64
	               " x bs %s, %s, but only %s may be locked (ulimit -l)",
	               jobs_text(c).s, c->job->iodepth, size_text(c->job->bs).s,
	               bytes_text(buffer_bytes(c)).s, bytes_text(c->world->limits.memlock).s);
}

/* clang-format off */
const struct rule rule_engine[] = {
	{ "engine has no such option",             false, EINVAL, engine_lacks,       say_engine_lacks },
	{ "trims not with this",                   false, EINVAL, trims_badly,        say_trims_badly },
	{ "engine goes through the page cache",    false, EINVAL, cache_and_direct,   say_cache_and_direct },
	{ "hipri without direct",                  false, EINVAL, polls_buffered,     say_polls_buffered },
	{ "hipri with fsync",                      false, EINVAL, polls_and_syncs,    say_polls_and_syncs },
	{ "batch min above max",                   false, EINVAL, batch_reversed,     say_batch_reversed },
	{ "rate with rate_iops",                   false, EINVAL, two_rates,          say_two_rates },
	{ "hipri without a polled queue",          true,  EOPNOTSUPP, no_polling,     say_no_polling },
	{ "io_uring trims from Linux 6.12 on",     true,  EOPNOTSUPP, trims_too_early, say_trims_too_early },
	{ "uncached not supported",                true,  EOPNOTSUPP, no_uncached,    say_no_uncached },
	{ "cpus_allowed",                          true,  EINVAL, cpus_missing,       say_cpus_missing },
	{ "nice not permitted",                    true,  EACCES, nice_forbidden,     say_nice_forbidden },
	{ "prioclass not permitted",               true,  EPERM,  realtime_forbidden, say_realtime_forbidden },
	{ "memlock",                               true,  ENOMEM, memlock_short,      say_memlock_short },
};
/* clang-format on */
const size_t rule_engine_count = ARRAY_SIZE(rule_engine);
