/* cmd/show_target.h: a run on several targets at once: what was done on each. */
#ifndef CMD_SHOW_TARGET_H
#define CMD_SHOW_TARGET_H

#include "sink/store.h"

/* Print a line for each target and op of a run; nothing when it had one target. */
int show_targets(struct store *s, int64_t run_id, struct err *e);
/* Append `"targets":[...]`: an object for each run, target and op of the runs that `runs`
 * selects, a query with one parameter, `id`. */
int show_targets_json(struct text *out, struct store *s, const char *runs, const char *id,
                      struct err *e);

#endif
