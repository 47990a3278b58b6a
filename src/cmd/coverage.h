/* cmd/coverage.h: what of a plan would be measured by --until or --for. */
#ifndef CMD_COVERAGE_H
#define CMD_COVERAGE_H

#include "cmd/deadline.h"

struct coverage_part { /* a pattern on a target, in the order in which they begin */
	uint64_t target, rw;
	uint64_t runs, covered; /* that would not be skipped; in time */
};

struct coverage {
	uint64_t runs, covered;         /* of all parts */
	uint64_t combinations, touched; /* with at least one run; with at least one in time */
	struct coverage_part *part;
	size_t parts;
	int64_t until_wall_ns;
};

/* plan->enumerated. A run bound by size counts as no time. */
void coverage_find(struct coverage *c, const struct prepared *p, const struct deadline *d);
void coverage_fini(struct coverage *c);

#endif
