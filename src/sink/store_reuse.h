/* sink/store_reuse.h: copy runs from another store, whose format is the same or older. */
#ifndef SINK_STORE_REUSE_H
#define SINK_STORE_REUSE_H

#include "sink/store.h"

struct store_reuse;

/* A transaction on `to` that copies from `from`. */
int store_reuse_begin(struct store_reuse **out, struct store *to, struct store *from,
                      struct err *e);
/* Copy a run with its results, intervals, histograms and environment; `as` names it in `to`:
 * run_id, repeat, attempt and the combination. Status, times and numbers stay what they were.
 */
int store_reuse_run(struct store_reuse *u, int64_t from_run, const struct record *as,
                    struct err *e);
/* Commit, with the events since, when r is 0; else undo all. Frees u, returns the first error.
 */
int store_reuse_end(struct store_reuse *u, int r, struct err *e);
/* Is the file whole? -EINVAL with what is not. */
int store_quick_check(struct store *s, struct err *e);
/* Are the numbers of this run such as can be measured: 1, or 0; -errno: they cannot be read. */
int store_reuse_sound(struct store *from, int64_t run, struct err *e);

#endif
