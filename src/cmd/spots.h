/* cmd/spots.h: the sweet spots of a stored sweep, in words. */
#ifndef CMD_SPOTS_H
#define CMD_SPOTS_H

#include "base/err.h"
#include "sink/store.h"

/* Find and print them to stdout: one paragraph per target, pattern and every other condition of
 * the sweep. Prints nothing when no run is ok. */
int spots_print(struct store *s, struct err *e);

#endif
