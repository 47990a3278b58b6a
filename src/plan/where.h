/* plan/where.h: the `where` of a sweep: one SQL expression over the axis columns of a
 * combination. */
#ifndef PLAN_WHERE_H
#define PLAN_WHERE_H

#include "base/err.h"
#include "model/sweep.h"

struct where;

/* Compile. -EINVAL with the expression and what is wrong with it. The sweep is borrowed. */
int where_new(struct where **out, const struct sweep *sweep, struct err *e);
/* Does this combination (resolved, not collapsed) match? 1, 0 (also when the expression is
 * NULL), or -EINVAL. */
int where_match(struct where *w, const struct job *job, struct err *e);
void where_free(struct where *w);

#endif
