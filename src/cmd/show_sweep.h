/* cmd/show_sweep.h: how a sweep stands: for people, or as one JSON document. To stdout. */
#ifndef CMD_SHOW_SWEEP_H
#define CMD_SHOW_SWEEP_H

#include "base/err.h"
#include "sink/store.h"

int show_sweep(struct store *s, const char *db_path, struct err *e);
int show_sweep_json(struct store *s, const char *db_path, struct err *e);

#endif
