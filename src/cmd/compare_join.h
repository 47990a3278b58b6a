/* cmd/compare_join.h: the rows of both sides as texts, and the cells that they make. */
#ifndef CMD_COMPARE_JOIN_H
#define CMD_COMPARE_JOIN_H

#include "cmd/compare_load.h"
#include "model/axis.h"

#define COMPARE_COLUMNS (AXIS_COUNT + 2) /* axes, `options` and `op` */

struct compare_column {
	const char *name; /* a constant */
	bool ordered;     /* numbers */
	bool ignored;     /* not joined on */
};

/* Columns of the results that are axes, with what stands for the rest of them, and the op when
 * the metric is one of each op. */
struct compare_columns {
	struct compare_column item[COMPARE_COLUMNS];
	size_t len;
};

/* One row of either side. */
struct compare_line {
	char *value[COMPARE_COLUMNS]; /* of the columns that are not ignored; NULL otherwise */
	struct compare_point point;
};

struct compare_lines {
	struct compare_line *item;
	size_t len;
};

void compare_lines_fini(struct compare_lines *l);

/* Fill the axes, cells and points of d: lines with equal values in all columns that are not
 * ignored are one cell. A column that has one value in A and one other in B is ignored from
 * then on, and noted: it tells the sides apart, not the cells. */
void compare_join(struct compare_data *d, struct compare_columns *c,
                  const struct compare_lines *l);

#endif
