#include "run/halt.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/units.h"
#include "host/sysfs.h"

/* Both processes this late at the same time: frozen without a signal, with their cgroup or
 * their virtual machine. */
#define FROZEN_NS SEC

static uint64_t say(char *buf, size_t size, const char *what, uint64_t ns)
{
	(void)snprintf(buf, size, "%s for %.1f s", what, (double)ns / 1e9);
	return ns;
}

uint64_t halt_judge(const struct halt *h, char *buf, size_t size)
{
	uint64_t both = h->worker_late_ns < h->supervisor_late_ns ? h->worker_late_ns
	                                                          : h->supervisor_late_ns;

	if (h->suspended_ns >= HALT_NOTICED_NS)
		return say(buf, size, "suspended", h->suspended_ns);
	if (h->stopped_ns)
		return say(buf, size, "stopped", h->stopped_ns);
	if (both > FROZEN_NS)
		return say(buf, size, "stopped", both);
	*buf = '\0';
	return 0;
}

uint64_t halt_queued_ns(void)
{
	char line[128], *ran;

	if (sysfs_text(line, sizeof(line), "/proc/self/schedstat"))
		return 0;
	(void)strtoull(line, &ran, 10);
	return strtoull(ran, NULL, 10); /* "ran waited turns" */
}

bool halt_continued(void)
{
	static const struct timespec now = { 0 };
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCONT);
	return sigtimedwait(&set, NULL, &now) == SIGCONT;
}
