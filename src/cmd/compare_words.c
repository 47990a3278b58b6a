#include "cmd/compare_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "model/axis.h"
#include "sink/csv.h"

#define ROWS_MAX 20 /* changed cells that are listed */

double compare_percent(double d)
{
	return 100 * expm1(d);
}

static void value_text(char *buf, size_t size, const struct compare_axis *axis, size_t value)
{
	const struct axis *a = axis_find(axis->name);
	const char *text = axis->value.item[value];
	uint64_t bytes;

	if (a && a->kind == AXIS_SIZE && !parse_u64(text, &bytes))
		(void)print_size(buf, size, bytes);
	else
		text_printable(buf, size, *text ? text : "nothing");
}

static void term_text(struct text *out, const struct compare_data *d,
                      const struct cluster_term *t)
{
	const struct compare_axis *axis = &d->axis[t->axis];
	char value[256];

	value_text(value, sizeof(value), axis,
	           t->low == 0 && t->high != t->low ? t->high : t->low);
	if (t->low != t->high)
		text_addf(out, "%s %s %s", axis->name, t->low == 0 ? "<=" : ">=", value);
	else if (!strcmp(axis->name, "rw") || !strcmp(axis->name, "ioengine") ||
	         !strcmp(axis->name, "op"))
		text_add(out, value);
	else
		text_addf(out, "%s %s", axis->name, value);
}

void cluster_text(char *buf, size_t size, const struct compare_data *d, const struct cluster *k)
{
	AUTO(text_fini) struct text t = { 0 };

	for (size_t i = 0; i < k->terms; i++) {
		text_add(&t, i ? ", " : "");
		term_text(&t, d, &k->term[i]);
	}
	(void)snprintf(buf, size, "%s", k->terms ? text_get(&t) : "all cells");
}

/* A pattern that is not mixed has no rwmixread. */
static bool applies(const struct compare_axis *axis, uint32_t value)
{
	return *axis->value.item[value] || strcmp(axis->name, "rwmixread") != 0;
}

void compare_cell_text(char *buf, size_t size, const struct compare_data *d,
                       const struct compare_cell *c)
{
	AUTO(text_fini) struct text t = { 0 };

	for (size_t a = 0; a < d->axes; a++) {
		uint32_t v = d->value[c->cell * d->axes + a];

		if (d->axis[a].value.len < 2 || !applies(&d->axis[a], v))
			continue;
		text_add(&t, t.len ? ", " : "");
		term_text(&t, d, &(struct cluster_term){ a, v, v });
	}
	(void)snprintf(buf, size, "%s", t.len ? text_get(&t) : "the one cell");
}

/* Names and values come from outside. */
static void add_text(struct text *out, const char *s, bool markdown)
{
	if (markdown)
		markdown_add_text(out, s);
	else
		text_add(out, s);
}

static void add_list(struct text *out, const char *title, const struct strlist *list,
                     bool markdown)
{
	char text[512];

	for (size_t i = 0; i < list->len; i++) {
		text_printable(text, sizeof(text), list->item[i]);
		text_addf(out, "%s%s: ", markdown ? "- " : "", title);
		add_text(out, text, markdown);
		text_add(out, "\n");
	}
}

static void add_spread(struct text *out, const struct comparison *f)
{
	switch (f->source) {
	case COMPARE_REPEATS:
		text_addf(out, "run-to-run spread: ");
		for (int s = 0; s < COMPARE_SIDES; s++) {
			if (isnan(f->spread[s]))
				text_addf(out, "%sno repeats in %c", s ? ", " : "", "AB"[s]);
			else
				text_addf(out, "%s%.2g %% (%c)", s ? ", " : "",
				          100 * f->spread[s], "AB"[s]);
		}
		text_add(out, ", by repeats\n");
		break;
	case COMPARE_DIFFERENCES:
		text_addf(
		    out,
		    "run-to-run spread: about %.2g %%, by how much the differences scatter "
		    "(there are no repeats)\n",
		    100 * f->used_spread);
		break;
	case COMPARE_UNKNOWN:
		text_add(out,
		         "run-to-run spread: not known (no repeats, and too few cells to guess "
		         "it): nothing can be decided\n");
		break;
	}
}

/* All or nearly all changed one way: one fact, not thousands. */
static bool is_common(const struct comparison *f)
{
	size_t way = f->up > f->down ? f->up : f->down;

	return f->both && way * 10 >= f->both * 9;
}

static void add_shift(struct text *out, const struct compared *c)
{
	const struct comparison *f = c->found;

	if (isnan(f->shift))
		return;
	text_addf(out, "common shift: %+.1f %% [%+.1f, %+.1f]", compare_percent(f->shift),
	          compare_percent(f->shift_low), compare_percent(f->shift_high));
	if (is_common(f))
		text_addf(out, ": %s%zu cells, %+.0f %%", f->changed == f->both ? "all " : "",
		          f->changed, compare_percent(f->shift));
	text_add(out, "\n");
}

static void add_verdicts(struct text *out, const struct comparison *f, bool markdown)
{
	const char *bold = markdown ? "**" : "";

	text_addf(out, "%schanged %zu%s (%zu up, %zu down)   same %zu   undecided %zu", bold,
	          f->changed, bold, f->up, f->down, f->same, f->undecided);
	if (f->undecided && f->more)
		text_addf(out, " (%u more repeat%s on each side would settle %zu of them)",
		          f->more, f->more > 1 ? "s" : "", f->settled);
	else if (f->undecided)
		text_addf(out, " (more than 20 repeats on each side would be needed)");
	text_addf(out, "\n%s", markdown ? "\n" : "");
}

static void add_clusters(struct text *out, const struct compared *c, bool markdown)
{
	char what[512];

	for (size_t i = 0; i < c->clusters; i++) {
		const struct cluster *k = &c->cluster[i];

		cluster_text(what, sizeof(what), c->data, k);
		text_add(out, markdown ? "- " : "  ");
		add_text(out, what, markdown);
		text_addf(out, ": %zu cells, %+.1f %% [%+.1f, %+.1f]", k->cells,
		          compare_percent(k->d), compare_percent(k->low),
		          compare_percent(k->high));
		if (k->changed != k->cells)
			text_addf(out, ", %zu of them changed", k->changed);
		text_add(out, "\n");
	}
}

static int by_size(const void *pa, const void *pb)
{
	double a = fabs((*(const struct compare_cell *const *)pa)->d),
	       b = fabs((*(const struct compare_cell *const *)pb)->d);

	return (a < b) - (a > b);
}

static void add_row(struct text *out, const struct compared *c, const struct compare_cell *cell,
                    bool markdown)
{
	char what[512];

	compare_cell_text(what, sizeof(what), c->data, cell);
	if (markdown) {
		text_add(out, "| ");
		markdown_add_text(out, what);
	} else {
		text_addf(out, "  %-44s", what);
	}
	text_addf(out,
	          markdown ? " | %.4g | %.4g | %+.1f %% | %+.1f to %+.1f %% | %zu, %zu |\n"
	                   : " %10.4g %10.4g %+8.1f %%  %+.1f to %+.1f %%  (%zu, %zu runs)\n",
	          cell->mean[COMPARE_A], cell->mean[COMPARE_B], compare_percent(cell->d),
	          compare_percent(cell->low), compare_percent(cell->high),
	          cell->runs[COMPARE_A], cell->runs[COMPARE_B]);
}

size_t compare_changed(const struct compare_cell **out, const struct comparison *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->cells; i++)
		if (f->cell[i].verdict == COMPARE_CHANGED)
			out[n++] = &f->cell[i];
	if (n)
		qsort(out, n, sizeof(struct compare_cell *), by_size);
	return n;
}

static void add_changed(struct text *out, const struct compared *c, bool markdown)
{
	AUTO(freep)
	const struct compare_cell **row =
	    xcalloc(c->found->cells + 1, sizeof(struct compare_cell *));
	size_t n = compare_changed(row, c->found);

	if (!n)
		return;
	if (markdown)
		text_addf(out,
		          "\n| changed | A, %s | B, %s | difference | 95 %% | runs "
		          "|\n|---|---|---|---|---|---|\n",
		          c->data->unit, c->data->unit);
	else
		text_addf(out, "changed, the largest first (%s of A, of B):\n", c->data->unit);
	for (size_t i = 0; i < n && i < ROWS_MAX; i++)
		add_row(out, c, row[i], markdown);
	if (n > ROWS_MAX)
		text_addf(out, "%s%zu more (--json has all)\n", markdown ? "\nand " : "  and ",
		          n - ROWS_MAX);
}

void compare_verdicts(struct text *out, const struct compared *c, bool markdown)
{
	const struct comparison *f = c->found;

	text_addf(out,
	          "%scells: %zu in both, %zu only in A, %zu only in B; %zu runs in doubt, left "
	          "out\n%s",
	          markdown ? "\n" : "", f->both, f->only[COMPARE_A], f->only[COMPARE_B],
	          c->data->doubted, markdown ? "\n" : "");
	add_spread(out, f);
	if (markdown)
		text_add(out, "\n");
	add_shift(out, c);
	if (markdown)
		text_add(out, "\n");
	add_verdicts(out, f, markdown);
	add_clusters(out, c, markdown);
}

void compare_words(struct text *out, const struct compared *c, bool markdown)
{
	char name[512];

	text_addf(out, "%s%s:", markdown ? "### " : "", c->data->metric);
	for (int s = 0; s < COMPARE_SIDES; s++) {
		text_printable(name, sizeof(name), c->name[s]);
		text_addf(out, "%s %c = ", s ? "," : "", "AB"[s]);
		add_text(out, name, markdown);
	}
	text_add(out, markdown ? "\n\n" : "\n");
	add_list(out, "differs", &c->data->differs, markdown);
	add_list(out, "note", &c->data->note, markdown);
	compare_verdicts(out, c, markdown);
	if (!is_common(c->found) || c->clusters > 1)
		add_changed(out, c, markdown);
}
