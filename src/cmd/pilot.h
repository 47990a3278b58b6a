/* cmd/pilot.h: one long run of each class at its smallest and largest bs, a pause, and a short
 * run that shows whether what was used up comes back. */
#ifndef CMD_PILOT_H
#define CMD_PILOT_H

#include "cmd/outcome.h"

/* Is one missing before this row? Then it is put into *o; `before` is stored where it holds
 * what a pilot gave, or a pause comes first. */
bool pilot_before(struct session *s, const struct plan_row *row, struct outcome *o,
                  struct outcome *before);
void pilot_ran(struct session *s, const struct outcome *o);
/* That of a job's class, at the bs nearer to its own. NULL: pilots are off, or the row has no
 * class. */
struct pilot *pilot_of(const struct session *s, const struct job *job);

#endif
