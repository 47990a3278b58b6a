/* model/sample.h: the raw outcome of one run, merged over its jobs. Plain values, no pointers: it travels
 * through shared memory. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "model/axis.h"
#include "model/hist.h"
#include "model/verdict.h"

#define SERIES_SLOT_NS 100000000ULL /* first width; doubles until a run fits into SERIES_MAX slots */
#define SERIES_MAX 4096
#define TAIL_MAX 32 /* batches of a run in which I/Os above a percentile are counted */

/* Of the I/Os of a run with a rate: from just before submission to completion. */
struct service {
	uint64_t n, max_ns; /* n 0: it had none */
	double mean_ns, p50_ns, p99_ns;
};

struct op_sample {
	uint64_t ios, bytes;  /* completions seen inside the window */
	uint64_t errors;      /* failed I/Os: in no other number */
	uint64_t short_ios;   /* res < len: bytes counted as transferred, latency kept */
	struct hist lat;      /* from just before submission, or the start that a rate planned, to the moment our
	                         thread saw the completion */
	struct service service;
	struct op_verdict verdict;
};

struct series_slot {
	uint64_t ios[OP_COUNT], bytes[OP_COUNT], lat_sum_ns[OP_COUNT];
};

#define WRITTEN_NOWHERE UINT64_MAX

enum stop_reason {
	STOPPED_NONE, /* an error ended it, or it never began */
	STOPPED_RUNTIME, STOPPED_SIZE, STOPPED_PRECISION, STOPPED_CAP, STOPPED_CAP_UNSTEADY,
	STOPPED_COUNT
};

struct io_error {
	int error;       /* positive errno; 0: none */
	uint8_t op;      /* enum op ... */
	bool data_only;  /* ... OP_SYNC: fdatasync */
	uint64_t offset; /* bytes in the target */
	uint32_t len;
	unsigned target; /* of a run on several: which of them */
};

/* What was done on one target of a run on several, in the window. */
struct target_sum {
	uint64_t ios[OP_COUNT], bytes[OP_COUNT], errors[OP_COUNT];
	uint64_t lat_sum_ns[OP_COUNT], lat_max_ns[OP_COUNT];
	uint64_t written_bytes; /* to it, by this sweep, up to the end of this run */
};

struct device_delta { /* what the block device did between two readings of its counters */
	bool valid;
	uint64_t read_ios, read_bytes, write_ios, write_bytes;
	uint64_t queue_ns; /* time-weighted requests in flight: queue_ns / elapsed = mean queue */
	uint64_t busy_ns;  /* io_ticks; of several devices the mean, all other numbers are sums */
	bool busy_unknown; /* NFS does not count it */
	uint64_t elapsed_ns;
};

struct sample {
	struct op_sample op[OP_COUNT];
	uint64_t window_ns;        /* from the first job's opening to the last job's end */
	int64_t window_start_wall_ns; /* 0: it never opened */
	uint64_t inflight_ns;      /* sum over jobs of (I/Os in flight x time) within the window */
	uint64_t jobs;             /* that ran */
	uint64_t jobs_idle;        /* that completed nothing in the window */
	uint64_t longest_gap_ns;   /* between two batches of completions of any one job, in the window */
	uint64_t region_bytes;     /* all jobs' regions together, each byte once */
	uint64_t cpu_user_ns, cpu_sys_ns;       /* of the job threads, in the window */
	uint64_t spin_ns;          /* CPU time that is not in them: looks at the clock to meet a planned start */
	uint64_t start_skew_ns, stop_skew_ns;   /* latest minus earliest job */
	uint64_t inflight_at_stop, drain_ios, drain_ns, drain_max_ns; /* after the window; in no other number */
	uint64_t jobs_hung;        /* whose last I/Os had not come back when the drain was given up */
	uint64_t flush_ns;         /* fsync of the target after a buffered writing run */
	bool flush_cut;            /* it was given up after that time */
	uint64_t late_ns;          /* the coordinator's latest wake-up in ramp and window ... */
	uint64_t stopped_ns;       /* ... and how late it was when a SIGCONT had ended a stop */
	uint64_t lag_max_ns;       /* with a rate: latest start after the planned one, in the window, of any job ... */
	uint64_t backlog_max;      /* ... I/Os of one job that should have started by then, at most ... */
	uint64_t start_late_ns;    /* ... what starts were late though there was room in the queue, all together ... */
	uint64_t unstarted;        /* ... and those of all jobs that had not, at the end of the window */
	uint64_t ramp_ios;         /* completions before the window */
	uint64_t system_ns, idle_ns, steal_ns;  /* /proc/stat over the window: all CPUs */
	struct io_error first_error;
	struct io_error first_short; /* of a job that had one; len 0: none. error is not set */
	uint32_t first_short_bytes;  /* what it transferred */
	bool edges_missed;         /* the counters of the devices were not read at the edges of the window: not valid */
	uint64_t edge_from_ns, edge_to_ns; /* ... but so far from them; 0, 0: not at all */
	struct device_delta device;
	struct device_delta base;  /* of the device under the loop device's file */
	struct device_delta gap;   /* of the device, while nothing was asked of it before the run */
	uint64_t busiest_job, busiest_cpu_ns, busiest_window_ns; /* the job with the largest share of a CPU */
	uint64_t cpus_milli;       /* CPUs that this process may use, in 1/1000 */
	uint64_t poller_ns;        /* CPU time in the window of kernel threads that poll for our rings */
	uint64_t worker_ns, worker_runs; /* CPU time and turns of those that do what would block */
	uint64_t throttled_ns;     /* held back by a CPU quota in the window, all CPUs together */
	uint64_t thermal;          /* times that a CPU slowed down for heat */
	uint64_t polls, polls_empty; /* of an engine that polls for completions; 0: it waits for them */
	bool simulated;            /* its time was not real: CPU times and counters of the machine mean nothing */
	char degraded[160];        /* what was asked for and not granted, in words; "": nothing */
	uint64_t together_ns;      /* of the window: until the first job had ended */
	struct verdict verdict;    /* on reads, writes and trims together */
	enum stop_reason stop_reason;
	uint64_t written_before_bytes; /* to this target, by this sweep, before this run; WRITTEN_NOWHERE: it has none */
	uint64_t written_bytes;        /* by this one, ramp and drain included */
	uint64_t targets;          /* worked on at once; each has as many of the jobs */
	struct target_sum target[TARGETS_MAX]; /* of each, in order; only when there are several */
	uint64_t slot_ns;
	uint32_t slots;            /* in use */
	struct series_slot slot[SERIES_MAX];
	char effective[1024];      /* "key=value key=value": what was granted (engine, clock, buffers, ...) */
};

#endif
