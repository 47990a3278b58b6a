/* run/loop.h: the hot loop: keep `depth` I/Os in flight, stamp and count them. One struct loop
 * per job thread; everything in it is prepared before the start, so that nothing between start
 * and stop allocates, locks, logs or computes a float. */
#ifndef RUN_LOOP_H
#define RUN_LOOP_H

#include <stdatomic.h>

#include "base/heap.h"
#include "run/buffers.h"
#include "run/marks.h"
#include "run/pace.h"
#include "run/series.h"
#include "run/stamp.h"
#include "run/workload.h"

#define CACHE_LINE 128 /* two lines: the neighbour is prefetched */
#define NO_END     UINT64_MAX
/* Bounds the time between the stamp of a batch and its last submission. */
#define BATCH_MAX AXIS_BATCH_MAX

/* What all jobs of a run share. Written by the coordinator before the start, then only `stop`,
 * `stop_at_ns` and what `early` points to. */
struct run {
	const struct run_spec *spec;
	const struct engine_ops *ops;
	unsigned depth;      /* I/Os in flight per job */
	unsigned depth_open; /* what an engine that must be opened anew should hold: >= depth */
	uint64_t start_ns, ramp_ns,
	    runtime_ns; /* runtime_ns: NO_END = until the work is done */
	uint64_t slot_ns;
	bool no_room;       /* buffers that are registered leave too little for the rings */
	bool spin;          /* CPUs suffice to spin the last microseconds before the start */
	cpu_set_t all_cpus; /* of this process, before any job was bound to some */
	struct stamp stamp;
	/* Of an engine with a clock of its own: */
	struct sim *sim;
	struct lane *const *lane; /* whose loops take turns ... */
	unsigned lanes;
	struct heap_item *turn;      /* ... in the order of their due times: room for all */
	struct early *early;         /* watches whether it may end before its time */
	_Atomic uint64_t stop_at_ns; /* ... and when: a slot's end that is still to come;
	                                NO_END: it goes on */
	_Alignas(CACHE_LINE) _Atomic uint32_t
	    stop; /* end now: asked for from outside, or a job failed */
};

/* Published by a job once per batch, read by the coordinator. */
struct progress {
	_Alignas(CACHE_LINE) _Atomic uint64_t ios;
	_Atomic uint64_t bytes;
	_Atomic uint64_t
	    waiting_since_ns; /* in flight and no completion since; 0: nothing in flight */
};

/* What one job measured. */
struct tally {
	struct hist lat[OP_COUNT];     /* with a rate: from the planned start */
	struct hist service[OP_COUNT]; /* only then: from submission */
	uint64_t bytes[OP_COUNT], short_ios[OP_COUNT], errors[OP_COUNT];
	struct io_error first_error;
	uint64_t first_error_ns;
	struct io_error first_short; /* len 0: none */
	uint32_t first_short_bytes;  /* what it transferred */
	uint64_t started_ns,
	    stopped_ns; /* when this job saw the start and the stop; 0: it did not */
	uint64_t window_from_ns, window_to_ns; /* 0, 0: the window never opened */
	uint64_t inflight_ns, longest_gap_ns;
	uint64_t cpu_user_ns, cpu_sys_ns;
	uint64_t spin_ns;   /* spent looking at the clock: in neither of them */
	uint64_t lag_max_ns, backlog_max; /* latest start after the planned one; I/Os that should
	                                     have started by then */
	uint64_t unstarted;               /* of them, at the end of the window */
	uint64_t start_late_ns;           /* sum of what starts were late with room in the queue */
	uint64_t ramp_ios;
	uint64_t inflight_at_stop, drain_ios, drain_ns, drain_max_ns;
	struct series series; /* this and what follows keep their memory */
	struct marks marks;
};

/* Pauses between I/Os. */
struct think {
	uint64_t pause_ns, spin_ns; /* the first part of a pause keeps the CPU busy */
	uint64_t blocks, io_ns;     /* I/Os, or time with I/Os, between two pauses; 0: no matter */
	uint64_t ios, since_ns;     /* since the last pause */
	bool holds;                 /* wait for what is in flight, then pause ... */
	uint64_t until_ns, spin_until_ns; /* ... until then; 0: not yet */
};

enum loop_phase { LOOP_RAMP, LOOP_WINDOW, LOOP_DRAIN, LOOP_DONE };
/* Once the stop has passed, a job touches its tally only while it owns it, so that the
 * coordinator can take it away from a job whose I/Os do not come back. */
enum tally_owner { TALLY_FREE, TALLY_JOB, TALLY_TAKEN };
enum loop_sync { SYNC_NONE, SYNC_DUE, DATA_SYNC_DUE, SYNC_FLYING };

struct loop {
	/* prepared */
	struct run *run;
	struct engine *eng;
	struct progress *progress;
	struct tally *tally;
	struct io *io, **free, **batch; /* depth of each */
	struct io **done;               /* BATCH_MAX */
	struct io **follow;             /* likewise: trimmed blocks that are to be written */
	uint8_t *buf[OP_TRIM + 1];      /* of slot 0, by op */
	size_t stride;                  /* 0: the engine looks at no buffer */
	uint32_t mean_len;           /* bytes of an I/O, on average */
	unsigned submit_max;         /* I/Os of one submit, at most */
	unsigned reap_min, reap_max; /* completions to wait for when nothing can be submitted;
	                                taken at a time */
	uint64_t fsync_every, fdatasync_every; /* writes; 0: never */
	bool syncs;                            /* either */
	bool trims_first; /* each block that is trimmed is written then */
	bool end_fsync, prepare_writes;
	struct workload work;
	struct pattern pattern;
	struct stamp stamp; /* own copy: kept in step by the owner */
	bool paced;         /* it does not start an I/O whenever there is room: run/paced.h ... */
	bool rated;         /* ... but by a schedule */
	bool plain;         /* neither rated nor trims_first: each completion just frees its slot */
	uint64_t *due_ns;   /* when the I/O in each slot should have started; 0: when it did */
	struct pace pace;
	struct think think;

	/* running */
	struct engine_polls polls; /* of a job that never waits: reap_min 0 */
	_Atomic uint32_t owner;    /* enum tally_owner */
	_Atomic uint32_t
	    entered; /* the kernel, from where it may not come back: all before is visible */
	enum loop_phase phase;
	enum loop_sync sync;
	unsigned nfree, nbatch, nfollow, inflight;
	bool issued;         /* its turn ended: it is to wait in the next */
	bool aborted;        /* error, or stopped from outside */
	bool broken;         /* the engine failed with I/Os in flight: it must be closed */
	bool unsynced;       /* wrote since the last end_fsync */
	uint64_t writes;     /* that were handed out, all phases */
	uint64_t again_ns;   /* since when "try again" is the only answer ... */
	uint64_t again_ios;  /* ... and ios at that time */
	uint64_t ios, bytes; /* so far, all phases */
	uint64_t ramp_end_ns, stop_ns, slot_end_ns, tick_ns;
	uint64_t next_event_ns;           /* the earliest of these that applies */
	uint64_t last_ns;                 /* inflight_ns is booked up to here */
	uint64_t gap_from_ns;             /* last batch of completions */
	uint64_t cpu_user_ns, cpu_sys_ns; /* at the start of the window */
	bool spinning, started; /* of a paced job: this turn only looks at the clock; an I/O began */
	uint64_t looked_ns;     /* end of its last turn */
	bool held;              /* no I/O may start: the queue is full, a pause ... */
	uint64_t room_ns;       /* ... and since when one may again */
};

/* Run from run->start_ns until the window has ended and nothing is in flight. */
void loop_run(struct loop *l);

/* The same in turns, where one thread drives the loops of all jobs on a clock that they share:
 * begin each, then always give the one that is due first a turn, until it returns false. */
void loop_begin(struct loop *l);
uint64_t loop_due(struct loop *l);
bool loop_turn(struct loop *l);

/* By the coordinator, when the stop has passed and the job does not come back from the kernel:
 * take its tally and close the window in it. Should the job come back after all, it ends at
 * once. */
void loop_give_up(struct loop *l);

#endif
