/* plan/space.h: one cartesian product: the base of a sweep, or the lists of one include entry.
 * A combination is a number below count, decoded on demand. */
#ifndef PLAN_SPACE_H
#define PLAN_SPACE_H

#include "model/sweep.h"

struct space {
	uint64_t count; /* distinct combinations; UINT64_MAX when too many to count */
	uint64_t raw;   /* the same with equal values counted as often as they were written */
	bool overflow;  /* raw does not fit */
	const uint64_t *val[AXIS_COUNT]; /* borrowed from the sweep */
	size_t len[AXIS_COUNT];
	enum axis_id vary[AXIS_COUNT]; /* the axes with several values, innermost first */
	size_t varies;
	const char *label; /* an include entry's own name, or NULL */
};

/* include NULL: the base product. */
void space_init(struct space *s, const struct sweep *sweep, const struct partial *include);
/* Combination i < count as configured; level (may be NULL) gets the position in each axis'
 * list. */
void space_decode(const struct space *s, uint64_t i, struct job *job, size_t level[AXIS_COUNT]);

/* Seconds that all combinations take together, by arithmetic alone, and the share of those that
 * write. */
struct space_time {
	double all_s, write_s;
	bool unbounded; /* some end by size alone: not counted */
};
struct space_time space_time(const struct space *s, uint64_t pause_ns);

#endif
