/* run/counters.h: the counters of the machine and of the device that a run is judged by. */
#ifndef RUN_COUNTERS_H
#define RUN_COUNTERS_H

#include "host/cgroup.h"
#include "host/facts.h"
#include "host/nfs.h"
#include "host/rings.h"
#include "run/spec.h"

/* A device, or a mount, that counts; what can be kept open is. */
struct instrument {
	int device_fd; /* -1: it is a mount, or does not count */
	int base_fd;   /* the device under a loop device's file; -1: none, or one before has it */
	uint64_t base; /* the number of that device; 0: none */
	uint32_t major, minor;
	char nfs_mount[PATH_MAX];
};

/* Where they are read. */
struct instruments {
	struct instrument at[TARGETS_MAX]; /* of the run's targets, each once ... */
	unsigned n;                        /* ... none when one target has none */
	bool rings; /* this run's engine may have kernel threads at work */
	bool brief; /* the window is too short for the machine's CPU counters, which cost a gap
	               dear */
	struct throttle throttle;
	uint64_t cpus_milli, cpus_at_ns; /* usable CPUs, and when that was looked up */
};

struct counters {
	uint64_t at_ns; /* 0: not read */
	bool device_ok, base_ok, nfs_ok, cpu_ok, rings_ok;
	unsigned devices;
	struct device_stat device, base; /* of all devices together */
	struct nfs_stat nfs;
	struct cpu_stat cpu;
	struct ring_threads rings;
	struct throttle_stat throttle;
	uint64_t cpus_milli; /* usable, in 1/1000 */
};

void instruments_init(struct instruments *in);
/* For the targets of this run. True when they are others than before. */
bool instruments_open(struct instruments *in, const struct run_spec *spec);
void instruments_fini(struct instruments *in);

/* The device's alone, or all of them: its own first. */
void counters_read_device(const struct instruments *in, struct counters *c);
void counters_read(struct instruments *in, struct counters *c);
/* Is there a device, or a mount, that counts, for all that the run works on? */
bool instruments_count(const struct instruments *in);

/* From a to b. */
void counters_device_delta(const struct counters *a, const struct counters *b,
                           struct device_delta *out);
/* Were they read where the window began and ended? What lies within a small share of it or, if
 * that is less than a tick of the scheduler, somewhat more, does. Else the sample is told how
 * far off they were. */
bool counters_at_edges(const struct counters *a, const struct counters *b, uint64_t from_ns,
                       uint64_t to_ns, struct sample *out);
/* Every difference into the sample, but the gap; those of devices only when read at the edges.
 */
void counters_delta(const struct counters *a, const struct counters *b, struct sample *out);

#endif
