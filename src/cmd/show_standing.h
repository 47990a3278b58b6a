/* cmd/show_standing.h: how far a sweep is. */
#ifndef CMD_SHOW_STANDING_H
#define CMD_SHOW_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/record.h"
#include "sink/store.h"

struct show_standing {
	int64_t planned, done, doubted; /* done: with a final row, everything but interrupted */
	int64_t status[STATUS_COUNT];
	double left_s; /* NaN: not known */
	bool live;
	const char *state; /* "running", "done", or "stopped": it can be resumed */
};

int show_standing_load(struct show_standing *p, struct store *s, struct err *e);

#endif
