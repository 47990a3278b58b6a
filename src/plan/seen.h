/* plan/seen.h: which combination did these effective values first? Open addressing, 8 bytes per
 * slot. */
#ifndef PLAN_SEEN_H
#define PLAN_SEEN_H

#include "model/axis.h"

struct seen {
	uint64_t *slot;    /* high half: hash, low half: combination + 1; 0: free */
	size_t size, used; /* size: a power of two */
};

uint32_t seen_hash(const struct job *effective);
/* Is `combination` stored under this hash the one looked for? */
typedef bool seen_same(void *arg, uint64_t combination);
/* The combination that is there already, or -1 after `combination` (below 2^32 - 1) was added.
 */
int64_t seen_add(struct seen *s, uint32_t hash, uint64_t combination, seen_same *same,
                 void *arg);
void seen_fini(struct seen *s);

#endif
