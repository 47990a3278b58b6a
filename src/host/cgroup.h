/* host/cgroup.h: the control groups of this process: where they are, and what they and the
 * hardware leave it of the CPUs. */
#ifndef HOST_CGROUP_H
#define HOST_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* Call fn with the directory of this process's group in `controller` (v2: "") and of every
 * group above it. */
void cgroup_each(const char *controller, void (*fn)(void *arg, const char *dir), void *arg);

/* CPUs that this process may use at a time, in 1/1000: its affinity, or less by a quota. */
uint64_t cpus_usable_milli(void);

#define THROTTLE_GROUPS 16

/* Sources of throttling, opened once. All zero: nothing is open. */
struct throttle {
	int group[THROTTLE_GROUPS]; /* cpu.stat of our groups */
	unsigned groups;
	unsigned cpus; /* whose thermal counters can be read; 0: there are none */
};

struct throttle_stat {     /* since some moment in the past */
	uint64_t group_ns; /* time that runnable threads were held back by a quota, all CPUs
	                      together */
	uint64_t thermal;  /* times that a CPU slowed down because it was too hot */
};

void throttle_open(struct throttle *t);
void throttle_read(const struct throttle *t, struct throttle_stat *out); /* no allocation */
void throttle_close(struct throttle *t);
/* The throttled time in the text of a cpu.stat, v1 or v2, in ns; 0 when it has none. */
uint64_t throttle_parse(const char *stat);

#endif
