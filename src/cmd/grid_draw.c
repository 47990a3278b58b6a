/* cmd/grid_draw.c: which axis goes where, and the signs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/grid.h"

#define NONE         AXIS_COUNT
#define LINES_MAX    200
#define ROWS_MAX     32
#define NAME         10 /* columns of a row's name, with the blank behind it */
#define AVAILABLE    (DRAW_WIDTH - NAME - 2)
#define LABEL_MAX    8
#define VALUE        512 /* bytes of one */
#define VALUES_WIDTH 48

struct side { /* an axis, or NONE, and how many values of it share a place */
	size_t axis, step, places;
};

struct layout {
	struct side inner, outer, row;
	struct side block[AXIS_COUNT]; /* outermost first */
	size_t blocks, total;          /* axes of blocks; blocks */
	size_t width;                  /* columns of a sign */
	bool left_out[AXIS_COUNT];     /* it has no place: its values share signs */
};

static size_t values(const struct grid *g, size_t a)
{
	return a == NONE ? 1 : g->value[a].len;
}

static void spread(struct side *s, const struct grid *g, size_t most)
{
	size_t n = values(g, s->axis);

	s->step = (n + most - 1) / most;
	s->places = (n + s->step - 1) / s->step;
}

/* --- which axis goes where --- */

static size_t take(bool free_axis[AXIS_COUNT], size_t a)
{
	if (!free_axis[a])
		return NONE;
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
	return NONE;
}

static size_t first_of(bool free_axis[AXIS_COUNT], const enum axis_id *list, size_t n,
                       bool other)
{
	size_t a = NONE;

	for (size_t i = 0; i < n && a == NONE; i++)
		a = take(free_axis, list[i]);
	return a == NONE && other ? take_other(free_axis) : a;
}

static void choose_cells(struct layout *l, const struct grid *g, bool free_axis[AXIS_COUNT])
{
	static const enum axis_id inner[] = { AXIS_iodepth, AXIS_numjobs },
				  row[] = { AXIS_bs, AXIS_size, AXIS_numjobs },
				  last[] = { AXIS_bs, AXIS_direct, AXIS_ioengine, AXIS_rw,
		                             AXIS_filename };

	l->inner.axis = first_of(free_axis, inner, ARRAY_SIZE(inner), true);
	if (l->inner.axis == NONE)
		l->inner.axis = first_of(free_axis, last, ARRAY_SIZE(last), false);
	l->row.axis = first_of(free_axis, row, ARRAY_SIZE(row), true);
	if (l->row.axis == NONE)
		l->row.axis = first_of(free_axis, last + 3, 2, false);
	l->outer.axis = NONE;
	if (values(g, AXIS_numjobs) * (values(g, l->inner.axis) + 1) <= AVAILABLE)
		l->outer.axis = take(free_axis, AXIS_numjobs);
	spread(&l->row, g, ROWS_MAX);
	spread(&l->outer, g, AVAILABLE);
	spread(&l->inner, g, AVAILABLE);
}

static size_t lines_of(const struct layout *l)
{
	return l->total * (l->row.places + 3);
}

static void add_block(struct layout *l, const struct grid *g, size_t a)
{
	struct side s = { .axis = a };

	if (a == NONE)
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
static size_t sign_width(const struct layout *l, const struct grid *g);

static void choose(struct layout *l, const struct grid *g)
{
	bool free_axis[AXIS_COUNT];

	*l = (struct layout){ .total = 1 };
	for (size_t a = 0; a < AXIS_COUNT; a++)
		free_axis[a] = g->value[a].len > 1;
	choose_cells(l, g, free_axis);
	add_block(l, g, take(free_axis, AXIS_rw));
	for (size_t a = 0; a < AXIS_COUNT; a++)
		add_block(l, g, take(free_axis, a));
	l->width = sign_width(l, g);
}

/* --- words --- */

/* A value in at most `columns`; returns those it takes. */
static size_t human(const struct grid *g, size_t a, size_t i, char buf[VALUE], size_t columns)
{
	const char *value = g->value[a].item[i];
	char size_text[32];
	uint64_t bytes;

	if ((axes[a].kind == AXIS_SIZE || axes[a].kind == AXIS_SIZE_OR_PERCENT) &&
	    !parse_u64(value, &bytes))
		value = print_size(size_text, sizeof(size_text), bytes);
	return draw_clip(buf, VALUE, *value ? value : "-", columns);
}

static size_t at_place(const struct grid *g, const struct side *s, size_t place,
                       char buf[VALUE], size_t columns)
{
	return human(g, s->axis, place * s->step, buf, columns);
}

static size_t sign_width(const struct layout *l, const struct grid *g)
{
	size_t most = 1;
	char buf[VALUE];

	if (l->outer.axis != NONE || l->inner.axis == NONE)
		return 1;
	for (size_t i = 0; i < l->inner.places; i++) {
		size_t n = at_place(g, &l->inner, i, buf, 2 * LABEL_MAX);

		most = n > most ? n : most;
	}
	return most <= LABEL_MAX && (most + 1) * l->inner.places <= AVAILABLE ? most + 1 : 1;
}

/* "iodepth 1 2 4 8", or "iodepth 1 to 1000" where they are many. */
static void add_values(struct text *t, const struct grid *g, const struct side *s)
{
	size_t n = values(g, s->axis), width = 0;
	AUTO(text_fini) struct text all = { 0 };
	char buf[VALUE], end[VALUE];

	for (size_t i = 0; i < n && width <= VALUES_WIDTH; i++) {
		width += 1 + human(g, s->axis, i, buf, VALUES_WIDTH);
		text_addf(&all, " %s", buf);
	}
	if (width > VALUES_WIDTH) {
		(void)human(g, s->axis, 0, buf, VALUES_WIDTH / 4);
		(void)human(g, s->axis, n - 1, end, VALUES_WIDTH / 4);
		text_clear(&all);
		text_addf(&all, " %s to %s", buf, end);
	}
	text_addf(t, "%s%s", axes[s->axis].name, text_get(&all));
	if (s->step > 1)
		text_addf(t, " (%zu values, %zu to a place)", n, s->step);
}

/* --- signs --- */

enum { SIGN_PARTLY = GRID_STATES, SIGNS, SIGN_NONE = SIGNS };

static const struct {
	const char *utf8, *ascii, *word;
	enum draw_colour colour;
} signs[SIGNS] = {
	[GRID_LEFT] = { "·", ".", "not yet", DRAW_GREY },
	[GRID_DONE] = { "■", "#", "done", DRAW_GREEN },
	[GRID_DOUBTED] = { "□", "o", "in doubt", DRAW_YELLOW },
	[GRID_FAILED] = { "×", "X", "failed", DRAW_RED },
	[GRID_SKIPPED] = { "–", "-", "skipped", DRAW_GREY },
	[GRID_NOW] = { "▸", ">", "now", DRAW_BLUE },
	[SIGN_PARTLY] = { "▄", "+", "partly", DRAW_GREEN },
};

/* Of several runs what one would want to know first; none where no combination is. */
static int sign_of(const uint64_t n[GRID_STATES])
{
	static const enum grid_state first[] = { GRID_NOW, GRID_FAILED, GRID_DOUBTED };

	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		if (n[first[i]])
			return (int)first[i];
	if (n[GRID_LEFT])
		return n[GRID_DONE] ? SIGN_PARTLY : GRID_LEFT;
	return n[GRID_DONE] ? GRID_DONE : n[GRID_SKIPPED] ? GRID_SKIPPED : SIGN_NONE;
}

static void add_sign(struct text *t, const struct draw_style *st, int sign)
{
	if (sign == SIGN_NONE)
		text_add(t, " ");
	else
		draw_coloured(t, st, signs[sign].colour,
		              st->utf8 ? signs[sign].utf8 : signs[sign].ascii);
}

/* --- the picture --- */

struct picture {
	const struct grid *g;
	const struct draw_style *st;
	struct layout l;
	uint64_t (*n)[GRID_STATES]; /* by block, row, outer, inner */
	uint64_t most;              /* runs behind one sign */
};

static size_t place_of(const struct side *s, const struct grid_cell *c)
{
	return s->axis == NONE ? 0 : c->at[s->axis] / s->step;
}

static size_t index_of(const struct layout *l, size_t block, size_t row, size_t outer,
                       size_t inner)
{
	return ((block * l->row.places + row) * l->outer.places + outer) * l->inner.places +
	       inner;
}

static void fill(struct picture *p)
{
	const struct layout *l = &p->l;

	for (size_t i = 0; i < p->g->cells; i++) {
		const struct grid_cell *c = &p->g->cell[i];
		size_t block = 0;
		uint64_t *n, sum = 0;

		for (size_t b = 0; b < l->blocks; b++)
			block = block * l->block[b].places + place_of(&l->block[b], c);
		n = p->n[index_of(l, block, place_of(&l->row, c), place_of(&l->outer, c),
		                  place_of(&l->inner, c))];
		for (int s = 0; s < GRID_STATES; s++)
			sum += n[s] += c->runs[s];
		p->most = sum > p->most ? sum : p->most;
	}
}

static void add_left_out(struct text *t, const struct layout *l)
{
	bool any = false;

	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (l->left_out[a]) {
			text_addf(t, "%s%s", any ? ", " : "  not told apart: ", axes[a].name);
			any = true;
		}
	if (any)
		text_add(t, "\n");
}

static void add_legend(struct text *t, const struct picture *p)
{
	bool seen[SIGNS + 1] = { false }, any = false;
	const struct layout *l = &p->l;

	for (size_t i = 0; i < l->total * l->row.places * l->outer.places * l->inner.places;
	     i++)
		seen[sign_of(p->n[i])] = true;
	text_add(t, "grid:");
	for (int s = 0; s < SIGNS; s++) {
		static const int order[SIGNS] = { GRID_DONE,    GRID_DOUBTED, GRID_FAILED,
			                          GRID_SKIPPED, GRID_NOW,     SIGN_PARTLY,
			                          GRID_LEFT };

		if (!seen[order[s]])
			continue;
		text_add(t, any ? ", " : " ");
		add_sign(t, p->st, order[s]);
		text_addf(t, " %s", signs[order[s]].word);
		any = true;
	}
	text_add(t, "\n  columns: ");
	if (l->outer.axis != NONE) {
		add_values(t, p->g, &l->outer);
		text_add(t, "\n    in each: ");
	}
	add_values(t, p->g, &l->inner);
	text_add(t, "\n");
	if (l->row.axis != NONE) {
		text_add(t, "  rows: ");
		add_values(t, p->g, &l->row);
		text_add(t, "\n");
	}
	add_left_out(t, l);
	if (p->most > 1)
		text_addf(t,
		          "  a sign stands for up to %" PRIu64
		          " runs: running, failed, in doubt come first\n",
		          p->most);
}

static void add_title(struct text *t, const struct picture *p, size_t block)
{
	const struct layout *l = &p->l;
	size_t per_block = l->row.places * l->outer.places * l->inner.places, rest = block,
	       at[AXIS_COUNT];
	uint64_t n[GRID_STATES] = { 0 }, all = 0;

	for (size_t i = 0; i < per_block; i++)
		for (int s = 0; s < GRID_STATES; s++) {
			n[s] += p->n[block * per_block + i][s];
			all += p->n[block * per_block + i][s];
		}
	for (size_t b = l->blocks; b-- > 0;) {
		at[b] = rest % l->block[b].places;
		rest /= l->block[b].places;
	}
	text_add(t, "\n  ");
	for (size_t b = 0; b < l->blocks; b++) {
		size_t a = l->block[b].axis;
		bool plain = a == AXIS_rw || a == AXIS_filename || a == AXIS_ioengine;
		char buf[VALUE];

		(void)at_place(p->g, &l->block[b], at[b], buf,
		               VALUES_WIDTH / (l->blocks < 6 ? l->blocks : 6));
		text_addf(t, "%s%s%s%s", b ? ", " : "", plain ? "" : axes[a].name,
		          plain ? "" : " ", buf);
	}
	text_addf(t, "%s%" PRIu64 "/%" PRIu64, l->blocks ? ": " : "",
	          all - n[GRID_LEFT] - n[GRID_NOW], all);
	if (n[GRID_FAILED])
		text_addf(t, ", %" PRIu64 " failed", n[GRID_FAILED]);
	if (n[GRID_DOUBTED])
		text_addf(t, ", %" PRIu64 " in doubt", n[GRID_DOUBTED]);
	text_add(t, "\n");
}

/* Values over their columns, where they fit. */
static void add_header(struct text *t, const struct picture *p)
{
	const struct layout *l = &p->l;
	const struct side *s = l->outer.axis == NONE ? &l->inner : &l->outer;
	size_t width = l->outer.axis == NONE ? l->width : l->inner.places + 1;
	char buf[VALUE];

	for (size_t i = 0; i < s->places; i++)
		if (width < 2 || at_place(p->g, s, i, buf, width) >= width)
			return;
	text_addf(t, "%*s", NAME + 2, "");
	for (size_t i = 0; i < s->places; i++) {
		size_t w = at_place(p->g, s, i, buf, width);

		text_addf(t, "%s%*s", buf, i + 1 < s->places ? (int)(width - w) : 0, "");
	}
	text_add(t, "\n");
}

static void add_row(struct text *t, const struct picture *p, size_t block, size_t row)
{
	const struct layout *l = &p->l;
	char name[VALUE] = "";
	size_t w = l->row.axis == NONE ? 0 : at_place(p->g, &l->row, row, name, NAME - 1);

	text_addf(t, "  %*s%s ", (int)(NAME - 1 - w), "", name);
	for (size_t o = 0; o < l->outer.places; o++) {
		text_add(t, o ? " " : "");
		for (size_t i = 0; i < l->inner.places; i++) {
			const uint64_t *n = p->n[index_of(l, block, row, o, i)];
			bool end = o + 1 == l->outer.places && i + 1 == l->inner.places;

			add_sign(t, p->st, sign_of(n));
			text_addf(t, "%*s", end ? 0 : (int)l->width - 1, "");
		}
	}
	text_add(t, "\n");
}

void grid_draw(struct text *t, const struct draw_style *st, const struct grid *g)
{
	struct picture p = { .g = g, .st = st };
	AUTO(freep) uint64_t(*n)[GRID_STATES] = NULL;

	choose(&p.l, g);
	if (p.l.inner.axis == NONE || !g->cells)
		return;
	n = xcalloc(p.l.total * p.l.row.places * p.l.outer.places * p.l.inner.places,
	            sizeof(*n));
	p.n = n;
	fill(&p);
	add_legend(t, &p);
	for (size_t b = 0; b < p.l.total; b++) {
		add_title(t, &p, b);
		add_header(t, &p);
		for (size_t r = 0; r < p.l.row.places; r++)
			add_row(t, &p, b, r);
	}
}
