/* cmd/show_grid.h: what of a sweep is done, combination by combination. */
#ifndef CMD_SHOW_GRID_H
#define CMD_SHOW_GRID_H

#include "base/err.h"
#include "cmd/show_standing.h"

/* Drawn, to stdout; nothing when there is but one combination. */
int show_grid(struct store *s, const struct show_standing *p, struct err *e);
/* Appends ,"grid":{..}. */
int show_grid_json(struct text *t, struct store *s, const struct show_standing *p,
                   struct err *e);

#endif
