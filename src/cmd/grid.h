/* cmd/grid.h: the combinations of a sweep by the axes that vary, and how the runs of each
 * stand. Pure. */
#ifndef CMD_GRID_H
#define CMD_GRID_H

#include <stdint.h>

#include "base/text.h"
#include "cmd/draw.h"
#include "model/axis.h"

#define GRID_CELLS_MAX 1000000

enum grid_state {
	GRID_LEFT,
	GRID_DONE,
	GRID_DOUBTED,
	GRID_FAILED,
	GRID_SKIPPED,
	GRID_NOW,
	GRID_STATES
};

const char *grid_state_name(enum grid_state s); /* "left", "done", ..., for documents */

struct grid_cell {
	uint16_t at[AXIS_COUNT]; /* index of its value on each axis */
	uint32_t runs[GRID_STATES];
};

struct grid {
	struct strlist
	    value[AXIS_COUNT]; /* in base units; at most one value: the axis does not vary */
	struct grid_cell *cell;
	size_t cells;
};

/* Add a combination: its value on each axis (NULL: as all others), and its runs by state.
 * False: an axis has too many values. */
bool grid_add(struct grid *g, const char *const value[AXIS_COUNT],
              const uint32_t runs[GRID_STATES]);
/* Once all are in: numbers in their order. */
void grid_sort(struct grid *g);
void grid_fini(struct grid *g);

/* One sign for each combination, or for several where there are more than fit into 80 columns
 * and some 200 lines. Nothing when no axis varies. */
void grid_draw(struct text *t, const struct draw_style *st, const struct grid *g);

#endif
