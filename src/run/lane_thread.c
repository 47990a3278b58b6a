#include "run/lane_thread.h"

#include <errno.h>
#include <linux/ioprio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cpulist.h"

/* shared: any of the set; split: one of them for each job. */
static int bind_cpus(struct lane *lane, struct err *e)
{
	const struct run_spec *spec = lane->run->spec;
	cpu_set_t want = spec->cpus;
	char text[64];

	if (CPU_EQUAL(&want, &lane->cpus) && spec->job.cpus_allowed_policy == CPUS_SHARED)
		return 0;
	if (CPU_COUNT(&want) && spec->job.cpus_allowed_policy == CPUS_SPLIT) {
		int cpu = cpulist_nth(&spec->cpus, lane->index);

		CPU_ZERO(&want);
		CPU_SET((size_t)cpu, &want);
	}
	if (sched_setaffinity(0, sizeof(want), CPU_COUNT(&want) ? &want : &lane->run->all_cpus))
		return err_set(e, -errno, "cpus_allowed: job %u cannot use CPU %s: %s",
		               lane->index, cpulist_print(text, sizeof(text), &want),
		               err_name(errno));
	lane->cpus = want;
	return 0;
}

bool lane_thread_too_nice(const struct lane *lane, const struct job *job)
{
	return nice_value(job->nice) < lane->nice;
}

/* Of this thread alone: to Linux that is a process. Added to what the program was started with, as nice(1) does. */
static int set_nice(struct lane *lane, struct err *e)
{
	int want = nice_value(lane->run->spec->job.nice), base = getpriority(PRIO_PROCESS, 0) - lane->nice;

	if (want == lane->nice)
		return 0;
	if (setpriority(PRIO_PROCESS, 0, base + want))
		return err_set(e, -errno, "nice=%d: job %u: %s", want, lane->index,
		               err_name(errno));
	lane->nice = want;
	return 0;
}

/* What the I/O that this thread submits is marked with; engines mark none of theirs. */
static int set_io_priority(struct lane *lane, struct err *e)
{
	const struct job *job = &lane->run->spec->job;
	int level = job->prio == AXIS_UNSET ? 0 : (int)job->prio,
	    want = job->prioclass ? (int)IOPRIO_PRIO_VALUE((int)job->prioclass, level) : 0;

	if (want == lane->io_priority)
		return 0;
	if (syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, want))
		return err_set(e, -errno, "prioclass=%d prio=%d: job %u: %s",
		               (int)job->prioclass, level, lane->index, err_name(errno));
	lane->io_priority = want;
	return 0;
}

int lane_thread_schedule(struct lane *lane, struct err *e)
{
	int r = bind_cpus(lane, e);

	if (!r)
		r = set_nice(lane, e);
	if (!r)
		r = set_io_priority(lane, e);
	return r;
}
