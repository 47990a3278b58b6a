/* What this process may use: memory, threads, descriptors, asynchronous I/O contexts. */
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "host/cgroup.h"
#include "host/facts.h"
#include "host/sysfs.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The number behind `name` in buf; 0 when it is not there. */
static uint64_t number_after(const char *buf, const char *name)
{
	const char *p = strstr(buf, name);

	return p ? strtoull(p + strlen(name), NULL, 10) : 0;
}

static uint64_t mem_available(void)
{
	char buf[4096];
	uint64_t kib = file_read("/proc/meminfo", buf, sizeof(buf)) > 0
	                   ? number_after(buf, "MemAvailable:")
	                   : 0;

	return kib ? kib * KIB
	           : (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* What a control group's limit leaves of v; a group without one leaves all. `again`: part of
 * the usage that the kernel takes back when it is needed. */
static uint64_t left_of(uint64_t v, const char *dir, const char *limit, const char *usage,
                        uint64_t again)
{
	uint64_t max, used;

	if (sysfs_u64(&max, "%s/%s", dir, limit) || sysfs_u64(&used, "%s/%s", dir, usage))
		return v;
	used -= least(used, again);
	return least(v, max > used ? max - used : 0);
}

/* Page cache charged to a group: its usage counts it, but it goes when memory is asked for. */
static uint64_t cache_of(const char *dir, const char *prefix)
{
	static const char *const part[] = { "inactive_file", "active_file" };
	char path[PATH_MAX], buf[8192], name[64];
	uint64_t sum = 0;

	if (snprintf(path, sizeof(path), "%s/memory.stat", dir) >= (int)sizeof(path) ||
	    file_read(path, buf, sizeof(buf)) < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(part); i++) {
		(void)snprintf(name, sizeof(name), "\n%s%s ", prefix, part[i]);
		sum += number_after(buf, name);
	}
	return sum;
}

static void memory_v1(void *arg, const char *dir)
{
	uint64_t *v = arg;

	*v = left_of(*v, dir, "memory.limit_in_bytes", "memory.usage_in_bytes",
	             cache_of(dir, "total_"));
}

static void memory_v2(void *arg, const char *dir)
{
	uint64_t *v = arg;

	*v = left_of(*v, dir, "memory.max", "memory.current", cache_of(dir, ""));
}

static void pids(void *arg, const char *dir)
{
	uint64_t *v = arg;

	*v = left_of(*v, dir, "pids.max", "pids.current", 0);
}

static uint64_t rlimit(int what)
{
	struct rlimit l;

	return getrlimit((__rlimit_resource_t)what, &l) || l.rlim_cur == RLIM_INFINITY
	           ? UINT64_MAX
	           : l.rlim_cur;
}

void limits_raise_files(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur == l.rlim_max)
		return;
	l.rlim_cur = l.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &l);
}

static bool has_capability(int which)
{
	const char name[] = "\nCapEff:\t";
	char buf[4096], *p;

	if (file_read("/proc/self/status", buf, sizeof(buf)) < 0)
		return false;
	p = strstr(buf, name);
	return p && strtoull(p + strlen(name), NULL, 16) >> which & 1;
}

/* How far below where it stands this process may go. */
static int nice_least(void)
{
	int now = getpriority(PRIO_PROCESS, 0);
	uint64_t limit = rlimit(RLIMIT_NICE);
	int least_of_all = has_capability(CAP_SYS_NICE) || limit >= 40 ? -20 : 20 - (int)limit;

	return least_of_all < now ? least_of_all - now : 0;
}

/* Linux 6.12 has trims as commands of a ring. */
static bool uring_trims(void)
{
	struct utsname u;
	const char *release = u.release;
	uint64_t major, minor;

	return !uname(&u) && !take_u64(&release, 10, &major) && text_take(&release, ".") &&
	       !take_u64(&release, 10, &minor) &&
	       (major > 6 || (major == 6 && minor >= 12));
}

/* Threads that may still be started: the machine's limits less what runs, the user's, the
 * group's. */
static uint64_t threads_left(void)
{
	uint64_t max = UINT64_MAX, v;
	uint64_t running;
	char line[128];

	if (!sysfs_u64(&v, "/proc/sys/kernel/threads-max"))
		max = least(max, v);
	if (!sysfs_u64(&v, "/proc/sys/kernel/pid_max"))
		max = least(max, v);
	(void)sysfs_text(line, sizeof(line),
	                 "/proc/loadavg"); /* "0.10 0.20 0.30 running/all last" */
	running = number_after(line, "/");
	max = max > running ? max - running : 0;
	if (geteuid() != 0) /* root is not held to it */
		max = least(max, rlimit(RLIMIT_NPROC));
	cgroup_each("pids", pids, &max);
	cgroup_each("", pids, &max);
	return max;
}

void facts_limits(struct limits *l)
{
	*l = (struct limits){ .memory_total = (uint64_t)sysconf(_SC_PHYS_PAGES) *
		                              (uint64_t)sysconf(_SC_PAGESIZE),
		              .memory_available = mem_available(),
		              .memlock = /* knows no limit: */ has_capability(CAP_IPC_LOCK) ? UINT64_MAX : rlimit(RLIMIT_MEMLOCK),
		              .threads_max = threads_left(),
		              .nofile = rlimit(RLIMIT_NOFILE),
		              .uring_trims = uring_trims(),
		              .nice_least = nice_least(),
		              .realtime_io = has_capability(CAP_SYS_NICE) ||
		                             has_capability(CAP_SYS_ADMIN),
		              .cpus = 1,
		              .page_size = (unsigned)sysconf(_SC_PAGESIZE) };
	cgroup_each("memory", memory_v1, &l->memory_available);
	cgroup_each("", memory_v2, &l->memory_available);
	if (sysfs_u64(&l->aio_max_nr, "/proc/sys/fs/aio-max-nr"))
		l->aio_max_nr =
		    UINT64_MAX; /* no /proc, as in a bare chroot: io_setup itself will tell */
	(void)sysfs_u64(&l->aio_nr, "/proc/sys/fs/aio-nr");
	if (!sched_getaffinity(0, sizeof(l->cpu_set), &l->cpu_set))
		l->cpus = (unsigned)CPU_COUNT(&l->cpu_set);
}
