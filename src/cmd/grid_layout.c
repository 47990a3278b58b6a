#include "cmd/grid_layout.h"

#include "base/cleanup.h"
#include "base/units.h"

#define LINES_MAX 200
#define ROWS_MAX  32
#define AVAILABLE (DRAW_WIDTH - GRID_NAME - 2)
#define LABEL_MAX 8

/* --- values --- */

size_t grid_value(const struct grid *g, size_t a, size_t i, char buf[GRID_VALUE],
                  size_t columns)
{
	const char *value = g->value[a].item[i];
	char size_text[32];
	uint64_t bytes;

	if ((axes[a].kind == AXIS_SIZE || axes[a].kind == AXIS_SIZE_OR_PERCENT) &&
	    !parse_u64(value, &bytes))
		value = print_size(size_text, sizeof(size_text), bytes);
	return draw_clip(buf, GRID_VALUE, *value ? value : "-", columns);
}

size_t grid_at_place(const struct grid *g, const struct grid_side *s, size_t place,
                     char buf[GRID_VALUE], size_t columns)
{
	return grid_value(g, s->axis, place * s->step, buf, columns);
}

size_t grid_values(const struct grid *g, size_t a)
{
	return a == GRID_NONE ? 1 : g->value[a].len;
}

/* --- which axis goes where --- */

static void spread(struct grid_side *s, const struct grid *g, size_t most)
{
	size_t n = grid_values(g, s->axis);

	s->step = (n + most - 1) / most;
	s->places = (n + s->step - 1) / s->step;
}

static size_t take(bool free_axis[AXIS_COUNT], size_t a)
{
	if (!free_axis[a])
		return GRID_NONE;
	free_axis[a] = false;
	return a;
}

static bool makes_blocks(size_t a)
{
	return a == AXIS_rw || a == AXIS_filename || a == AXIS_ioengine || a == AXIS_direct ||
	       a == AXIS_bs;
}

/* Of the axes that nothing is said of here. */
static size_t take_other(bool free_axis[AXIS_COUNT])
{
	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (free_axis[a] && !makes_blocks(a))
			return take(free_axis, a);
	return GRID_NONE;
}

static size_t first_of(bool free_axis[AXIS_COUNT], const enum axis_id *list, size_t n,
                       bool other)
{
	size_t a = GRID_NONE;

	for (size_t i = 0; i < n && a == GRID_NONE; i++)
		a = take(free_axis, list[i]);
	return a == GRID_NONE && other ? take_other(free_axis) : a;
}

static void choose_cells(struct grid_layout *l, const struct grid *g,
                         bool free_axis[AXIS_COUNT])
{
	static const enum axis_id inner[] = { AXIS_iodepth, AXIS_numjobs },
				  row[] = { AXIS_bs, AXIS_size, AXIS_numjobs },
				  last[] = { AXIS_bs, AXIS_direct, AXIS_ioengine, AXIS_rw,
		                             AXIS_filename },
				  last_row[] = { AXIS_rw, AXIS_filename };

	l->inner.axis = first_of(free_axis, inner, ARRAY_SIZE(inner), true);
	if (l->inner.axis == GRID_NONE)
		l->inner.axis = first_of(free_axis, last, ARRAY_SIZE(last), false);
	l->row.axis = first_of(free_axis, row, ARRAY_SIZE(row), true);
	if (l->row.axis == GRID_NONE)
		l->row.axis = first_of(free_axis, last_row, ARRAY_SIZE(last_row), false);
	l->outer.axis = GRID_NONE;
	if (grid_values(g, AXIS_numjobs) * (grid_values(g, l->inner.axis) + 1) <= AVAILABLE)
		l->outer.axis = take(free_axis, AXIS_numjobs);
	spread(&l->row, g, ROWS_MAX);
	spread(&l->outer, g, AVAILABLE);
	spread(&l->inner, g, AVAILABLE);
}

static size_t lines_of(const struct grid_layout *l)
{
	return l->total * (l->row.places + 3);
}

static void add_block(struct grid_layout *l, const struct grid *g, size_t a)
{
	struct grid_side s = { .axis = a };

	if (a == GRID_NONE)
		return;
	spread(&s, g, SIZE_MAX / 2);
	if (lines_of(l) * s.places > LINES_MAX) {
		l->left_out[a] = true;
		return;
	}
	l->block[l->blocks++] = s;
	l->total *= s.places;
}

/* A sign is as wide as the values over it, if there is room. */
static size_t sign_width(const struct grid_layout *l, const struct grid *g)
{
	size_t most = 1;
	char buf[GRID_VALUE];

	if (l->outer.axis != GRID_NONE || l->inner.axis == GRID_NONE)
		return 1;
	for (size_t i = 0; i < l->inner.places; i++) {
		size_t n = grid_at_place(g, &l->inner, i, buf, (size_t)2 * LABEL_MAX);

		most = n > most ? n : most;
	}
	return most <= LABEL_MAX && (most + 1) * l->inner.places <= AVAILABLE ? most + 1 : 1;
}

void grid_layout(struct grid_layout *l, const struct grid *g)
{
	bool free_axis[AXIS_COUNT];

	*l = (struct grid_layout){ .total = 1 };
	for (size_t a = 0; a < AXIS_COUNT; a++)
		free_axis[a] = g->value[a].len > 1;
	choose_cells(l, g, free_axis);
	add_block(l, g, take(free_axis, AXIS_rw));
	for (size_t a = 0; a < AXIS_COUNT; a++)
		add_block(l, g, take(free_axis, a));
	l->width = sign_width(l, g);
}
