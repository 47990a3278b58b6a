/* plan/enumerate.h: which combinations of the product are left. Private to plan/. */
#ifndef PLAN_ENUMERATE_H
#define PLAN_ENUMERATE_H

#include "plan/plan.h"
#include "plan/where.h"

/* Walk all spaces of p->order once: apply exclude and `where` (NULL: none), collapse, merge.
 * Fills in order->index, order->combinations, and the plan's counts and notes. 0, or -EINVAL
 * when the where expression fails. */
int plan_enumerate(struct plan *p, struct where *where, struct err *e);

#endif
