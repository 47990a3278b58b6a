#include "cmd/export_documents.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/exit.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "cmd/export_names.h"
#include "fio/json_log.h"
#include "fio/json_stored.h"
#include "sink/csv.h"
#include "sink/output.h"

static int put_text(FILE *out, void *arg, struct err *e)
{
	return csv_put(out, arg, e);
}

static int make_folder(const char *path, struct err *e)
{
	struct stat st;

	if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return err_set(e, -errno, "%s: cannot make this folder: %s", path, err_name(errno));
}

/* Every folder on the way to a file below `top`, which is there. */
static int make_folders(const char *top, const char *folder, struct err *e)
{
	AUTO(text_fini) struct text path = { 0 };
	int r = 0;

	text_addf(&path, "%s/", top);
	for (const char *from = folder, *to; !r && (to = strchr(from, '/')); from = to + 1) {
		text_addn(&path, from, (size_t)(to - from + 1));
		r = make_folder(path.s, e);
	}
	return r;
}

static int write_file(const char *path, struct text *t, struct err *e)
{
	int r = output_check(path, e);

	return r ? r : output_file(path, put_text, t, e);
}

/* Logs are named after their document: bench-fio spells its depth and jobs out. */
static void log_path(struct text *path, const struct export_documents *d,
                     const struct export_name *name, const char *log)
{
	const char *depth = strchr(name->file, '-'), *jobs = strrchr(name->file, '-');

	text_addf(path, "%s/%s", d->output, name->folder);
	if (d->bench_fio && depth && jobs > depth)
		text_addf(path, "%.*s-iodepth%.*s-numjobs%s", (int)(depth - name->file),
		          name->file, (int)(jobs - depth), depth, jobs);
	else
		text_add(path, name->file);
	text_addf(path, "_%s.1.log", log);
}

static int write_logs(const struct export_documents *d, const struct export_name *name,
                      struct err *e)
{
	int r = 0;

	for (unsigned log = 0; !r && log < JSON_LOGS; log++) {
		AUTO(text_fini) struct text path = { 0 }, lines = { 0 };

		r = json_log_write(&lines, d->store, name->run, (enum json_log)log, e);
		log_path(&path, d, name, json_log_name(log));
		if (!r && lines.len)
			r = write_file(path.s, &lines, e);
	}
	return r;
}

static int write_one(const struct export_documents *d, struct rows *rows,
                     const struct export_name *name, struct err *e)
{
	AUTO(text_fini) struct text path = { 0 }, document = { 0 };
	int r = make_folders(d->output, name->folder, e);

	text_addf(&path, "%s/%s%s.json", d->output, name->folder, name->file);
	if (!r)
		r = json_stored_document(&document, d->store, rows, d->bins, e);
	if (!r)
		r = write_file(path.s, &document, e);
	return r || !d->logs ? r : write_logs(d, name, e);
}

static int write_all(const struct export_documents *d, const char *sql,
                     const struct export_names *names, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = make_folder(d->output, e), more;

	if (!r)
		r = rows_open(&rows, d->store, sql, e);
	for (size_t i = 0; !r && i < names->n && (more = rows_next(rows, e)); i++)
		r = more < 0 ? more : write_one(d, rows, &names->name[i], e);
	return r;
}

static int print_one(const struct export_documents *d, const char *sql, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	AUTO(text_fini) struct text document = { 0 };
	int r = rows_open(&rows, d->store, sql, e);

	if (!r)
		r = rows_next(rows, e);
	if (r > 0)
		r = json_stored_document(&document, d->store, rows, d->bins, e);
	if (!r)
		r = csv_put(stdout, &document, e);
	return r ? r : output_end("", 0, e);
}

static int refuse(const struct export_names *names, const struct export_documents *d)
{
	if (!names->n) {
		complain("export: no run with numbers%s", d->where ? " matches" : "");
		return EXIT_USAGE;
	}
	if (names->n > 1)
		complain("export: %zu runs are %zu documents: name a folder with -o, or one run with "
		         "--run",
		         names->n, names->n);
	else if (d->logs)
		complain("export: --intervals are files beside the document: name a folder with -o");
	else
		return EXIT_OK;
	return EXIT_USAGE;
}

int export_documents(const struct export_documents *d)
{
	AUTO(export_names_fini) struct export_names names = { .bench_fio = d->bench_fio };
	AUTO(text_fini) struct text sql = { 0 };
	bool print = !d->output || !strcmp(d->output, "-");
	struct err e = { 0 };
	int r;

	json_stored_sql(&sql, d->view, d->where);
	r = export_names_load(&names, d->store, sql.s, &e);
	if (!r && (print || !names.n)) {
		int code = refuse(&names, d);

		if (code)
			return code;
	}
	if (!r)
		r = print ? print_one(d, sql.s, &e) : write_all(d, sql.s, &names, &e);
	if (r)
		complain("export: %s", e.text);
	return exit_of_error(r);
}
