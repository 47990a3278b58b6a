/* iosweep export: the rows of a sweep in the form that the next program wants. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "cmd/export.h"
#include "cmd/export_documents.h"
#include "cmd/export_query.h"
#include "fio/job_stored.h"
#include "sink/csv.h"
#include "sink/output.h"
#include "sink/xlsx.h"

struct format {
	const char *name;
	int (*write)(FILE *out, struct rows *rows, struct store *s, struct err *e);
	enum export_shape shape; /* of its own, or EXPORT_ROWS: as the options say */
};

static int write_csv(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	(void)s;
	return csv_write_rows(out, rows, CSV_CANONICAL, e);
}

static int write_excel(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	(void)s;
	return csv_write_rows(out, rows, CSV_EXCEL, e);
}

static int write_tsv(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	(void)s;
	return csv_write_rows(out, rows, CSV_TSV, e);
}

static int write_json(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	(void)s;
	return json_write_rows(out, rows, e);
}

static int write_jsonl(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	(void)s;
	return jsonl_write_rows(out, rows, e);
}

static int write_markdown(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	(void)s;
	return markdown_write_rows(out, rows, e);
}

static const struct format formats[] = { /* the first is the usual one */
	{ "csv", write_csv, EXPORT_ROWS },        { "csv-excel", write_excel, EXPORT_ROWS },
	{ "tsv", write_tsv, EXPORT_ROWS },        { "json", write_json, EXPORT_ROWS },
	{ "jsonl", write_jsonl, EXPORT_ROWS },    { "markdown", write_markdown, EXPORT_ROWS },
	{ "xlsx", xlsx_write_rows, EXPORT_ROWS }, { "fio-job", fio_stored_write, EXPORT_JOBS },
	{ "fio-json", NULL, EXPORT_DOCUMENTS },   { "fio-json+", NULL, EXPORT_DOCUMENTS },
};

const char *export_format_name(uint64_t i)
{
	return i < ARRAY_SIZE(formats) ? formats[i].name : NULL;
}

/* name: NULL, or one of them. */
static const struct format *format_find(const char *name)
{
	const struct format *f = formats;

	while (name && strcmp(f->name, name) != 0)
		f++;
	return f;
}

struct job_of_export {
	const struct format *format;
	struct store *store;
	struct export_query query;
	struct rows *rows; /* opened before anything is written: a condition that is no SQL is a
	                      usage error */
};

static int write_to(FILE *out, void *arg, struct err *e)
{
	const struct job_of_export *j = arg;

	return j->format->write(out, j->rows, j->store, e);
}

static int open_rows(struct job_of_export *j, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	size_t left_out;
	int r = export_sql(&sql, j->store, &j->query, &left_out, e);

	if (!r)
		r = rows_open(&j->rows, j->store, text_get(&sql), e);
	if (!r && left_out)
		complain("export: %zu runs are in doubt and not in the matrix", left_out);
	return r;
}

static int export(const struct options *o, struct job_of_export *j)
{
	struct err e = { 0 };
	int r = open_rows(j, &e);

	if (r) {
		complain("export: %s", e.text);
		return exit_of_error(r);
	}
	if (o->output && strcmp(o->output, "-") != 0) {
		r = output_file(o->output, write_to, j, &e);
	} else {
		r = write_to(stdout, j, &e);
		if (!r)
			r = output_end("", 0, &e);
	}
	if (r)
		complain("export: %s", e.text);
	return exit_of_error(r);
}

/* At most one shape. */
static int set_shape(struct export_query *q, const struct options *o)
{
	const bool asked[] = {
		[EXPORT_WIDE] = o->wide,
		[EXPORT_PIVOT] = o->pivot,
		[EXPORT_INTERVALS] = o->intervals,
		[EXPORT_HISTOGRAMS] = o->histograms,
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
		if (asked[i]) {
			q->shape = (enum export_shape)i;
			n++;
		}
	if (n > 1)
		complain(
		    "export: --wide, --pivot, --intervals and --histograms exclude each other");
	return n > 1 ? EXIT_USAGE : EXIT_OK;
}

/* A format with a shape of its own has no other. */
static int set_format(struct job_of_export *j, const struct options *o)
{
	enum export_shape own;

	j->format = format_find(o->format);
	if (set_shape(&j->query, o))
		return EXIT_USAGE;
	own = j->format->shape;
	if (o->layout && (own != EXPORT_DOCUMENTS || strcmp(o->layout, "bench-fio") != 0)) {
		complain(
		    "export: --layout: '%s': bench-fio, with --format fio-json or fio-json+",
		    o->layout);
		return EXIT_USAGE;
	}
	if (own == EXPORT_DOCUMENTS && j->query.shape == EXPORT_INTERVALS)
		j->query.shape = EXPORT_ROWS; /* logs beside the documents */
	if (own != EXPORT_ROWS && j->query.shape != EXPORT_ROWS) {
		complain("export: --format %s has no other shape: without --wide, --pivot, "
		         "--intervals "
		         "and --histograms",
		         j->format->name);
		return EXIT_USAGE;
	}
	if (own != EXPORT_ROWS)
		j->query.shape = own;
	return EXIT_OK;
}

/* As `results` has it: c and 12 hex digits. */
static bool is_combination(const char *id)
{
	return strlen(id) == 13 && id[0] == 'c' && strspn(id, "0123456789abcdef") == 13;
}

/* --run is a condition like another; a run that is named may be an older attempt. */
static int set_where(struct text *where, struct export_query *q, const struct options *o)
{
	uint64_t run;

	if (!o->run) {
		text_add(where, o->where ? o->where : "");
		return EXIT_OK;
	}
	if (is_combination(o->run)) {
		text_addf(where, "combination = '%s'", o->run);
	} else if (!parse_u64(o->run, &run) && run <= INT64_MAX) {
		text_addf(where, "run = %" PRIu64, run);
		q->attempts = true;
	} else {
		complain("export: --run: '%s': expected the number of a run, or the id of a "
		         "combination (c and 12 hex digits)",
		         o->run);
		return EXIT_USAGE;
	}
	rows_where(where, "AND", o->where);
	return EXIT_OK;
}

static int documents(const struct options *o, const struct job_of_export *j)
{
	const struct export_documents d = {
		.store = j->store,
		.view = j->query.attempts ? "all_runs" : "results",
		.where = j->query.where,
		.output = o->output,
		.bins = !strcmp(j->format->name, "fio-json+"),
		.logs = o->intervals,
		.bench_fio = o->layout,
	};

	return export_documents(&d);
}

int cmd_export(const struct options *o)
{
	AUTO(text_fini) struct text where = { 0 };
	struct job_of_export j = { .query = { .pivot = o->pivot } };
	struct err e = { 0 };
	int code;

	if (set_format(&j, o) || set_where(&where, &j.query, o))
		return EXIT_USAGE;
	j.query.where = where.len ? where.s : NULL;
	if (o->output && output_check(o->output, &e)) {
		complain("export: -o: %s", e.text);
		return EXIT_USAGE;
	}
	code = open_to_ask(&j.store, "export", o->args[0]);
	if (code)
		return code;
	code = j.query.shape == EXPORT_DOCUMENTS ? documents(o, &j) : export(o, &j);
	rows_close(j.rows);
	(void)store_close(j.store, NULL);
	return code;
}
