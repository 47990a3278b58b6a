/* iosweep report: a sweep, or two, as one HTML page. */
#include "cmd/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "cmd/html.h"
#include "sink/csv.h"
#include "sink/output.h"

void report_side_title(struct text *t, const struct report *r, const struct report_side *s)
{
	if (r->sides < 2)
		return;
	text_addf(t, "<h3>%s: ", s->name);
	html_add(t, s->path);
	text_add(t, "</h3>\n");
}

/* --- the page --- */

static int add_data(FILE *out, struct text *page, const struct report *r, struct err *e)
{
	AUTO(text_fini) struct text rows = { 0 };
	AUTO(text_fini) struct text runs = { 0 };
	int error;

	report_rows_data(&rows, r);
	html_island(page, "data-rows", text_get(&rows));
	error = csv_put(out, page, e);
	if (!error)
		error = report_runs_data(&runs, r, e);
	if (!error)
		html_island(page, "data-runs", text_get(&runs));
	return error;
}

static int write_page(FILE *out, void *arg, struct err *e)
{
	const struct report *r = arg;
	AUTO(text_fini) struct text page = { 0 };
	int error;

	report_head(&page, r);
	error = report_asked(&page, r, e);
	if (!error)
		error = report_environment(&page, r, e);
	if (!error)
		error = report_doubts(&page, r, e);
	if (error)
		return error;
	if (r->sides > 1)
		report_compared(&page, r);
	report_answers(&page, r);
	error = report_charts(&page, r, e);
	if (error)
		return error;
	report_table(&page, r);
	error = add_data(out, &page, r, e);
	report_foot(&page);
	return error ? error : csv_put(out, &page, e);
}

/* --- two sweeps --- */

/* 0, -EINVAL, -ENODATA: nothing is in both, or what the stores say. */
static int compare_sides(struct report *r, struct err *e)
{
	struct compare_query q = { .store = { r->side[0].store, r->side[1].store },
		                   .where = r->where };
	struct compare_data *d = &r->difference;
	int error = compare_load(d, &q, e);

	if (error)
		return error;
	compare_find(&r->found, d->point, d->points, d->cells, d->classes, COMPARE_EFFECT);
	if (!r->found.both)
		return err_set(e, -ENODATA,
		               "not comparable: no cell is in both (iosweep compare %s %s)",
		               r->side[0].path, r->side[1].path);
	r->compared = (struct compared){ .name = { r->side[0].path, r->side[1].path },
		                         .data = d,
		                         .found = &r->found };
	r->compared.clusters = cluster_find(r->compared.cluster, d, &r->found);
	return 0;
}

/* --- where to --- */

/* x.db makes x.html beside it; DIR makes DIR/x.html. */
static char *page_name(const char *db, const char *dir)
{
	const char *slash = strrchr(db, '/'), *base = slash ? slash + 1 : db;
	const char *dot = strrchr(base, '.');
	struct text t = { 0 };

	if (dir)
		text_addf(&t, "%s/", dir);
	else
		text_addn(&t, db, (size_t)(base - db));
	text_addn(&t, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
	text_add(&t, ".html");
	return t.s;
}

static char *choose_output(const struct options *o)
{
	struct stat st;

	if (!o->output)
		return page_name(o->args[0], NULL);
	if (!stat(o->output, &st) && S_ISDIR(st.st_mode))
		return page_name(o->args[0], o->output);
	return xstrdup(o->output);
}

/* A name that we chose takes the place of a page of ours alone. */
static bool is_ours(const char *path)
{
	AUTO(fclosep) FILE *in = fopen(path, "re");
	char begun[2048];

	if (!in)
		return errno == ENOENT;
	begun[fread(begun, 1, sizeof(begun) - 1, in)] = '\0';
	return strstr(begun, REPORT_MARK) != NULL;
}

static int write_to(struct report *r, const char *path, struct err *e)
{
	int error;

	if (strcmp(path, "-") != 0)
		return output_file(path, write_page, r, e);
	error = write_page(stdout, r, e);
	return error ? error : output_end("", 0, e);
}

static int report(struct report *r, const char *path)
{
	struct err e = { 0 };
	int error = report_load(r, &e);

	if (!error && r->sides > 1)
		error = compare_sides(r, &e);
	if (!error)
		error = write_to(r, path, &e);
	if (error)
		complain("report: %s", e.text);
	return exit_of_error(error);
}

static int open_sides(struct report *r, const struct options *o)
{
	const char *path[REPORT_SIDES] = { o->args[0], o->compare };
	int code;

	for (size_t i = 0; i < REPORT_SIDES && path[i]; i++) {
		struct report_side *s = &r->side[r->sides];

		*s = (struct report_side){ .path = path[i],
			                   .name = !o->compare ? ""
			                           : i         ? "B"
			                                       : "A" };
		code = open_to_ask(&s->store, "report", path[i]);
		if (code)
			return code;
		r->sides++;
	}
	return EXIT_OK;
}

int cmd_report(const struct options *o)
{
	AUTO(report_fini) struct report r = { .where = o->where };
	AUTO(freep) char *path = choose_output(o);
	struct err e = { 0 };
	int code;

	if (output_check(path, &e)) {
		complain("report: -o: %s", e.text);
		return EXIT_USAGE;
	}
	if (!o->output && !is_ours(path)) {
		complain("report: %s is no report, and is not overwritten without -o", path);
		return EXIT_USAGE;
	}
	code = open_sides(&r, o);
	if (!code)
		code = report(&r, path);
	if (!code && !o->output)
		(void)fprintf(stderr, "report: %s\n", path);
	return code;
}
