/* iosweep import-job: what was written for fio, as a config. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "fio/job_import.h"
#include "sink/output.h"

static int write_text(FILE *out, void *arg, struct err *e)
{
	const struct text *t = arg;

	if (fputs(text_get(t), out) < 0)
		return err_set(e, -EIO, "cannot write");
	return 0;
}

static int put(const struct options *o, struct text *config)
{
	struct err e = { 0 };

	if (!o->output || !strcmp(o->output, "-")) {
		(void)fputs(text_get(config), stdout);
		return EXIT_OK;
	}
	if (!output_file(o->output, write_text, config, &e))
		return EXIT_OK;
	complain("import-job: %s", e.text);
	return EXIT_STORE;
}

static void print_lines(const char *what, const struct strlist *lines)
{
	for (size_t i = 0; i < lines->len; i++)
		(void)fprintf(stderr, "%s%s\n", what, lines->item[i]);
}

static void print_way_out(const struct strlist *unsupported)
{
	AUTO(text_fini) struct text names = { 0 };
	char safe[1024];

	for (size_t i = 0; i < unsupported->len; i++)
		text_addf(&names, "%s%s", i ? "," : "", unsupported->item[i]);
	text_printable(safe, sizeof(safe), text_get(&names));
	if (names.len)
		(void)fprintf(stderr, "Where these do not matter: --without %s\n", safe);
}

static int import(const struct options *o, struct fio_jobs *jobs)
{
	const struct fio_wishes wishes = {
		.name = o->nargs ? o->args[0] : "fio",
		.section = &o->section,
		.sweep = &o->sweep,
		.without = &o->without,
	};
	AUTO(text_fini) struct text config = { 0 };
	AUTO(strlist_fini) struct strlist notes = { 0 };
	int r = fio_jobs_import(jobs, &wishes, &config, &notes);

	if (!o->quiet)
		print_lines("note: ", &notes);
	print_lines("", &jobs->problems);
	print_way_out(&jobs->unsupported);
	return r ? EXIT_INPUT : put(o, &config);
}

int cmd_import_job(const struct options *o)
{
	struct fio_jobs jobs = { 0 };
	int r;

	if (!o->nargs && !o->cmdline.len) {
		complain("import-job: a job file is needed, or --cmdline 'fio --name=...'");
		return EXIT_USAGE;
	}
	for (int i = 0; i < o->nargs; i++)
		fio_jobs_file(&jobs, o->args[i]);
	for (size_t i = 0; i < o->cmdline.len; i++)
		fio_jobs_cmdline(&jobs, o->cmdline.item[i]);
	r = import(o, &jobs);
	fio_jobs_fini(&jobs);
	return r;
}
