/* iosweep export: the rows of a sweep in the form that the next program wants. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "sink/csv.h"
#include "sink/output.h"

struct format {
	const char *name;
	int (*write)(FILE *out, struct store *s, const char *where, struct err *e);
};

static int write_csv(FILE *out, struct store *s, const char *where, struct err *e)
{
	return csv_write(out, s, where, CSV_CANONICAL, e);
}

static int write_excel(FILE *out, struct store *s, const char *where, struct err *e)
{
	return csv_write(out, s, where, CSV_EXCEL, e);
}

static int write_tsv(FILE *out, struct store *s, const char *where, struct err *e)
{
	return csv_write(out, s, where, CSV_TSV, e);
}

static const struct format formats[] = {
	{ "csv", write_csv },
	{ "csv-excel", write_excel },
	{ "tsv", write_tsv },
	{ "json", json_write },
};

static const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static const struct format *format_of(const struct options *o)
{
	const char *name[ARRAY_SIZE(formats)], *near;
	const struct format *f = format_find(o->format ? o->format : "csv");

	if (f)
		return f;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		name[i] = formats[i].name;
	near = text_nearest(o->format, name, ARRAY_SIZE(formats));
	complain("export: --format: '%s'%s%s%s: allowed: csv, csv-excel, tsv, json", o->format,
	         near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
	return NULL;
}

struct job_of_export {
	const struct format *format;
	struct store *store;
	const char *where;
};

static int write_to(FILE *out, void *arg, struct err *e)
{
	const struct job_of_export *j = arg;

	return j->format->write(out, j->store, j->where, e);
}

/* A condition that is no SQL over the result columns is a usage error, told before anything is
 * written. */
static int check_where(struct store *s, const char *where, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *rows = NULL;

	csv_select(&sql, where);
	return rows_open(&rows, s, sql.s, e);
}

static int exit_of(int r)
{
	return r == -EBADMSG ? EXIT_INPUT : EXIT_STORE;
}

static int export(const struct options *o, struct job_of_export *j)
{
	struct err e = { 0 };
	int r = check_where(j->store, j->where, &e);

	if (r) {
		complain("export: %s", e.text);
		return r == -EINVAL ? EXIT_USAGE : exit_of(r);
	}
	if (o->output && strcmp(o->output, "-") != 0) {
		r = output_file(o->output, write_to, j, &e);
	} else {
		r = write_to(stdout, j, &e);
		if (!r && fflush(stdout))
			r = err_set(&e, -errno, "stdout: %s", err_name(errno));
	}
	if (!r)
		return EXIT_OK;
	complain("export: %s", e.text);
	return exit_of(r);
}

int cmd_export(const struct options *o)
{
	struct job_of_export j = { .format = format_of(o), .where = o->where };
	struct err e = { 0 };
	int code;

	if (!j.format)
		return EXIT_USAGE;
	if (store_open(&j.store, o->args[0], &e)) {
		complain("export: %s", e.text);
		return EXIT_INPUT;
	}
	code = export(o, &j);
	(void)store_close(j.store, NULL);
	return code;
}
