/* cmd/best_find.h: where a target performs best, from plain points. Pure: no database, no
 * terminal.
 *
 * Points of one group (target, pattern, direct, size, ...) compete with each other; the choice
 * (bs, numjobs, iodepth, engine) is what is to be found. Repeats of a choice are averaged into
 * a cell. A point in doubt is counted, never ranked, unless the whole group is in doubt.
 *
 * Rates are compared as logarithms. The variance of a cell's level is that of the mean of its
 * runs' own intervals, plus the group's run-to-run variance / runs (Kalibera and Jones 2013).
 */
#ifndef CMD_BEST_FIND_H
#define CMD_BEST_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BEST_WITHIN 0.95 /* of the peak: good enough, unless asked otherwise */
#define BEST_LIMITS 8
#define BEST_OPS    3 /* read, write, trim */

struct best_choice {
	uint64_t bs, numjobs, iodepth;
	const char *engine; /* borrowed */
	const char
	    *rest; /* what else differs within the group, in words; "" nothing; borrowed */
};

enum best_value {
	BEST_RATE,       /* what is ranked */
	BEST_HALF_WIDTH, /* of it, at 95 %, relative */
	BEST_BW,         /* MiB/s of all ops */
	BEST_IOPS,       /* of all ops */
	BEST_CPU,        /* us per I/O */
	BEST_MEAN,       /* us, BEST_OPS of them ... */
	BEST_P99 = BEST_MEAN + BEST_OPS,
	BEST_LIMIT =
	    BEST_P99 +
	    BEST_OPS, /* of the op that is worst by the limit, BEST_LIMITS of them ... */
	BEST_FAR = BEST_LIMIT + BEST_LIMITS, /* the far end of its interval */
	BEST_VALUES = BEST_FAR + BEST_LIMITS
};

struct best_point {   /* one run that is ok */
	size_t group; /* from 0; equal numbers compete */
	struct best_choice choice;
	const char *doubts;        /* "": none; borrowed */
	const char *held;          /* the rate that was asked for and held; "": none; borrowed */
	double value[BEST_VALUES]; /* NaN: not measured; a rate that is not above 0 is not
	                              ranked */
};

struct best_cell {
	struct best_choice choice;
	const char *held; /* a rate that its runs held: no limit of the target; "": none */
	size_t runs;
	double value[BEST_VALUES]; /* mean over the runs; BEST_HALF_WIDTH: of that mean, NaN
	                              when nothing is known */
	double level;              /* logarithm of the rate; higher is better */
	double variance;           /* of level; 0 when nothing is known */
};

enum best_reach { BEST_BELOW, BEST_BORDERLINE, BEST_REACHES };

struct best_size { /* one bs */
	struct best_cell best;
	double share, half_width; /* of the peak; half width at 95 % in the same unit, NaN when
	                             not known */
	enum best_reach reach;    /* of `within`: surely not, cannot tell, surely */
};

struct best_met {
	bool met;
	bool borderline; /* the interval of the value reaches beyond the limit */
	struct best_cell cell;
};

struct best_group {
	size_t group;
	size_t runs, doubted;
	bool all_doubted; /* ... and so ranked all the same */
	double spread; /* run-to-run, relative standard deviation by repeats; NaN without any */
	size_t cells;
	struct best_cell *cell; /* in order of choice; when cells is 0 nothing below is set */
	struct best_cell peak;
	size_t ties; /* cells that cannot be told from the peak, itself included */
	struct best_cell cheapest_tie;
	struct best_cell sweet; /* smallest bs that reaches `within` of the peak, there the
	                           cheapest that does */
	struct best_size *size; /* ascending */
	size_t sizes;
	struct best_cell least_cpu; /* runs 0: not known */
	size_t *front,
	    fronts; /* cells that no other beats in rate and in p99: indices, by rate */
	struct best_met limit[BEST_LIMITS];
	struct best_point in_doubt; /* the fastest of those in doubt, when it beats the peak;
	                               doubts "": none */
};

struct best_ask {
	double within;
	bool lower; /* the rate is better when it is lower */
	size_t limits;
	bool at_most[BEST_LIMITS]; /* else at least */
	double limit[BEST_LIMITS];
};

/* One group per number, in order; *out is the caller's, for best_free(). Returns how many.
 * Cheapest: fewest I/Os in flight (numjobs x iodepth), then fewest jobs, then the best rate. */
size_t best_find(struct best_group **out, const struct best_point *points, size_t n,
                 const struct best_ask *ask);
void best_free(struct best_group *groups, size_t n);

/* p99 of the worst op; NaN when one of them is not known. */
double best_p99(const struct best_cell *c);

#endif
