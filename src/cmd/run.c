/* iosweep run: expand, run, store. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/shell.h"
#include "base/clock.h"
#include "cmd/plot_standard.h"
#include "cmd/results_dir.h"
#include "cmd/reuse.h"
#include "cmd/session.h"
#include "host/facts.h"
#include "sink/csv.h"

static int check_prepared(struct prepared *p, const struct options *o)
{
	if (!p->plan->enumerated) {
		if (p->plan->product_overflow)
			complain("too many combinations: more than 2^64");
		else
			complain("too many combinations: %llu; more than 1,000,000 want "
			         "--yes-large (limit %llu)",
			         (unsigned long long)p->plan->product,
			         (unsigned long long)PLAN_MAX_LARGE);
		return EXIT_USAGE;
	}
	if (p->refusals.len) {
		prepared_print_refusals(p, o);
		return EXIT_REFUSED;
	}
	if (!prepared_can_run(p)) {
		prepared_print_nothing(p);
		return EXIT_NOTHING;
	}
	return EXIT_OK;
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static int default_paths(struct session *s)
{
	const struct options *o = s->options;
	int r;

	free(s->db_path);
	free(s->csv_path);
	s->csv_path = NULL;
	r = results_new_db(o->out_dir, s->prepared->sweep->name, !o->csv, &s->db_path);
	if (!r)
		s->csv_path = o->csv ? xstrdup(o->csv) : results_csv_beside(s->db_path);
	return r;
}

/* The name by which a path would be known, also of a file that is not there yet; NULL: its
 * directory is missing. */
static char *canonical(const char *path)
{
	AUTO(freep) char *copy = xstrdup(path);
	const char *slash = strrchr(path, '/');
	AUTO(freep) char *dir = NULL;
	struct text t = { 0 };

	if (slash)
		copy[slash - path + (slash == path)] = '\0';
	dir = realpath(slash ? copy : ".", NULL);
	if (!dir)
		return NULL;
	text_addf(&t, "%s/%s", strcmp(dir, "/") ? dir : "", slash ? slash + 1 : path);
	return t.s;
}

/* Results and targets must be different files: the one would be written over by the other. */
static int check_distinct(const struct session *s)
{
	static const char *const suffix[] = { "", "-wal", "-shm", "-journal", "-spool" };
	AUTO(freep) char *db = canonical(s->db_path), *csv = canonical(s->csv_path);
	const struct world *w = &s->prepared->world;

	if (db && csv && !strcmp(db, csv)) {
		complain("%s: the database and the CSV must be two files", s->csv_path);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < w->targets; i++) {
		const char *path = w->target[i].path;

		if (csv && !strcmp(path, csv)) {
			complain("%s is a target, and would be the CSV of the results",
			         s->csv_path);
			return EXIT_USAGE;
		}
		for (size_t k = 0; db && k < ARRAY_SIZE(suffix); k++)
			if (!strncmp(path, db, strlen(db)) &&
			    !strcmp(path + strlen(db), suffix[k])) {
				complain("%s is a target, and would belong to the database of "
				         "the results",
				         path);
				return EXIT_USAGE;
			}
	}
	return EXIT_OK;
}

static int check_taken(const char *db)
{
	AUTO(text_fini) struct text word = { 0 };

	if (!exists(db))
		return EXIT_OK;
	add_shell_word(&word, db);
	complain("%s exists; one database holds one sweep. To go on with it: iosweep resume %s",
	         db, text_get(&word));
	return EXIT_USAGE;
}

static int choose_paths(struct session *s)
{
	int r;

	if (s->options->db) {
		s->db_path = xstrdup(s->options->db);
		s->csv_path =
		    s->options->csv ? xstrdup(s->options->csv) : results_csv_beside(s->db_path);
	} else {
		r = default_paths(s);
		if (r)
			return r;
	}
	r = results_dir_check(s->db_path);
	if (!r)
		r = results_dir_check(s->csv_path);
	if (r)
		return r;
	r = check_taken(s->db_path);
	if (!r)
		r = results_check_planted(s->db_path);
	if (r)
		return r;
	if (exists(s->csv_path)) {
		complain("%s exists and would be overwritten; name another with --csv",
		         s->csv_path);
		return EXIT_USAGE;
	}
	return check_distinct(s);
}

/* The value of this tag, made if it is not there yet. */
static char **tag_value(struct sweep *sweep, const char *key, size_t n)
{
	for (size_t i = 0; i < sweep->tags; i++)
		if (!strncmp(sweep->tag[i].key, key, n) && !sweep->tag[i].key[n])
			return &sweep->tag[i].value;
	sweep->tag = xrealloc(sweep->tag, sweep->tags + 1, sizeof(*sweep->tag));
	sweep->tag[sweep->tags].key = xstrndup(key, n);
	sweep->tag[sweep->tags].value = NULL;
	return &sweep->tag[sweep->tags++].value;
}

/* A tag given here replaces the config's. */
static int add_tags(struct sweep *sweep, const struct options *o)
{
	char **value;

	for (size_t i = 0; i < o->tag.len; i++) {
		const char *eq = strchr(o->tag.item[i], '=');

		if (!eq || eq == o->tag.item[i]) {
			complain("--tag: '%s': write KEY=VALUE", o->tag.item[i]);
			return EXIT_USAGE;
		}
		if (!text_plain(o->tag.item[i])) {
			complain("--tag: control characters, or not UTF-8");
			return EXIT_USAGE;
		}
		value = tag_value(sweep, o->tag.item[i], (size_t)(eq - o->tag.item[i]));
		free(*value);
		*value = xstrdup(eq + 1);
	}
	return EXIT_OK;
}

/* The default engine is what this machine gave: resume must not choose again. */
static const char *default_ioengine(const struct prepared *p)
{
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));

	if (p->sweep->axis[AXIS_ioengine].given || !p->plan->runs)
		return NULL;
	plan_row(p->plan, 0, row);
	return engine_name(row->job.ioengine);
}

/* *taken: another sweep took the name a moment ago. */
static int create_store(struct session *s, bool *taken)
{
	struct text facts = { 0 }, permissions = { 0 };
	AUTO(freep) char *cwd = getcwd(NULL, 0), *csv = absolute_path(s->csv_path);
	const struct strlist *warnings = &s->prepared->warnings;
	char host[256];
	const struct plan *plan = s->prepared->plan;
	struct err e = { 0 };
	struct store_header h = {
		.sweep = s->prepared->sweep,
		.start_directory = cwd ? cwd : "/",
		.planned_runs = plan->runs,
		.estimate_s = plan->estimate_s - plan->absent_s + s->prepared->layout_s +
		              s->prepared->precondition_s,
		.host = facts_host(host, sizeof(host)),
		.csv_path = csv,
		.default_ioengine = default_ioengine(s->prepared),
		.world = &s->prepared->world,
	};
	int r;

	facts_json(&facts, &s->prepared->world);
	session_permissions(&permissions, s->options);
	h.facts_json = text_get(&facts);
	h.command_options = text_get(&permissions);
	r = store_create(&s->store, s->db_path, &h, &e);
	for (size_t i = 0; i < warnings->len && !r; i++)
		r = store_event(s->store, 0, "warning", "prepare", warnings->item[i], &e);
	if (!r)
		session_store_decisions(s);
	text_fini(&facts);
	text_fini(&permissions);
	*taken = r == -EEXIST;
	if (!r)
		return EXIT_OK;
	if (*taken && !s->options->db)
		return EXIT_USAGE;
	complain("%s", e.text);
	return r == -EEXIST || r == -EBUSY ? EXIT_USAGE : EXIT_STORE;
}

static bool same_disk(const struct target_info *t, const struct stat *st)
{
	if (t->kind == TARGET_BLOCK)
		return st->st_dev == makedev(t->major, t->minor);
	return t->kind != TARGET_NOT_NEEDED && t->kind != TARGET_SIMULATED &&
	       t->dev == st->st_dev;
}

/* A results file on a disk under test is measured too. */
static void warn_same_disk(const struct session *s)
{
	const struct world *w = &s->prepared->world;
	struct stat st;

	if (stat(s->db_path, &st))
		return;
	for (size_t i = 0; i < w->targets; i++)
		if (s->prepared->plan->need[i].used && same_disk(&w->target[i], &st)) {
			(void)fprintf(stderr,
			              "warning: the results lie on a disk under test (%s): "
			              "they are written between"
			              " runs, but reach the same disk\n",
			              w->target[i].filename);
			return;
		}
}

static int start(struct session *s, struct reuse *reuse)
{
	struct err e = { 0 };
	bool taken = false;
	int r = choose_paths(s);

	if (r)
		return r;
	if (session_signals(s, &e) || supervisor_start(&s->supervisor, &e)) {
		complain("%s", e.text);
		return EXIT_NOTHING;
	}
	r = session_hold(s);
	if (r)
		return r;
	do {
		r = taken ? choose_paths(s) : EXIT_OK;
		if (!r)
			r = create_store(s, &taken);
	} while (taken && !s->options->db);
	if (r)
		return r;
	if (reuse && reuse_take(reuse, s, &e)) {
		complain("--reuse: %s", e.text);
		return EXIT_STORE;
	}
	if (csv_write_file(s->csv_path, s->store, NULL,
	                   &e)) { /* its header: the name is taken now */
		complain("results could not be stored: %s", e.text);
		return EXIT_STORE;
	}
	if (!s->options->quiet)
		(void)fprintf(stderr, "results: %s %s\n", s->db_path, s->csv_path);
	prepared_print_notes(s->prepared, s->options);
	if (!s->options->quiet)
		warn_same_disk(s);
	return EXIT_OK;
}

int cmd_run(const struct options *o)
{
	struct config_source src = { .path = o->nargs ? o->args[0] : NULL, .sets = &o->set };
	struct prepared p = { 0 };
	struct session s = { .options = o,
		             .prepared = &p,
		             .signal_fd = -1,
		             .next_run = 1,
		             .supervisor = { .request_fd = -1, .reply_fd = -1 } };
	struct reuse *reuse = NULL;
	int r;

	if (!o->nargs && !o->set.len) {
		complain(
		    "run: no config; usage: iosweep run CONFIG|-, or give all keys with --set");
		return EXIT_USAGE;
	}
	r = deadline_set(&s.deadline, o);
	if (r)
		return r;
	if (o->plot)
		plot_standard_check();
	results_umask();
	/* before anything is refused: what is printed then would name it */
	r = o->db ? check_taken(o->db) : EXIT_OK;
	if (!r)
		r = prepare(&p, &src, o, NULL, NULL);
	if (!r)
		r = check_prepared(&p, o);
	if (!r)
		r = add_tags(p.sweep, o);
	if (!r)
		r = reuse_open(&reuse, &s);
	if (!r)
		r = start(&s, reuse);
	reuse_close(reuse);
	if (!r)
		r = session_finish(&s, session_run(&s));
	session_fini(&s);
	prepared_fini(&p);
	return r;
}
