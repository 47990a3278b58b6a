/* cmd/show_op.h: what each op of a run was like, to stdout. */
#ifndef CMD_SHOW_OP_H
#define CMD_SHOW_OP_H

#include "base/err.h"
#include "model/hist.h"
#include "sink/store.h"

int show_ops(struct store *s, int64_t run_id, struct err *e);
/* The latencies of one op of a run; h->n is 0 when it has none. */
int show_histogram(struct hist *h, struct store *s, int64_t run_id, int64_t op, struct err *e);

#endif
