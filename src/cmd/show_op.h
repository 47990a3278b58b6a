/* cmd/show_op.h: what each op of a run was like, to stdout. */
#ifndef CMD_SHOW_OP_H
#define CMD_SHOW_OP_H

#include "base/err.h"
#include "sink/store.h"

int show_ops(struct store *s, int64_t run_id, struct err *e);

#endif
