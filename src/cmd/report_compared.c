/* cmd/report_compared.c: what `compare` says. */
#include "base/cleanup.h"
#include "cmd/html.h"
#include "cmd/report.h"

#define CHANGED_MAX 200 /* rows of the table */

static void add_list(struct text *t, const char *title, const struct strlist *l)
{
	if (!l->len)
		return;
	html_element(t, "h3", "", title);
	text_add(t, "\n<ul>\n");
	for (size_t i = 0; i < l->len; i++) {
		html_element(t, "li", "", l->item[i]);
		text_add(t, "\n");
	}
	text_add(t, "</ul>\n");
}

static void add_changed(struct text *t, const struct compared *c)
{
	AUTO(freep)
	const struct compare_cell **cell =
	    xcalloc(c->found->cells + 1, sizeof(struct compare_cell *));
	size_t n = compare_changed(cell, c->found);
	char what[512];

	if (!n)
		return;
	text_addf(
	    t,
	    "<div class=\"wide\"><table>\n<caption>Changed cells, the largest first: %zu of "
	    "%zu</caption>\n<thead><tr><th scope=\"col\">cell</th><th scope=\"col\" "
	    "class=\"n\">A, %s</th><th scope=\"col\" class=\"n\">B, %s</th><th "
	    "scope=\"col\" class=\"n\">difference</th><th scope=\"col\" class=\"n\">95 "
	    "%%</th><th scope=\"col\" class=\"n\">runs</th></tr></thead>\n<tbody>\n",
	    n < CHANGED_MAX ? n : CHANGED_MAX, n, c->data->unit, c->data->unit);
	for (size_t i = 0; i < n && i < CHANGED_MAX; i++) {
		compare_cell_text(what, sizeof(what), c->data, cell[i]);
		text_add(t, "<tr>");
		html_element(t, "td", "", what);
		text_addf(t,
		          "<td class=\"n\">%.4g</td><td class=\"n\">%.4g</td><td "
		          "class=\"n\">%+.1f %%</td><td class=\"n\">%+.1f to %+.1f %%</td><td "
		          "class=\"n\">%zu, %zu</td></tr>\n",
		          cell[i]->mean[COMPARE_A], cell[i]->mean[COMPARE_B],
		          compare_percent(cell[i]->d), compare_percent(cell[i]->low),
		          compare_percent(cell[i]->high), cell[i]->runs[COMPARE_A],
		          cell[i]->runs[COMPARE_B]);
	}
	text_add(t, "</tbody></table></div>\n");
}

void report_compared(struct text *t, const struct report *r)
{
	AUTO(text_fini) struct text words = { 0 };

	text_add(t, "<section id=\"compared\">\n<h2>What changed</h2>\n");
	add_list(t, "Environments differ", &r->difference.differs);
	add_list(t, "Notes", &r->difference.note);
	html_element(t, "h3", "", "Verdicts");
	compare_verdicts(&words, &r->compared, false);
	report_words(t, text_get(&words), "p");
	add_changed(t, &r->compared);
	text_add(t, "</section>\n");
}
