/* cmd/show_percentiles.h: the percentiles that `show` prints of each op: those of the sweep's
 * percentile_list, else fio's usual ones. */
#ifndef CMD_SHOW_PERCENTILES_H
#define CMD_SHOW_PERCENTILES_H

#include "base/err.h"
#include "base/text.h"
#include "model/percentiles.h"
#include "sink/store.h"

struct show_percentiles {
	struct percentiles list;
	bool chosen; /* by the sweep: each of them is shown, also as "-" */
};

void show_percentiles_load(struct show_percentiles *p, struct store *s);
/* To stdout; h->n > 0. */
void show_percentiles_print(const struct show_percentiles *p, const struct hist *h);
/* Append ,"percentiles":{"99.9":US, ...} of the run and op of a row; null: too few samples, or
 * no histogram. */
int show_percentiles_json(struct text *t, const struct show_percentiles *p, struct store *s,
                          const struct rows *r, struct err *e);

#endif
