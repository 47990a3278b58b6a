/* cmd/grid_draw.c: the signs, and the words around them. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "cmd/grid_layout.h"

#define VALUES_WIDTH 48

/* "iodepth 1 2 4 8", or "iodepth 1 to 1000" where they are many. */
static void add_values(struct text *t, const struct grid *g, const struct grid_side *s)
{
	size_t n = grid_values(g, s->axis), width = 0;
	AUTO(text_fini) struct text all = { 0 };
	char buf[GRID_VALUE], end[GRID_VALUE];

	for (size_t i = 0; i < n && width <= VALUES_WIDTH; i++) {
		width += 1 + grid_value(g, s->axis, i, buf, VALUES_WIDTH);
		text_addf(&all, " %s", buf);
	}
	if (width > VALUES_WIDTH) {
		(void)grid_value(g, s->axis, 0, buf, VALUES_WIDTH / 4);
		(void)grid_value(g, s->axis, n - 1, end, VALUES_WIDTH / 4);
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
	struct grid_layout l;
	uint64_t (*n)[GRID_STATES]; /* by block, row, outer, inner */
	uint64_t most;              /* runs behind one sign */
};

static size_t place_of(const struct grid_side *s, const struct grid_cell *c)
{
	return s->axis == GRID_NONE ? 0 : c->at[s->axis] / s->step;
}

static size_t index_of(const struct grid_layout *l, size_t block, size_t row, size_t outer,
                       size_t inner)
{
	return ((block * l->row.places + row) * l->outer.places + outer) * l->inner.places +
	       inner;
}

static void fill(struct picture *p)
{
	const struct grid_layout *l = &p->l;

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

static void add_left_out(struct text *t, const struct grid_layout *l)
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
	const struct grid_layout *l = &p->l;

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
	if (l->outer.axis != GRID_NONE) {
		add_values(t, p->g, &l->outer);
		text_add(t, "\n    in each: ");
	}
	add_values(t, p->g, &l->inner);
	text_add(t, "\n");
	if (l->row.axis != GRID_NONE) {
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
	const struct grid_layout *l = &p->l;
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
		char buf[GRID_VALUE];

		(void)grid_at_place(p->g, &l->block[b], at[b], buf,
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
	const struct grid_layout *l = &p->l;
	const struct grid_side *s = l->outer.axis == GRID_NONE ? &l->inner : &l->outer;
	size_t width = l->outer.axis == GRID_NONE ? l->width : l->inner.places + 1;
	char buf[GRID_VALUE];

	for (size_t i = 0; i < s->places; i++)
		if (width < 2 || grid_at_place(p->g, s, i, buf, width) >= width)
			return;
	text_addf(t, "%*s", GRID_NAME + 2, "");
	for (size_t i = 0; i < s->places; i++) {
		size_t w = grid_at_place(p->g, s, i, buf, width);

		text_addf(t, "%s%*s", buf, i + 1 < s->places ? (int)(width - w) : 0, "");
	}
	text_add(t, "\n");
}

static void add_row(struct text *t, const struct picture *p, size_t block, size_t row)
{
	const struct grid_layout *l = &p->l;
	char name[GRID_VALUE] = "";
	size_t w = l->row.axis == GRID_NONE
	               ? 0
	               : grid_at_place(p->g, &l->row, row, name, GRID_NAME - 1);

	text_addf(t, "  %*s%s ", (int)(GRID_NAME - 1 - w), "", name);
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

	grid_layout(&p.l, g);
	if (p.l.inner.axis == GRID_NONE || !g->cells)
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
