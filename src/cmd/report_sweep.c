/* cmd/report_sweep.c: what was asked, on what machine, and what is to be doubted of the
 * answers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/html.h"
#include "cmd/report.h"
#include "model/flag.h"
#include "sink/cell.h"

static void add_pair(struct text *t, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	html_element(t, "dt", "", name);
	html_element(t, "dd", "", value);
	text_add(t, "\n");
}

/* Each row of a query as an item: its columns, joined as they are. */
static int add_list(struct text *t, struct store *s, const char *sql, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	size_t n = 0;
	int error = rows_open(&r, s, sql, e);

	while (!error && (error = rows_next(r, e)) > 0) {
		text_add(t, n++ ? "<li>" : "<ul>\n<li>");
		for (int i = 0; i < rows_columns(r); i++)
			html_add(t, rows_text(r, i));
		text_add(t, "</li>\n");
		error = 0;
	}
	text_add(t, n ? "</ul>\n" : "");
	return error;
}

/* --- what was asked --- */

static void add_state(struct text *t, const struct report_side *s)
{
	const struct show_standing *p = &s->standing;
	AUTO(text_fini) struct text line = { 0 };

	text_addf(&line, "%s: %" PRId64 " of %" PRId64 " runs done", p->state, p->done,
	          p->planned);
	for (uint64_t i = 0; i < STATUS_COUNT; i++)
		if (i != STATUS_RUNNING && (i == STATUS_OK || p->status[i]))
			text_addf(&line, ", %" PRId64 " %s", p->status[i], status_name(i));
	add_pair(t, "state", text_get(&line));
}

static int add_times(struct text *t, const struct report_side *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	AUTO(text_fini) struct text line = { 0 };
	int error = rows_open(&r, s->store,
	                      "SELECT min(started_utc), max(started_utc) FROM results", e);

	if (!error)
		error = rows_next(r, e);
	if (error <= 0)
		return error;
	if (!rows_null(r, 0))
		text_addf(&line, "first run %s, last run %s", rows_text(r, 0), rows_text(r, 1));
	add_pair(t, "measured", text_get(&line));
	return 0;
}

static int add_side(struct text *t, const struct report *r, const struct report_side *s,
                    struct err *e)
{
	const char *config = store_get(s->store, "config");
	int error;

	report_side_title(t, r, s);
	text_add(t, "<dl>\n");
	add_pair(t, "sweep", store_get(s->store, "name"));
	add_pair(t, "description", store_get(s->store, "description"));
	add_pair(t, "tags", store_get(s->store, "tags"));
	add_state(t, s);
	error = add_times(t, s, e);
	add_pair(t, "database", s->path);
	text_add(t, "</dl>\n");
	if (config && *config) {
		text_add(t, "<details><summary>The config as it was run</summary>");
		html_element(t, "pre", "", config);
		text_add(t, "</details>\n");
	}
	return error;
}

static int by_number(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	double p = strtod(x, NULL), q = strtod(y, NULL);

	return p < q ? -1 : p > q ? 1 : strcmp(x, y);
}

/* A value of the column for people: JSON as it stands in `few`. */
static void add_value(struct text *t, const struct report_column *c, const char *json)
{
	char buf[32];
	uint64_t bytes;

	if (c->size && !parse_u64(json, &bytes)) {
		text_add(t, print_size(buf, sizeof(buf), bytes));
		return;
	}
	if (*json != '"') {
		text_add(t, strcmp(json, "null") ? json : "(none)");
		return;
	}
	for (json++; json[0] && json[1]; json++) { /* without its quotes, \" as " */
		if (*json == '\\' && (json[1] == '"' || json[1] == '\\'))
			json++;
		text_addn(t, json, 1);
	}
}

/* "bs: 4k, 16k, 64k" for each axis that has several values. */
static void add_axes(struct text *t, const struct report *r)
{
	text_add(t, "<dl aria-label=\"Axes with several values\">\n");
	for (size_t i = 0; i < r->columns; i++) {
		const struct report_column *c = &r->column[i];
		AUTO(freep) char **item = xcalloc(c->few.len + 1, sizeof(*item));
		AUTO(text_fini) struct text line = { 0 };

		if (!axis_named(c->name) || !report_varies(c))
			continue;
		for (size_t k = 0; k < c->few.len; k++)
			item[k] = c->few.item[k];
		qsort(item, c->few.len, sizeof(*item), by_number);
		for (size_t k = 0; k < c->few.len; k++) {
			text_add(&line, k ? ", " : "");
			add_value(&line, c, item[k]);
		}
		if (c->many)
			text_addf(&line, "more than %d values", REPORT_FEW);
		add_pair(t, c->name, text_get(&line));
	}
	text_add(t, "</dl>\n");
}

int report_asked(struct text *t, const struct report *r, struct err *e)
{
	int error = 0;

	text_add(t, "<section id=\"asked\">\n<h2>What was asked</h2>\n");
	for (size_t i = 0; i < r->sides && !error; i++)
		error = add_side(t, r, &r->side[i], e);
	add_axes(t, r);
	if (r->where) {
		text_add(t, "<p class=\"warn\">Only the rows that match <code>");
		html_add(t, r->where);
		text_add(t, "</code> are in this page.</p>\n");
	}
	text_add(t, "</section>\n");
	return error;
}

/* --- environment --- */

static void add_fact(void *arg, const char *name, const char *value)
{
	struct text *t = arg;

	text_add(t, "<div>");
	add_pair(t, name, value);
	text_add(t, "</div>\n");
}

static int add_machine(struct text *t, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int error = rows_open(&r, s, "SELECT facts FROM environment ORDER BY id", e);
	size_t n = 0;

	while (!error && (error = rows_next(r, e)) > 0) {
		text_addf(t, "%s<dl class=\"facts\">\n", n++ ? "<p>Resumed with:</p>\n" : "");
		json_each_fact(rows_text(r, 0), add_fact, t);
		text_add(t, "</dl>\n");
		error = 0;
	}
	return error;
}

static void add_target_headings(struct text *t)
{
	static const char *const heading[] = { "target", "device", "serial", "file system",
		                               "size" };

	text_add(t, "<div class=\"wide\"><table>\n<caption>Targets</caption>\n<thead><tr>");
	for (size_t i = 0; i < ARRAY_SIZE(heading); i++)
		html_element(t, "th", " scope=\"col\"", heading[i]);
	text_add(t, "</tr></thead>\n<tbody>\n");
}

static int add_targets(struct text *t, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	char buf[32];
	size_t n = 0;
	int error = rows_open(
	    &r, s,
	    "SELECT filename, device, serial, fs, size_bytes FROM target ORDER BY filename", e);

	while (!error && (error = rows_next(r, e)) > 0) {
		if (!n++)
			add_target_headings(t);
		text_add(t, "<tr>");
		for (int i = 0; i < 4; i++)
			html_element(t, "td", "", rows_text(r, i));
		html_element(t, "td", " class=\"n\"",
		             rows_int(r, 4) > 0
		                 ? print_bytes(buf, sizeof(buf), (uint64_t)rows_int(r, 4))
		                 : "");
		text_add(t, "</tr>\n");
		error = 0;
	}
	text_add(t, n ? "</tbody></table></div>\n" : "");
	return error;
}

int report_environment(struct text *t, const struct report *r, struct err *e)
{
	int error = 0;

	text_add(t, "<section id=\"environment\">\n<h2>Environment</h2>\n");
	for (size_t i = 0; i < r->sides && !error; i++) {
		report_side_title(t, r, &r->side[i]);
		error = add_targets(t, r->side[i].store, e);
		if (!error)
			error = add_machine(t, r->side[i].store, e);
	}
	text_add(t, "</section>\n");
	return error;
}

/* --- doubts --- */

static void add_flags(struct text *t, const struct report_counts *c, bool doubts)
{
	for (size_t i = 0; i < FLAG_COUNT; i++) {
		const struct report_flag *f = &c->flag[i];

		if (flag_at(i)->doubt != doubts || !f->runs)
			continue;
		text_addf(t, "<tr><td><strong%s>%s</strong></td><td class=\"n\">%zu</td><td>",
		          doubts ? " class=\"doubt\"" : "", flag_at(i)->name, f->runs);
		for (size_t k = 0; k < f->runs && k < ARRAY_SIZE(f->first); k++)
			text_addf(t, "%s%" PRId64, k ? ", " : "", f->first[k]);
		text_addf(t, "%s</td><td>", f->runs > ARRAY_SIZE(f->first) ? ", ..." : "");
		html_add(t, flag_at(i)->help);
		text_add(t, "</td></tr>\n");
	}
}

static bool any_flag(const struct report_counts *c)
{
	for (size_t i = 0; i < FLAG_COUNT; i++)
		if (c->flag[i].runs)
			return true;
	return false;
}

static void add_doubted(struct text *t, const struct report_counts *c)
{
	if (c->doubted)
		text_addf(
		    t,
		    "<p class=\"warn\"><strong>%zu of %zu runs are in doubt.</strong> They "
		    "never win an answer and are hollow in the charts.</p>\n",
		    c->doubted, c->runs);
	else
		text_addf(t, "<p>None of %zu runs is in doubt.</p>\n", c->runs);
	if (!any_flag(c))
		return;
	text_add(t,
	         "<div class=\"wide\"><table>\n<caption>Doubts, then notes, with the rule "
	         "behind each</caption>\n"
	         "<thead><tr><th scope=\"col\">word</th><th scope=\"col\" class=\"n\">runs</th>"
	         "<th scope=\"col\">such as run</th><th scope=\"col\">rule</th></tr></thead>\n"
	         "<tbody>\n");
	add_flags(t, c, true);
	add_flags(t, c, false);
	text_add(t, "</tbody></table></div>\n");
}

/* Devices that are none: said before any of their numbers. */
static void add_unreal(struct text *t, const struct report *r)
{
	const struct report_column *c = report_column(r, "ioengine");

	if (c && strlist_has(&c->few, "\"sim\""))
		text_add(
		    t, "<p class=\"warn\"><strong>Simulated:</strong> runs with the engine sim "
		       "say nothing about a real device.</p>\n");
	if (c && strlist_has(&c->few, "\"null\""))
		text_add(t,
		         "<p class=\"warn\"><strong>No I/O:</strong> runs with the engine null "
		         "measure this program alone.</p>\n");
}

static int add_failed(struct text *t, const struct report *r, struct store *s, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };

	text_add(&sql, "SELECT n || ' ' || status || ': ' || error || ' (run ' || first || "
	               "CASE WHEN n > 1 THEN ' and others)' ELSE ')' END FROM (SELECT status, "
	               "error, count(DISTINCT run) AS n, min(run) AS first FROM results WHERE "
	               "status <> 'ok'");
	rows_where(&sql, "AND", r->where);
	text_add(&sql, " GROUP BY status, error ORDER BY n DESC, first LIMIT 20)");
	return add_list(t, s, text_get(&sql), e);
}

static int add_side_doubts(struct text *t, const struct report *r, const struct report_side *s,
                           struct err *e)
{
	int64_t bad = 0;
	int error = 0;

	report_side_title(t, r, s);
	add_doubted(t, &s->counts);
	for (uint64_t i = 0; i < STATUS_COUNT; i++)
		bad += i == STATUS_OK || i == STATUS_RUNNING ? 0 : s->standing.status[i];
	if (bad) {
		text_add(t, "<p>Not ok, the most frequent first:</p>\n");
		error = add_failed(t, r, s->store, e);
	}
	return error
	           ? error
	           : add_list(t, s->store,
	                      "SELECT text FROM event WHERE code IN ('drift', 'back') OR level "
	                      "= 'error' ORDER BY id LIMIT 20",
	                      e);
}

int report_doubts(struct text *t, const struct report *r, struct err *e)
{
	int error = 0;

	text_add(t, "<section id=\"doubts\">\n<h2>Doubts first</h2>\n");
	add_unreal(t, r);
	for (size_t i = 0; i < r->sides && !error; i++)
		error = add_side_doubts(t, r, &r->side[i], e);
	text_add(t, "</section>\n");
	return error;
}
