/* run/early.h: the end of a run at the precision that was asked for. The coordinator adds up
 * what the jobs publish, slot by slot; at a few lengths of the window it judges them
 * (stat/stopping.h) and, when that is enough, sets one moment for all jobs to stop at: the end
 * of a slot, which each of them looks up for itself anyway. */
#ifndef RUN_EARLY_H
#define RUN_EARLY_H

#include "model/sample.h"
#include "run/spec.h"
#include "stat/stopping.h"

struct run;
struct lane;

struct early {
	bool on, ended; /* ended: before its time */
	struct run *run;
	struct lane *const *lane; /* whose counters are added up ... */
	unsigned lanes;           /* ... the first of them */
	struct stat_pilot pilot;
	struct stat_stopping stopping, last; /* last: before the look that ended it */
	uint64_t from_ns;                    /* the window opens; NO_END: not yet known */
	uint64_t next_ns;                    /* the next slot ends: early_tick() is due */
	uint64_t seen_ns, seen_ios;          /* at the last tick */
	unsigned n;
	double count[SERIES_MAX];
	struct stat_room *room; /* borrowed */
};

/* May this run end early? Then its ramp and its window become what stat/stopping.h says: at
 * least the user's ramp, and never longer together than asked for. */
void early_set_up(struct early *e, struct run *run, const struct run_spec *spec);
/* The jobs are about to begin, their windows open at from_ns. */
void early_begin(struct early *e, struct lane *const lane[], unsigned lanes, uint64_t from_ns);
/* The time is now_ns, by the clock of the run. */
void early_tick(struct early *e, uint64_t now_ns);
/* All is judged: what the pilot knows goes into the verdicts, and why the window ended into
 * stop_reason. */
void early_end(const struct early *e, struct sample *out);

static inline bool early_due(const struct early *e, uint64_t now_ns)
{
	return e->on && now_ns >= e->next_ns;
}

#endif
