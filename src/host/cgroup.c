#include "host/cgroup.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "host/sysfs.h"

#define ROOT "/sys/fs/cgroup"

/* Is `controller` one of "cpu,cpuacct"? Version 2 has no names: "" matches "". */
static bool listed(const char *names, const char *controller)
{
	size_t n = strlen(controller);

	for (const char *p = names;; p++) {
		if (!strncmp(p, controller, n) && (p[n] == ',' || !p[n]))
			return true;
		p = strchr(p, ',');
		if (!p)
			return false;
	}
}

static void each_above(char *dir, void (*fn)(void *arg, const char *dir), void *arg)
{
	size_t n = strlen(dir);

	if (dir[n - 1] == '/')
		dir[n - 1] = '\0';
	while (strlen(dir) >= strlen(ROOT)) {
		fn(arg, dir);
		*strrchr(dir, '/') = '\0';
	}
}

void cgroup_each(const char *controller, void (*fn)(void *arg, const char *dir), void *arg)
{
	char buf[4096], dir[2048], *line, *rest = buf;

	if (file_read("/proc/self/cgroup", buf, sizeof(buf)) < 0)
		return;
	while ((line = strsep(&rest, "\n"))) {
		char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (!listed(names + 1, controller))
			continue;
		(void)snprintf(dir, sizeof(dir), ROOT "/%s", controller);
		if (access(dir, F_OK) != 0) /* mounted under the names of all its controllers */
			(void)snprintf(dir, sizeof(dir), ROOT "/%s", names + 1);
		if (!*controller)
			(void)snprintf(dir, sizeof(dir), ROOT);
		(void)snprintf(dir + strlen(dir), sizeof(dir) - strlen(dir), "%s", path);
		each_above(dir, fn, arg);
	}
}

static void quota_v1(void *arg, const char *dir)
{
	uint64_t *milli = arg, quota, period;

	if (sysfs_u64(&quota, "%s/cpu.cfs_quota_us", dir) ||
	    sysfs_u64(&period, "%s/cpu.cfs_period_us", dir) || !period)
		return; /* "-1", no quota, is no number */
	if (quota * 1000 / period < *milli)
		*milli = quota * 1000 / period;
}

static void quota_v2(void *arg, const char *dir)
{
	uint64_t *milli = arg, quota, period;
	char line[64], *end;

	if (sysfs_text(line, sizeof(line), "%s/cpu.max", dir) || line[0] < '0' || line[0] > '9')
		return;
	quota = strtoull(line, &end, 10);
	period = strtoull(end, NULL, 10);
	if (period && quota * 1000 / period < *milli)
		*milli = quota * 1000 / period;
}

uint64_t cpus_usable_milli(void)
{
	uint64_t milli = 1000;
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof(set), &set))
		milli = (uint64_t)CPU_COUNT(&set) * 1000;
	cgroup_each("cpu", quota_v1, &milli);
	cgroup_each("", quota_v2, &milli);
	return milli;
}

uint64_t throttle_parse(const char *stat)
{
	static const char v1[] = "throttled_time ", v2[] = "throttled_usec ";
	const char *p = strstr(stat, v1);

	if (p)
		return strtoull(p + sizeof(v1) - 1, NULL, 10);
	p = strstr(stat, v2);
	return p ? strtoull(p + sizeof(v2) - 1, NULL, 10) * USEC : 0;
}

static void open_stat(void *arg, const char *dir)
{
	struct throttle *t = arg;
	char path[PATH_MAX];
	int fd;

	if (t->groups == THROTTLE_GROUPS ||
	    snprintf(path, sizeof(path), "%s/cpu.stat", dir) >= (int)sizeof(path))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		t->group[t->groups++] = fd;
}

static const char *const thermal[] = { "core_throttle_count", "package_throttle_count" };

static int thermal_read(uint64_t *v, unsigned cpu, size_t which)
{
	return sysfs_u64(v, "/sys/devices/system/cpu/cpu%u/thermal_throttle/%s", cpu,
	                 thermal[which]);
}

void throttle_open(struct throttle *t)
{
	uint64_t v;

	*t = (struct throttle){ 0 };
	cgroup_each("cpu", open_stat, t);
	cgroup_each("", open_stat, t);
	if (!thermal_read(&v, 0, 0))
		t->cpus = (unsigned)sysconf(_SC_NPROCESSORS_CONF);
}

void throttle_read(const struct throttle *t, struct throttle_stat *out)
{
	char buf[1024];
	uint64_t v;

	*out = (struct throttle_stat){ 0 };
	for (unsigned i = 0; i < t->groups; i++) {
		ssize_t n = pread(t->group[i], buf, sizeof(buf) - 1, 0);

		if (n <= 0)
			continue;
		buf[n] = '\0';
		out->group_ns += throttle_parse(buf);
	}
	for (unsigned cpu = 0; cpu < t->cpus; cpu++)
		for (size_t k = 0; k < ARRAY_SIZE(thermal); k++)
			if (!thermal_read(&v, cpu, k))
				out->thermal += v;
}

void throttle_close(struct throttle *t)
{
	while (t->groups)
		(void)close(t->group[--t->groups]);
}
