/* cmd/query.h: what questions to the view `results` have in common, as SQL. */
#ifndef CMD_QUERY_H
#define CMD_QUERY_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "model/metrics.h"
#include "sink/store.h"

/* A share of iops: the half width of the 95 % interval that a run has of itself. */
#define QUERY_HALF_WIDTH "iops_half_width_pct / 100.0"

/* The metric that an option names; NULL with the reason when it is none, or no number. */
const struct metric *query_metric(const char *option, const char *name, struct err *e);

bool query_has_column(struct store *s, const char *name);
/* Have runs an interval of this metric? It may be NULL: then not. */
bool query_has_half_width(struct store *s, const struct metric *m);

/* " FROM results WHERE ...": the rows that answers and pictures are made of. where: of the
 * user; NULL: all. */
void query_from(struct text *sql, const char *where);
/* Conditions: the pattern is mixed; the engine does no real I/O. */
void query_mixed(struct text *sql);
void query_unreal(struct text *sql);
/* A column that tells cells apart: rwmixread is NULL where the pattern is not mixed. */
void query_axis(struct text *sql, const char *column);
/* varies[i]: has column[i] more than one value among these rows? */
int query_varies(bool *varies, struct store *s, const struct strlist *column, const char *from,
                 struct err *e);

#endif
