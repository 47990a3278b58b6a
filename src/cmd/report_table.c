/* cmd/report_table.c: the table of all rows: the first of them to be read as they are, and all
 * of them for the script. */
#include <string.h>

#include "cmd/html.h"
#include "cmd/report.h"
#include "sink/cell.h"

static const char *kind_of(const struct report_column *c)
{
	return c->text ? "" : " class=\"n\"";
}

/* "": a pure number has none to be shown. */
static const char *unit_of(const struct report_column *c)
{
	return strcmp(c->unit, "1") ? c->unit : "";
}

static void add_headings(struct text *t, const struct report *r)
{
	text_add(t, "<thead><tr>");
	for (size_t i = 0; i < r->columns; i++) {
		const struct report_column *c = &r->column[i];
		const char *unit = unit_of(c);

		if (!c->shown)
			continue;
		text_addf(t, "<th scope=\"col\"%s>", kind_of(c));
		html_add(t, c->name);
		text_addf(t, *unit ? " (%s)</th>" : "%s</th>", unit);
	}
	text_add(t, "</tr></thead>\n");
}

static void add_rows(struct text *t, const struct report *r)
{
	text_add(t, "<tbody>\n");
	for (size_t row = 0; row < r->rows && row < REPORT_PLAIN; row++) {
		text_add(t, "<tr>");
		for (size_t i = 0; i < r->columns; i++) {
			const struct report_column *c = &r->column[i];

			if (c->shown)
				html_element(t, "td", kind_of(c),
				             row < c->plain.len ? c->plain.item[row] : "");
		}
		text_add(t, "</tr>\n");
	}
	text_add(t, "</tbody>\n");
}

static const char controls[] =
    "<div class=\"controls needs-script\" hidden>\n"
    "<div><label for=\"filter\">Filter: words, and conditions on any column</label>"
    "<input type=\"search\" id=\"filter\" autocomplete=\"off\" spellcheck=\"false\" "
    "placeholder=\"randread bs&gt;=64k lat_p99_us&lt;2000\"></div>\n"
    "<div class=\"controls\" id=\"choices\"></div>\n"
    "<label><input type=\"checkbox\" id=\"every\"> all columns</label>\n"
    "<label for=\"size\">rows a page <select id=\"size\"><option>25</option><option "
    "selected>50</option><option>100</option><option>500</option></select></label>\n"
    "</div>\n"
    "<div class=\"controls needs-script\" id=\"pages\" hidden>\n"
    "<button type=\"button\" id=\"first\">first</button>"
    "<button type=\"button\" id=\"previous\">previous</button>"
    "<button type=\"button\" id=\"next\">next</button>"
    "<button type=\"button\" id=\"last\">last</button>"
    "<span id=\"said\" role=\"status\"></span>\n</div>\n";

void report_table(struct text *t, const struct report *r)
{
	text_add(t, "<section id=\"all\">\n<h2>All rows</h2>\n");
	text_addf(t,
	          "<p id=\"plain\">The first %zu of %zu rows, as they can be read without "
	          "script. With script all of them can be sorted and filtered; ",
	          r->rows < REPORT_PLAIN ? r->rows : (size_t)REPORT_PLAIN, r->rows);
	text_add(t, "<code>iosweep export</code> writes them all.</p>\n");
	text_add(t, controls);
	text_add(t,
	         "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"All "
	         "rows\"><table id=\"rows\">\n<caption>One row per run and op. Open a run by "
	         "its number.</caption>\n");
	add_headings(t, r);
	add_rows(t, r);
	text_add(t, "</table></div>\n</section>\n");
}

/* --- for the script --- */

/* Values with commas between: few of them once each with an index for each row, or all. */
static void add_values(struct text *t, const struct report_column *c)
{
	if (c->many) {
		text_add(t, ",\"v\":[");
		text_addn(t, c->value.s, c->value.len);
		text_add(t, "]");
		return;
	}
	text_add(t, ",\"d\":[");
	for (size_t i = 0; i < c->few.len; i++)
		text_addf(t, "%s%s", i ? "," : "", c->few.item[i]);
	text_add(t, "]");
	if (c->few.len < 2) /* the same in all rows */
		return;
	text_add(t, ",\"i\":[");
	for (size_t i = 0; i < c->rows; i++) {
		if (i)
			text_addn(t, ",", 1);
		cell_add_int(t, c->index[i]);
	}
	text_add(t, "]");
}

static void add_column(struct text *t, const struct report_column *c)
{
	text_add(t, "{\"n\":");
	json_add_string(t, c->name);
	if (*unit_of(c)) {
		text_add(t, ",\"u\":");
		json_add_string(t, unit_of(c));
	}
	if (*c->help) {
		text_add(t, ",\"h\":");
		json_add_string(t, c->help);
	}
	text_addf(t, "%s%s%s", c->text ? ",\"t\":1" : "", c->size ? ",\"z\":1" : "",
	          c->shown ? ",\"s\":1" : "");
	add_values(t, c);
	text_add(t, "}");
}

static bool any_run_has(const struct report *r, size_t flag)
{
	for (size_t i = 0; i < r->sides; i++)
		if (r->side[i].counts.flag[flag].runs)
			return true;
	return false;
}

void report_rows_data(struct text *t, const struct report *r)
{
	bool any = false;

	text_addf(t, "{\"rows\":%zu,\"columns\":[", r->rows);
	for (size_t i = 0; i < r->columns; i++) {
		text_add(t, i ? ",\n" : "\n");
		add_column(t, &r->column[i]);
	}
	text_add(t, "\n],\"flags\":{");
	for (size_t i = 0; i < FLAG_COUNT; i++) {
		if (!any_run_has(r, i))
			continue;
		text_add(t, any ? ",\n" : "\n");
		any = true;
		json_add_string(t, flag_at(i)->name);
		text_add(t, ":");
		json_add_string(t, flag_at(i)->help);
	}
	text_add(t, "\n}}");
}
