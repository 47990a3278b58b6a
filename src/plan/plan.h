/* plan/plan.h: the cartesian product of a sweep, in run order. Pure: decides from sweep and world alone. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "base/err.h"
#include "base/text.h"
#include "model/record.h"
#include "model/sweep.h"
#include "model/world.h"
#include "plan/key.h"

#define PLAN_MAX_DEFAULT 1000000ULL /* above it only the product is counted, unless allowed */
#define PLAN_MAX_LARGE 100000000ULL   /* with --yes-large: what a list of 8 bytes each can still hold */

struct plan_skip {
	bool skipped;
	bool by_machine;      /* else by the config */
	bool target_absent;   /* skipped only because its target is not there: still counted in the estimate */
	int error;            /* positive errno or 0 */
	const char *reason;   /* stable class for counting, e.g. "bs larger than size"; static */
	char text[256];       /* the sentence with its numbers */
};

struct plan_row {
	uint64_t combination;       /* 0 .. combinations-1, in listed order */
	uint64_t repeat;            /* from 1 */
	struct job job;             /* effective: nothing AXIS_UNSET except runtime and io_size; size in bytes, AXIS_UNSET
	                               only in skipped rows whose target has no size to take it from; of several targets
	                               the smallest one's */
	uint64_t raw_size;          /* as configured: bytes, percent or AXIS_UNSET */
	const char *filename;       /* as configured; borrowed from the sweep */
	struct job_text text;       /* likewise */
	struct combination_key key;
	char key_text[KEY_TEXT_MAX];
	char label[128];
	struct plan_skip skip;
};

struct plan_reason {
	const char *reason;
	bool by_machine;
	uint64_t count;             /* combinations */
	uint64_t first;             /* the first of them */
};

struct plan_need {              /* what the rows that will run ask of one target */
	bool used, reads, writes;   /* by at least one row that is not skipped */
	bool direct, buffered;
	uint64_t size_bytes;        /* largest region end that must exist, bytes per file (incl. offset_increment) */
	uint64_t files;             /* a directory: files needed (largest numjobs); else 1 */
	uint64_t write_ns;          /* time spent in writing runs */
};

struct plan_block {             /* the rows of one target and rw that run */
	size_t target;
	uint64_t rw;
	uint64_t cells;             /* combinations */
	uint64_t cell;              /* the middle one of them, in listed order: the sentinel */
	uint64_t rows_ns;           /* by the config */
	uint64_t sentinels;         /* how many are expected */
};

struct plan_class {             /* the rows of one target, engine, rw and direct ... */
	size_t target;
	uint64_t ioengine, rw, direct;
	uint64_t bs[2];             /* ... their smallest and largest bs */
	uint64_t cell[2];           /* at these, the combination with most I/Os in flight: the pilots */
	unsigned pilots;            /* 1 when there is but one bs */
};

struct plan {
	const struct sweep *sweep;  /* borrowed, must outlive the plan */
	const struct world *world;  /* borrowed */
	bool enumerated;            /* false: too many, only product and time are known */
	uint64_t product;           /* raw list lengths multiplied (with includes); saturates at UINT64_MAX */
	bool product_overflow;
	uint64_t merged, excluded, combinations, runs, skipped, skipped_by_machine;
	struct plan_reason *reason; /* skipped combinations by reason */
	size_t reasons;
	struct plan_need *need;     /* parallel to sweep->target */
	struct strlist notes;       /* merges, in words */
	struct strlist warnings;    /* an exclude that matches nothing */
	double estimate_s, write_s; /* ramp + runtime (+ pause) of rows that run, or would if their target were
	                               there; without layout */
	double absent_s;            /* the part of estimate_s whose target is absent */
	double simulated_s;         /* ... and the part that is simulated: it takes next to no time, and writes nothing */
	double expected_s;          /* like estimate_s, when every run ends as soon as one on a steady device can */
	struct plan_block *block;   /* none without sentinels */
	size_t blocks;
	struct plan_class *class;   /* none without pilots */
	size_t classes;
	uint64_t sentinels, pilots; /* runs beside the grid, as expected; their time is in the estimates */
	double sentinel_s, pilot_s;
	bool unbounded;             /* some rows have no runtime: bounded by size, time unknown */
	struct plan_order *order;   /* private: plan/order.h */
};

/* max: largest number of combinations to enumerate (PLAN_MAX_DEFAULT, or more with --yes-large). Returns 0 also
 * when there are more (enumerated = false), -EINVAL for a bad `where`. */
int plan_new(struct plan **out, const struct sweep *sweep, const struct world *world, uint64_t max, struct err *e);
void plan_free(struct plan *p);
static inline void plan_freep(struct plan **p)
{
	plan_free(*p);
}

/* Bytes of the region of a row on one of its targets, an index into world.target. The size must be known. */
uint64_t plan_row_size(const struct plan *p, const struct plan_row *row, size_t target);

/* Decode row i < plan->runs, in run order. */
void plan_row(const struct plan *p, uint64_t i, struct plan_row *out);

/* A run that is not in the plan: job as it runs, with a size in bytes. Not skipped. */
void plan_row_of(const struct plan *p, const struct job *job, uint64_t repeat, struct plan_row *out);

/* The first combination that is skipped for p->reason[r], with its sentence: the example of them all. */
void plan_example(const struct plan *p, size_t r, struct plan_row *out);

/* Does this combination run? *job: what it comes to. */
bool plan_runs(const struct plan *p, uint64_t combination, struct job *job);

/* A combination as a row, repeat 1. */
void plan_cell(const struct plan *p, uint64_t combination, struct plan_row *out);
/* The same without a ramp and with a runtime of its own, which makes another combination of it. */
void plan_long_cell(const struct plan *p, uint64_t combination, uint64_t runtime_ns, struct plan_row *out);

/* The pilot, the pause after it, and the run after that, in ns. */
static inline uint64_t pilot_pause_ns(const struct sweep *s)
{
	return s->pilot_ns / 24;
}
static inline uint64_t pilot_again_ns(const struct sweep *s)
{
	return s->pilot_ns / 15;
}

/* Time a row takes by the config alone: ramp + runtime + pause, in ns; 0 when skipped or bound by size; next to
 * nothing when simulated. */
uint64_t plan_row_ns(const struct plan *p, const struct plan_row *row);

#endif
