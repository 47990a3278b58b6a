/* cmd/show_inside.h: what lies inside a run: its latencies and its course. */
#ifndef CMD_SHOW_INSIDE_H
#define CMD_SHOW_INSIDE_H

#include "base/err.h"
#include "sink/store.h"

/* Drawn, op by op, to stdout. */
int show_inside(struct store *s, int64_t run_id, struct err *e);
/* Appends ,"intervals":[..],"histograms":[..], rows as export has them. runs: a SELECT of run
 * numbers with one parameter, that `id` is bound to. */
int show_inside_json(struct text *t, struct store *s, const char *runs, const char *id,
                     struct err *e);

#endif
