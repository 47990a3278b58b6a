/* cmd/report_answers.c: what `best` says. */
#include <string.h>

#include "base/cleanup.h"
#include "cmd/best_words.h"
#include "cmd/html.h"
#include "cmd/report.h"

void report_words(struct text *t, const char *words, const char *tag)
{
	AUTO(text_fini) struct text line = { 0 };

	for (const char *p = words; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t blanks = strspn(p, " ");

		text_clear(&line);
		text_addn(&line, p + blanks, strcspn(p, "\n") - blanks);
		if (!line.len)
			continue;
		html_element(t, blanks ? "p" : tag,
		             blanks > 2 ? " class=\"deeper\""
		             : blanks   ? " class=\"deep\""
		                        : "",
		             text_get(&line));
		text_add(t, "\n");
	}
}

static void add_table(struct text *t, const struct best_data *d, const struct best_group *g)
{
	const char *heading[BEST_COLUMNS];
	struct best_row row;

	best_headings(heading, d);
	text_add(t, "<div class=\"wide\"><table>\n<caption>The best of each block "
	            "size</caption>\n<thead><tr>");
	for (size_t i = 0; i < BEST_COLUMNS; i++)
		html_element(t, "th", " scope=\"col\" class=\"n\"", heading[i]);
	text_add(t, "<th scope=\"col\"></th></tr></thead>\n<tbody>\n");
	for (size_t k = 0; k < g->sizes; k++) {
		best_row(&row, g, &g->size[k].best);
		text_add(t, "<tr>");
		for (size_t i = 0; i < BEST_COLUMNS; i++)
			html_element(t, "td", " class=\"n\"", row.column[i]);
		html_element(t, "td", "", row.rest);
		text_add(t, "</tr>\n");
	}
	text_add(t, "</tbody></table></div>\n");
}

static void add_answers(struct text *t, const struct report *r, const struct report_side *s)
{
	const struct best_data *d = &s->best;
	struct best_group *groups = NULL;
	size_t n = best_find(&groups, d->point, d->points, &d->ask);

	report_side_title(t, r, s);
	for (size_t i = 0; i < n; i++) {
		AUTO(text_fini) struct text words = { 0 };

		best_words(&words, d, &groups[i], false);
		report_words(t, text_get(&words), "h3");
		if (groups[i].sizes)
			add_table(t, d, &groups[i]);
	}
	best_free(groups, n);
	if (!n)
		text_add(t, r->where ? "<p>No run that is ok matches.</p>\n"
		                     : "<p>No run is ok.</p>\n");
}

void report_answers(struct text *t, const struct report *r)
{
	text_add(t,
	         "<section id=\"answers\">\n<h2>Answers</h2>\n"
	         "<p class=\"soft\">By <code>iosweep best</code>: for each target, pattern and "
	         "other condition.</p>\n");
	for (size_t i = 0; i < r->sides; i++)
		add_answers(t, r, &r->side[i]);
	text_add(t, "</section>\n");
}
