/* plan/merge.h: why combinations fell together, counted while enumerating, told in words. */
#ifndef PLAN_MERGE_H
#define PLAN_MERGE_H

#include "base/text.h"
#include "model/axis.h"

struct merges {
	uint64_t count[AXIS_COUNT]; /* by the first axis in which the two rows differed */
	uint64_t
	    engines[AXIS_COUNT]; /* bit per engine: of rows that fell together by this axis */
	uint64_t patterns[AXIS_COUNT]; /* bit per rw */
	uint64_t equal; /* nothing differed: an include entry that was there already */
};

/* `dropped` became the same as `kept`; both resolved but for the size, not
 * collapsed. */
void merges_add(struct merges *m, const struct job *kept, const struct job *dropped);
/* One line per cause. listed_twice: merged because a list names a value twice. */
void merges_tell(const struct merges *m, uint64_t listed_twice, struct strlist *notes);

#endif
