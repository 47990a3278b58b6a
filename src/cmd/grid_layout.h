/* cmd/grid_layout.h: which axis of a grid goes where in its picture: along the columns, down
 * the rows, or into blocks of them. For cmd/grid_draw.c. */
#ifndef CMD_GRID_LAYOUT_H
#define CMD_GRID_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/grid.h"

#define GRID_NONE  AXIS_COUNT /* no axis */
#define GRID_NAME  10         /* columns of a row's name, with the blank behind it */
#define GRID_VALUE 512        /* bytes of a value for people */

struct grid_side { /* an axis, or GRID_NONE, and how many values of it share a place */
	size_t axis, step, places;
};

struct grid_layout {
	struct grid_side inner, outer, row;
	struct grid_side block[AXIS_COUNT]; /* outermost first */
	size_t blocks, total;               /* axes of blocks; blocks */
	size_t width;                       /* columns of a sign */
	bool left_out[AXIS_COUNT];          /* it has no place: its values share signs */
};

void grid_layout(struct grid_layout *l, const struct grid *g);

size_t grid_values(const struct grid *g, size_t axis); /* how many; of GRID_NONE: 1 */
/* Value i of an axis, or the first of a place, in at most `columns`; returns those it takes. */
size_t grid_value(const struct grid *g, size_t axis, size_t i, char buf[GRID_VALUE],
                  size_t columns);
size_t grid_at_place(const struct grid *g, const struct grid_side *s, size_t place,
                     char buf[GRID_VALUE], size_t columns);

#endif
