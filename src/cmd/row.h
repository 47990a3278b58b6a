/* cmd/row.h: one row of the plan: is it to run, can it, what became of it. */
#ifndef CMD_ROW_H
#define CMD_ROW_H

#include "cmd/outcome.h"

/* Do o->row, in its turn or, `last`, in the second turn of those that were put off. `before` is
 * the row before it, whose outcome is stored on the way. 1: it is put off; 0, or -errno when
 * results cannot be stored. */
int row_do(struct session *s, struct outcome *o, struct outcome *before, bool last);
/* Store the outcome of `done` (if it has one) and that `next` (NULL: none) begins. 0 or -errno,
 * after saying so. */
int row_store(struct session *s, struct outcome *done, const struct outcome *next);
/* At the end: wait for another program to let go of the database, while rows are still to get into
 * it. `none` has nothing to store. */
void row_settle(struct session *s, struct outcome *none);

/* Have o->row measured and judged. */
void row_measure(struct session *s, struct outcome *o);

#endif
