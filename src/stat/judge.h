/* stat/judge.h: the verdict on a run from what it completed in each slot of its window. Pure:
 * the caller gives the room. */
#ifndef STAT_JUDGE_H
#define STAT_JUDGE_H

#include "model/sample.h"
#include "model/verdict.h"

#define STAT_PRECISION                                                                         \
	0.02 /* half width of the mean that is good enough, unless asked for another */
#define STAT_CONFIDENCE 0.95
#define STAT_VALUE_S    0.5 /* the series is judged by means over so long */
#define STAT_VALUES     10  /* fewer of those say nothing */
#define STAT_COUNT      100 /* completions that the median slot must hold, else slots are merged */

struct stat_room {
	double count[SERIES_MAX]; /* for the caller's series */
	double x[SERIES_MAX], y[SERIES_MAX], work[SERIES_MAX];
};

struct stat_series {
	const double *count; /* completions of each whole slot */
	unsigned n;          /* <= SERIES_MAX */
	double slot_s;
	double precision; /* relative half width that is good enough */
};

/* Methods: stat/batch.h and stat/shape.h. Too few slots or completions: out->judged is false.
 */
void stat_judge(struct verdict *out, const struct stat_series *s, struct stat_room *room);

/* Only the half width, rho and batches of one op's series. */
void stat_judge_op(struct op_verdict *out, const struct stat_series *s, struct stat_room *room);

#endif
