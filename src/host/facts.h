/* host/facts.h: what machine this is: stored with every sweep, printed by `probe`. */
#ifndef HOST_FACTS_H
#define HOST_FACTS_H

#include "base/text.h"
#include "model/sample.h"
#include "model/world.h"

/* Append a JSON object of the facts in model/facts.def (kernel, CPU, governor, memory, clock source, library
 * versions, ...) and, under "targets", of each target's device (scheduler, queue limits, ...). */
void facts_json(struct text *out, const struct world *w);
/* What this process may use; a limit that cannot be read is none (UINT64_MAX). */
void facts_limits(struct limits *l);
/* Raise the soft limit of open files to the hard one: every job opens its target, and a ring. */
void limits_raise_files(void);
char *facts_host(char *buf, size_t size); /* the host name into buf, which is returned */

/* Block device counters of major:minor from sysfs; cumulative since boot. 0 or -errno. */
struct device_stat {
	uint64_t read_ios, read_sectors, write_ios, write_sectors, in_flight, io_ticks_ms, queue_ms;
};
int device_stat_open(uint32_t major, uint32_t minor);     /* fd of its `stat` file (the whole disk's or the partition's), or -errno */
int device_stat_read(int fd, struct device_stat *out);    /* 0 or -errno; no allocation */
void device_stat_delta(const struct device_stat *from, const struct device_stat *to, uint64_t elapsed_ns, struct device_delta *out);

/* /proc/stat: all CPUs since boot, ns: total without idle, idle (with iowait), steal. 0 or -errno; no allocation. */
struct cpu_stat {
	uint64_t busy_ns, idle_ns, steal_ns;
};
int cpu_stat_read(struct cpu_stat *out);

#endif
