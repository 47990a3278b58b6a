#include "host/rings.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/sysfs.h"

/* CPU time in ns, time spent waiting for a CPU, times that it ran. */
static void add(const char *schedstat, uint64_t *ns, uint64_t *runs)
{
	char *end;

	*ns += strtoull(schedstat, &end, 10);
	(void)strtoull(end, &end, 10);
	*runs += strtoull(end, NULL, 10);
}

int ring_threads_read(struct ring_threads *out)
{
	DIR *d = opendir("/proc/self/task");
	uint64_t poller_runs = 0;
	struct dirent *entry;
	char name[64], stat[128];

	*out = (struct ring_threads){ 0 };
	if (!d)
		return -errno;
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.' ||
		    sysfs_text(name, sizeof(name), "/proc/self/task/%.20s/comm",
		               entry->d_name) ||
		    strncmp(name, "iou-", 4) != 0 ||
		    sysfs_text(stat, sizeof(stat), "/proc/self/task/%.20s/schedstat",
		               entry->d_name))
			continue;
		if (!strncmp(name, "iou-sqp", 7))
			add(stat, &out->poll_ns, &poller_runs);
		else if (!strncmp(name, "iou-wrk", 7))
			add(stat, &out->work_ns, &out->work_runs);
	}
	(void)closedir(d);
	return 0;
}
