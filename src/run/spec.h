/* run/spec.h: what the supervisor asks the worker to do. Plain values: it travels through shared memory. */
#ifndef RUN_SPEC_H
#define RUN_SPEC_H

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "engine/sim.h"
#include "model/axis.h"
#include "model/distribution.h"
#include "model/sample.h"
#include "model/size_mix.h"
#include "stat/pilot.h"

/* A run on several targets at once has a spec for each, one after another: they differ in what is said of the target,
 * and in the seed. The first speaks for the run. */
struct run_spec {
	unsigned targets;            /* of the run; 0 is 1 */
	struct job job;              /* effective values; numjobs jobs on each target */
	char path[PATH_MAX];         /* absolute; a directory when `directory`: job i uses path/iosweep.i.dat */
	bool directory;
	bool block_device;
	uint64_t dev, ino;           /* identity of the file or directory that open must find again; 0: not checked */
	uint64_t diskseq;            /* of the block device; 0: not checked */
	uint64_t region_bytes;       /* per file; whole blocks of it are used */
	uint64_t target_bytes;       /* size of the file or device: no I/O ends beyond it */
	uint64_t seed;               /* of this run: mixed from sweep seed, key, repeat */
	bool sizes;                  /* the I/Os have these sizes instead of job.bs */
	struct size_mix mix[SIZES_COUNT];
	struct distribution distribution; /* of random offsets */
	uint64_t memory_align;       /* for direct I/O buffers; at least the page size is used */
	cpu_set_t cpus;              /* of the jobs, by job.cpus_allowed_policy; empty: all that there are */
	uint8_t pattern[BYTES_MAX];  /* job.buffer_pattern ... */
	uint32_t pattern_bytes;      /* ... so many; 0: none */
	uint32_t major, minor;       /* whose counters to read; 0:0 none */
	char nfs_mount[PATH_MAX];    /* ... or where the NFS file system is mounted; "" none */
	bool stop_ends;              /* when the process was stopped meanwhile the run ends: it is done again */
	bool drop_cache;             /* buffered run: drop the target's pages first */
	bool pre_read;               /* buffered run: bring the regions into the page cache first */
	bool flush;                  /* buffered writes: fsync afterwards, into sample.flush_ns */
	double precision;            /* relative half width at which it may end before its time; 0: it does not */
	struct stat_pilot pilot;     /* of its class; !known: there is none */
	struct sim_device sim;       /* what an engine that simulates is to be; number job.filename of the sweep */
	uint64_t rest_ns;            /* ... and for how long of its time nothing was asked of it since the run before */
};

static inline unsigned run_targets(const struct run_spec *spec)
{
	return spec->targets ? spec->targets : 1;
}

enum live_phase { LIVE_IDLE, LIVE_LAYOUT, LIVE_PRE_READ, LIVE_OPEN, LIVE_RAMP, LIVE_WINDOW, LIVE_DRAIN, LIVE_FLUSH, LIVE_DONE };

/* What the supervisor asks of a task under way; each includes the one before it. */
enum live_stop {
	STOP_NONE,
	STOP_NOW,     /* end the run now, drain, report */
	STOP_GIVE_UP, /* wait no more for a drain: the window is complete, report it */
};

/* Written by the worker's coordinator at most every 100 ms, read by the supervisor at any time: for the screen,
 * and for the watchdog. Lives in memory shared by both processes. */
struct live {
	_Atomic uint32_t phase;            /* enum live_phase */
	_Atomic uint32_t stop;             /* enum live_stop, set by the supervisor */
	_Atomic uint64_t phase_since_ns;   /* monotonic */
	_Atomic uint64_t window_start_ns;  /* monotonic; 0 before */
	_Atomic uint64_t ios, bytes;       /* so far, ramp included */
	_Atomic uint64_t waiting_since_ns; /* oldest moment since which some job has I/O in flight and has seen no
	                                      completion; 0: none is waiting */
	_Atomic uint64_t layout_done, layout_total; /* bytes, of a pre-read as well */
};

/* The time first: who sees the phase must not measure it from the one before. */
static inline void live_phase(struct live *live, enum live_phase phase)
{
	atomic_store_explicit(&live->phase_since_ns, clock_mono_ns(), memory_order_relaxed);
	atomic_store_explicit(&live->phase, phase, memory_order_release);
}

/* Forget what the task before showed. */
static inline void live_begin(struct live *live, enum live_phase phase)
{
	atomic_store_explicit(&live->window_start_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&live->ios, 0, memory_order_relaxed);
	atomic_store_explicit(&live->bytes, 0, memory_order_relaxed);
	atomic_store_explicit(&live->waiting_since_ns, 0, memory_order_relaxed);
	live_phase(live, phase);
}

#endif
