/* iosweep import: what fio measured, as rows like our own. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "cmd/import_json.h"
#include "cmd/import_files.h"
#include "cmd/results_dir.h"
#include "cmd/stopping.h"
#include "sink/store_import.h"

struct import {
	const struct options *options;
	struct import_json json;
	char *db;       /* path */
	size_t files, runs, again, invalid, unread;
};

static void say(const char *path, const char *what, const char *sentence)
{
	char name[PATH_MAX], safe[1024];

	text_printable(name, sizeof(name), path);
	text_printable(safe, sizeof(safe), sentence);
	complain("%s: %s%s", name, what, safe);
}

/* --- the database --- */

/* Looked at before anything is changed: resuming would. */
static int check_kind(const char *db)
{
	struct store *s = NULL;
	int code = open_to_ask(&s, "import", db);
	bool ours;

	if (code)
		return code;
	ours = store_is_import(s);
	(void)store_close(s, NULL);
	if (!ours)
		complain("import: %s holds a sweep of iosweep's own: imports go into a database of "
		         "theirs; name another with --db",
		         db);
	return ours ? EXIT_OK : EXIT_USAGE;
}

static int open_existing(struct import *im)
{
	struct err e = { 0 };
	int r = check_kind(im->db);

	if (r)
		return r;
	r = store_resume(&im->json.store, im->db, &e);
	if (!r)
		r = store_import_begin(&im->json.import, im->json.store, &e);
	if (!r)
		return EXIT_OK;
	complain("import: %s", e.text);
	(void)store_close(im->json.store, NULL);
	return exit_of_resume(r);
}

/* The name of the sweep: that of the first thing named, as far as it is fit for a file name. */
static void name_of(struct text *out, const char *path)
{
	AUTO(freep) char *copy = xstrdup(path);
	size_t n = strlen(copy);
	const char *base;

	while (n > 1 && copy[n - 1] == '/')
		copy[--n] = '\0';
	base = strrchr(copy, '/') ? strrchr(copy, '/') + 1 : copy;
	for (size_t i = 0; base[i] && out->len < 64; i++) {
		bool fit = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
		                  base[i]);

		if (base[i] == '.' && i)
			break;
		text_addf(out, "%c", fit ? base[i] : '_');
	}
	if (!out->len || !strcmp(out->s, "_"))
		text_add(out, "-import");
}

static int choose_db(struct import *im)
{
	AUTO(text_fini) struct text name = { 0 };
	const char *given = im->options->db;
	struct stat st;
	int r;

	name_of(&name, im->options->args[0]);
	im->json.name = xstrdup(text_get(&name));
	r = given ? EXIT_OK : results_new_db(im->options->out_dir, text_get(&name), false, &im->db);
	if (given)
		im->db = xstrdup(given);
	if (!r)
		r = results_dir_check(im->db);
	if (r || lstat(im->db, &st) == 0)
		return r ? r : open_existing(im);
	im->json.create = im->db; /* when there is something to put into it */
	return results_check_planted(im->db);
}

/* --- files --- */

static void print_notes(struct import *im, const char *path)
{
	for (size_t i = 0; i < im->json.notes.len && !im->options->quiet; i++)
		say(path, "", im->json.notes.item[i]);
	strlist_fini(&im->json.notes);
}

static int take_file(void *arg, const char *path, bool named, struct err *e)
{
	struct import *im = arg;
	struct import_count count = { 0 };
	int r = import_json_file(&im->json, path, &count, e);

	if (r)
		return r;
	for (size_t i = 0; i < im->json.problems.len; i++)
		say(path, "", im->json.problems.item[i]);
	if (!count.documents && !im->json.problems.len && named) {
		say(path, "", "holds no JSON document of fio");
		im->invalid++;
	}
	im->invalid += im->json.problems.len > 0 && !count.unread;
	im->unread += count.unread;
	strlist_fini(&im->json.problems);
	print_notes(im, path);
	im->files += count.runs > 0;
	im->runs += count.runs;
	im->again += count.again;
	return 0;
}

static int finish(struct import *im, int r, struct err *e)
{
	struct err why = { 0 };
	int ended = store_import_end(im->json.import, !r && im->runs, &why);

	if (im->json.created && (r || ended || !im->runs))
		store_discard(im->json.store);
	else if (store_close(im->json.store, &why))
		ended = why.code;
	return !r && ended ? err_set(e, ended, "%s", why.text) : r;
}

static void print_left_out(const struct import *im)
{
	if (im->invalid)
		complain("import: %zu file%s invalid and left out", im->invalid,
		         im->invalid == 1 ? " is" : "s are");
	if (im->unread)
		complain("import: %zu file%s could not be read", im->unread,
		         im->unread == 1 ? "" : "s");
}

static void print_summary(const struct import *im)
{
	if (im->options->quiet)
		return;
	if (im->again)
		complain("%zu document%s %s there already", im->again, im->again > 1 ? "s" : "",
		         im->again > 1 ? "were" : "was");
	if (im->runs)
		(void)fprintf(stderr, "results: %s: %zu run%s of %zu file%s imported\n", im->db,
		              im->runs, im->runs == 1 ? "" : "s", im->files,
		              im->files == 1 ? "" : "s");
}

static int import(struct import *im)
{
	struct err e = { 0 };
	int r = 0;

	for (int i = 0; i < im->options->nargs && !r; i++)
		r = import_each_file(im->options->args[i], take_file, im, &e);
	r = finish(im, r, &e);
	if (r) {
		complain("import: %s; nothing was imported", e.text);
		return r == -EINTR ? 128 + stopping_signal() : EXIT_STORE;
	}
	print_summary(im);
	print_left_out(im);
	return im->invalid || im->unread ? EXIT_INPUT : EXIT_OK;
}

int cmd_import(const struct options *o)
{
	struct import im = { .options = o, .json = { .sum_jobs = o->sum_jobs } };
	int r;

	results_umask();
	stopping_begin();
	r = choose_db(&im);
	if (!r)
		r = import(&im);
	free(im.db);
	free(im.json.name);
	return r;
}
