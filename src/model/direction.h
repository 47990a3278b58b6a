/* model/direction.h: one value of an axis that reads and writes may have each their own of, as
 * fio's "8k,4k". Equal ones are that value itself; others are packed into the 64 bits that a
 * value has, so that a job stays a plain value. */
#ifndef MODEL_DIRECTION_H
#define MODEL_DIRECTION_H

#include "model/axis.h"

/* Parse "READ,WRITE" of an axis with .directions. An empty part is the default, as after fio's
 * trailing comma. -EINVAL; -ERANGE: outside of the axis' limits, or not to be packed: both must be
 * below 2^31, or whole multiples of 1024 below 2^41. */
int direction_parse(const struct axis *a, const char *text, uint64_t *value);

/* Are reads and writes told apart? */
bool direction_differs(const struct axis *a, uint64_t value);
/* The value for one direction; trims follow writes. */
uint64_t direction_of(const struct axis *a, uint64_t value, enum op op);

#endif
