/* cmd/sentinel.h: one cell of each block is run again through the night. */
#ifndef CMD_SENTINEL_H
#define CMD_SENTINEL_H

#include "cmd/outcome.h"

/* How much work lies behind the last one, by the store. */
void sentinel_begin(struct session *s);
/* Is one due before this row? Then it is put into *o. */
bool sentinel_before(struct session *s, const struct plan_row *row, struct outcome *o);
void sentinel_ran(struct session *s, const struct outcome *o);

#endif
