/* cmd/best.h: the answers from an open store, to stdout: for `best` and for the summary of a
 * sweep. */
#ifndef CMD_BEST_H
#define CMD_BEST_H

#include "base/err.h"
#include "cmd/best_load.h"
#include "sink/store.h"

enum best_form { BEST_SHORT, BEST_TABLES, BEST_JSON };

int best_answer(struct store *s, const struct best_query *q, enum best_form form,
                struct err *e);

#endif
