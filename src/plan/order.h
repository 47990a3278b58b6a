/* plan/order.h: where the combinations of a plan are and in which order they run. Private to
 * plan/. */
#ifndef PLAN_ORDER_H
#define PLAN_ORDER_H

#include "plan/space.h"

struct plan_order {
	struct space
	    *space; /* [0] the base product (count 0 without one), then one per include entry */
	uint64_t *first; /* number of the first combination of each space; spaces + 1 entries */
	size_t spaces;

	uint64_t *index; /* combination -> number over all spaces; listed order, targets one
	                    after another */
	uint32_t *run;   /* run position of a round -> combination */
	uint64_t *target_first; /* listed and spread: first combination of each target; targets
	                           + 1 entries */
	uint64_t combinations, repeats, seed;
	size_t targets;
	enum order order;
};

/* Decode a number over all spaces, as configured. Returns its space. */
const struct space *order_decode(const struct plan_order *o, uint64_t number, struct job *job,
                                 size_t level[AXIS_COUNT]);

/* Fill in `run` and `target_first`; index must be there. */
void order_build(struct plan_order *o);

/* Which combination and repeat (from 1) is run i? */
void order_at(const struct plan_order *o, uint64_t i, uint64_t *combination, uint64_t *repeat);

#endif
