#include "cmd/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define VALUES_MAX 4096 /* of an axis */

const char *grid_state_name(enum grid_state s)
{
	static const char *const name[GRID_STATES] = { "left",   "done",    "doubted",
		                                       "failed", "skipped", "running" };

	return name[s];
}

/* Combinations come in an order in which values stay, or step on. */
static size_t place(struct strlist *l, size_t before, const char *value)
{
	for (size_t i = 0; i < l->len; i++) {
		size_t at = (before + i) % l->len;

		if (!strcmp(l->item[at], value))
			return at;
	}
	strlist_add(l, value);
	return l->len - 1;
}

bool grid_add(struct grid *g, const char *const value[AXIS_COUNT],
              const uint32_t runs[GRID_STATES])
{
	struct grid_cell *c;

	if ((g->cells & (g->cells + 1)) == 0) /* grow at 0, 1, 3, 7, ... */
		g->cell = xrealloc(g->cell, 2 * (g->cells + 1), sizeof(*g->cell));
	c = &g->cell[g->cells];
	*c = (struct grid_cell){ 0 };
	memcpy(c->runs, runs, sizeof(c->runs));
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		size_t at = value[a]
		                ? place(&g->value[a],
		                        g->cells ? g->cell[g->cells - 1].at[a] : 0, value[a])
		                : 0;

		if (at >= VALUES_MAX)
			return false;
		c->at[a] = (uint16_t)at;
	}
	g->cells++;
	return true;
}

struct numbered {
	double number;
	char *text;
	size_t was;
};

static int by_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return x->number != y->number ? (x->number < y->number ? -1 : 1)
	                              : (x->was > y->was) - (x->was < y->was);
}

static void sort_axis(struct grid *g, size_t a)
{
	struct strlist *l = &g->value[a];
	AUTO(freep) struct numbered *n = xcalloc(l->len, sizeof(*n));
	AUTO(freep) uint16_t *now = xcalloc(l->len, sizeof(*now));

	for (size_t i = 0; i < l->len; i++)
		n[i] = (struct numbered){ strtod(l->item[i], NULL), l->item[i], i };
	qsort(n, l->len, sizeof(*n), by_number);
	for (size_t i = 0; i < l->len; i++) {
		l->item[i] = n[i].text;
		now[n[i].was] = (uint16_t)i;
	}
	for (size_t i = 0; i < g->cells; i++)
		g->cell[i].at[a] = now[g->cell[i].at[a]];
}

void grid_sort(struct grid *g)
{
	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (g->value[a].len > 1 && axes[a].kind != AXIS_TEXT &&
		    axes[a].kind != AXIS_ENUM)
			sort_axis(g, a);
}

void grid_fini(struct grid *g)
{
	for (size_t a = 0; a < AXIS_COUNT; a++)
		strlist_fini(&g->value[a]);
	free(g->cell);
	*g = (struct grid){ 0 };
}
