/* cmd/night.h: what sentinels and repeats say of the rows around them, in the store. */
#ifndef CMD_NIGHT_H
#define CMD_NIGHT_H

#include "cmd/session.h"

/* Did machine or device change? Looks at what sentinels gave, block by block: a change becomes
 * an event, and the rows it concerns get the doubt `drift`. 0 or -errno. */
int night_look(struct session *s, struct err *e);
/* How far repeats of the same lie apart, into iops_half_width_repro_pct. */
int night_spread(struct session *s, struct err *e);

#endif
