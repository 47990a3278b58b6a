/* run/lane.h: one job thread with everything it keeps from run to run: engines, buffers, its
 * file, statistics. All but the fields marked so belong to the thread while it works and to the
 * coordinator while it is parked. */
#ifndef RUN_LANE_H
#define RUN_LANE_H

#include <pthread.h>

#include "run/loop.h"

#define GRANTED_MAX 320

enum lane_command { LANE_PARKED, LANE_PREPARE, LANE_RUN, LANE_TURNS, LANE_TRIM, LANE_RELEASE, LANE_EXIT };

struct lane_file {
	int fd; /* -1: none */
	int flags;
	enum io_advice advice; /* that it was given */
	uint64_t dev, ino;
	char path[PATH_MAX];
};

struct lane {
	_Alignas(CACHE_LINE) _Atomic uint32_t
	    command;              /* set by the coordinator, LANE_PARKED by the thread */
	struct progress progress; /* read by the coordinator at any time */
	_Alignas(CACHE_LINE) struct loop loop;
	struct run *run;
	_Atomic uint32_t *pending; /* counts down when a command is done */
	pthread_t thread;
	unsigned index;
	struct err err; /* of the last PREPARE; code 0: ready */
	struct engine *eng[ENGINE_COUNT];
	struct engine_env env[ENGINE_COUNT]; /* that each was opened with */
	struct engine_polls polls;           /* of the last run */
	char granted[GRANTED_MAX];           /* what the engine said of itself for this run */
	int nice, io_priority;               /* 0: as at the start */
	cpu_set_t cpus;                      /* empty: all, as at the start */
	size_t keep[2];                      /* for TRIM: bytes of each arena */
	struct arena arena[2];               /* [.huge]: large buffers lie in huge pages, small ones and those of profile=fio never do */
	struct lane_file file;
	unsigned slots; /* allocated in loop.io, free, batch */
	struct tally tally;
	struct io *done[BATCH_MAX];
	struct series_slot series[SERIES_MAX];
	uint32_t counts[MARKS_ROOM];
};

/* Allocate, not yet a thread. NULL when out of memory. */
struct lane *lane_new(unsigned index, struct run *run, _Atomic uint32_t *pending);
void lane_free(struct lane *lane); /* the thread is gone */

/* In the thread. prepare: everything that run->spec needs, kept where it is there already; sets
 * lane->err. trim: give buffers beyond lane->keep[] back. release: close and give back all of it. */
void lane_prepare(struct lane *lane);
void lane_run(struct lane *lane);
void lane_turns(const struct run *run); /* all lanes of the run, which are parked, in this thread */
void lane_trim(struct lane *lane);
void lane_release(struct lane *lane);

/* Lane i works on target i / numjobs as its job i % numjobs; one beyond those of the run as if the last target had more
 * jobs. */
struct lane_place {
	const struct run_spec *spec; /* of the target */
	unsigned target, job;
};
struct lane_place lane_place(const struct run *run, unsigned index);

/* Each buffer begins at a multiple of it. */
uint64_t lane_buffer_align(const struct run *run);
/* Bytes of buffers that a job of this spec needs. */
uint64_t lane_buffer_bytes(const struct run *run);
/* Bytes of buffers beyond lane->keep[]. */
size_t lane_spare_bytes(const struct lane *lane);
/* Where the buffers of the run that it is to do lie. */
const struct arena *lane_arena(const struct lane *lane);

#endif
