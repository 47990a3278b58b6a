/* cmd/charts.h: which charts suit some rows, by what varies among them: the set of `report`,
 * whose first `--plot` draws. */
#ifndef CMD_CHARTS_H
#define CMD_CHARTS_H

#include "cmd/plot_data.h"
#include "model/axis.h"

#define CHARTS_MAX 5

struct chart {
	char title[64];
	struct plot_query query; /* columns by the names of the tables */
	char *where;             /* NULL, or a condition of its own: owned */
};

struct charts {
	struct chart chart[CHARTS_MAX];
	size_t n;
};

struct chart_axes {                /* of the rows that are drawn */
	size_t values[AXIS_COUNT]; /* how many an axis has; 0: it does not vary */
	uint64_t smallest_bs;      /* bytes */
};

/* where: a condition of the user, or NULL. 0, or what the store says. */
int chart_axes_load(struct chart_axes *a, struct store *s, const char *where, struct err *e);
bool chart_axes_vary(const struct chart_axes *a); /* does any? */

/* At least one. where: as given to chart_axes_load(); borrowed. */
void charts_choose(struct charts *c, const struct chart_axes *a, const char *where);
void charts_fini(struct charts *c);

#endif
