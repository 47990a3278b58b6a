/* cmd/plan_json.h: `iosweep plan --json`. */
#ifndef CMD_PLAN_JSON_H
#define CMD_PLAN_JSON_H

#include "cmd/coverage.h"

/* One JSON document to stdout; list: with every run in run order. */
void plan_json_print(const struct prepared *p, const struct coverage *c, bool list);

#endif
