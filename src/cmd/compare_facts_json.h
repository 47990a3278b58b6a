/* cmd/compare_facts_json.h: how the machines and targets of two sweeps differ, by what was
 * recorded of them. */
#ifndef CMD_COMPARE_FACTS_JSON_H
#define CMD_COMPARE_FACTS_JSON_H

#include "base/err.h"
#include "base/text.h"
#include "sink/store.h"

/* "kernel: 6.1.0 -> 6.18.2", one line for each fact. */
int compare_facts(struct strlist *out, struct store *a, struct store *b, struct err *e);

#endif
