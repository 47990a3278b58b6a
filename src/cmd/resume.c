/* iosweep resume: go on where a sweep stopped. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmd/exit_of.h"
#include "cmd/plot_standard.h"
#include "cmd/redo.h"
#include "cmd/results_dir.h"
#include "cmd/session.h"
#include "sink/csv.h"
#include "sink/store_import.h"

static int open_store(struct session *s, const char *path)
{
	struct err e = { 0 };
	int r = store_resume(&s->store, path, &e);

	if (!r && store_is_import(s->store)) {
		complain("%s was made by `iosweep import`: there is nothing to go on with",
		         path);
		return EXIT_USAGE;
	}
	if (!r)
		return EXIT_OK;
	complain("%s", e.text);
	return exit_of_resume(r);
}

static int parse_retry(struct session *s, const struct options *o)
{
	for (size_t i = 0; i < o->retry.len; i++) {
		AUTO(freep) char *copy = xstrdup(o->retry.item[i]);
		char *save = NULL;

		for (char *word = strtok_r(copy, ",", &save); word;
		     word = strtok_r(NULL, ",", &save)) {
			uint64_t st = 0;

			while (st < STATUS_COUNT && strcmp(status_name(st), word) != 0)
				st++;
			if (st != STATUS_FAILED && st != STATUS_TIMEOUT &&
			    st != STATUS_SKIPPED) {
				complain("--retry: '%s': allowed: failed, timeout, skipped",
				         word);
				return EXIT_USAGE;
			}
			s->retry[st] = true;
		}
	}
	return EXIT_OK;
}

static int add_state(void *arg, const struct store_state *st)
{
	struct session *s = arg;

	if ((s->states & (s->states + 1)) == 0) /* grow at 0, 1, 3, 7, ... */
		s->state = xrealloc(s->state, 2 * (s->states + 1), sizeof(*s->state));
	s->state[s->states++] = *st;
	return 0;
}

static int match_created(void *arg, const struct store_created *c)
{
	struct target_info *t = arg;

	if (c->dev && !strcmp(c->path, t->path) && c->dev == t->dev && c->ino == t->ino &&
	    c->born_ns && c->born_ns == t->born_ns && t->size_bytes >= c->least &&
	    t->size_bytes <= c->size)
		t->ours = true;
	return 0;
}

/* Where there are no markers, the DB tells which file this sweep made, if the file system says
 * when a file came to be: it hands an inode number out again as soon as it is free. Where there
 * are markers, nothing else counts.
 */
static void mark_ours(void *arg, struct target_info *t)
{
	struct session *s = arg;

	if (t->kind == TARGET_FILE && t->unmarkable)
		(void)store_each_created(s->store, match_created, t, NULL);
}

struct made {
	const char *path;
	uint64_t dev, ino;
};

static int find_made(void *arg, const struct store_created *c)
{
	struct made *m = arg;

	if (!strcmp(c->path, m->path)) {
		m->dev = c->dev;
		m->ino = c->ino;
	}
	return 0;
}

/* A file that this sweep made may be gone, and is made again then; but nothing else may stand
 * in its place. */
static void check_made(struct session *s, const struct target_info *now,
                       const struct target_info *then, struct strlist *out)
{
	struct made m = { .path = now->path };

	if (now->kind == TARGET_MISSING)
		return;
	(void)store_each_created(s->store, find_made, &m, NULL);
	if (now->kind != TARGET_FILE || !now->ours || strcmp(now->path, then->path) != 0 ||
	    (m.dev && (m.dev != now->dev || m.ino != now->ino)))
		strlist_addf(out,
		             "%s: is not the file that this sweep made: move it away, and it "
		             "is made again",
		             now->filename);
}

static bool same_name(const struct target_info *a, const struct target_info *b)
{
	return !strcmp(a->serial, b->serial) && !strcmp(a->wwn, b->wwn);
}

/* Devices without a number of their own are known by the kernel's, as long as it counts on, and
 * loop devices by what is behind them. */
static bool same_device(const struct target_info *now, const struct target_info *then)
{
	const bool same_boot = *now->boot && !strcmp(now->boot, then->boot);
	const bool same_number = now->major == then->major && now->minor == then->minor;

	if (!same_name(now, then))
		return false;
	if (*now->backing || *then->backing)
		return !strcmp(now->backing, then->backing);
	if (!same_boot)
		return true;
	if (now->diskseq == then->diskseq) /* a partition has the one of its disk */
		return same_number;
	return *now->serial || *now->wwn; /* taken out and put in again */
}

static void print_device(char *buf, size_t size, const struct target_info *t, bool named)
{
	if (named)
		(void)snprintf(buf, size, "serial '%s', WWN '%s'", t->serial, t->wwn);
	else
		(void)snprintf(buf, size, "%u:%u%s%.1000s", t->major, t->minor,
		               *t->backing ? " over " : "", t->backing);
}

/* What this sweep did not make is written to only if it is known which one it was. A database
 * may come from elsewhere: that it names a file is nobody's consent. */
static void check_known(const struct session *s, const struct target_info *now,
                        struct strlist *out)
{
	const struct prepared *p = s->prepared;
	const struct intent want = prepared_intent(p, (size_t)(now - p->world.target));

	if ((want.writes || want.fill) && now->kind != TARGET_MISSING &&
	    now->kind != TARGET_SIMULATED && now->kind != TARGET_NOT_NEEDED)
		strlist_addf(out,
		             "%s: the database does not tell which one this sweep began on, so "
		             "nothing is written to it",
		             now->filename);
}

/* Is it still the same device or file? Files of ours may come and go. */
static void check_identity(struct session *s, const struct target_info *now,
                           struct strlist *out)
{
	AUTO(freep) struct target_info *then = xcalloc(1, sizeof(*then));
	char is[1600], was[1600];

	if (store_get_target(s->store, now->filename, then, NULL) ||
	    then->kind == TARGET_UNUSABLE || then->kind == TARGET_NOT_NEEDED) {
		check_known(s, now, out);
		return;
	}
	if (now->kind == TARGET_UNUSABLE) {
		strlist_addf(out, "%s: %s", now->filename, now->problem);
		return;
	}
	if (then->ours || then->kind == TARGET_MISSING) {
		check_made(s, now, then, out);
		return;
	}
	if (then->kind == TARGET_SIMULATED && now->kind == then->kind) {
		if (strcmp(then->serial, now->serial) != 0)
			strlist_addf(out,
			             "%s: describes another device than when this sweep began",
			             now->filename);
		return;
	}
	if (then->kind != now->kind)
		strlist_addf(out,
		             "%s: is no longer what it was when this sweep began (file, device "
		             "or directory)",
		             now->filename);
	else if (then->kind == TARGET_BLOCK && !same_device(now, then)) {
		print_device(is, sizeof(is), now, !same_name(now, then));
		print_device(was, sizeof(was), then, !same_name(now, then));
		strlist_addf(out, "%s: is another device: %s; this sweep began on %s",
		             now->filename, is, was);
	} else if (then->kind != TARGET_DIRECTORY && then->size_bytes != now->size_bytes)
		strlist_addf(out,
		             "%s: its size is %llu bytes; it was %llu when this sweep began",
		             now->filename, (unsigned long long)now->size_bytes,
		             (unsigned long long)then->size_bytes);
	else if (then->kind != TARGET_BLOCK &&
	         (then->dev != now->dev || then->ino != now->ino ||
	          (then->kind == TARGET_FILE && then->born_ns != now->born_ns)))
		strlist_addf(out, "%s: is another file than when this sweep began",
		             now->filename);
}

static int check_prepared(struct session *s, const struct options *o)
{
	struct prepared *p = s->prepared;
	size_t before = p->refusals.len;

	p->resuming = true;
	for (size_t i = 0; i < p->world.targets; i++)
		if (p->plan->need[i].used || p->world.target[i].kind == TARGET_SIMULATED)
			check_identity(s, &p->world.target[i], &p->refusals);
	p->changed = p->refusals.len > before;
	if (!p->refusals.len)
		return EXIT_OK;
	for (size_t i = 0; i < p->refusals.len; i++)
		(void)store_event(s->store, 0, "error", "guard", p->refusals.item[i], NULL);
	(void)store_step(s->store, NULL, NULL, true, NULL);
	prepared_print_refusals(p, o);
	return EXIT_REFUSED;
}

static int prepare_again(struct session *s, struct options *o, const char *name)
{
	struct strlist sets = { 0 };
	const char *config = store_get(s->store, "config"),
		   *engine = store_get(s->store, "default_ioengine");
	struct config_source src = { .path = name, .text = config, .sets = &sets };
	int r;

	if (!config) {
		complain("%s: holds no config", name);
		return EXIT_INPUT;
	}
	if (engine)
		strlist_addf(&sets, "ioengine=%s", engine);
	o->yes_large = true; /* it was allowed when it began */
	r = prepare(s->prepared, &src, o, mark_ours, s);
	strlist_fini(&sets);
	return r;
}

static bool anything_left(const struct session *s)
{
	const struct plan *p = s->prepared->plan;
	uint64_t final = 0;

	for (size_t i = 0; i < s->states; i++)
		final += session_final(s, &s->state[i]);
	return final < p->runs;
}

static int start(struct session *s, const char *db)
{
	const char *dir = store_get(s->store, "start_directory"),
		   *csv = store_get(s->store, "csv_path");
	struct err e = { 0 };

	s->db_path = realpath(db, NULL);
	if (!s->db_path) {
		complain("%s: %s", db, err_name(errno));
		return EXIT_INPUT;
	}
	s->csv_path = s->options->csv ? absolute_path(s->options->csv)
	                              : results_csv_again(s->db_path, csv);
	if (!s->csv_path)
		return EXIT_USAGE;
	if (results_dir_check(s->db_path) || results_dir_check(s->csv_path))
		return EXIT_REFUSED;
	if (dir && chdir(dir)) {
		complain("%s: the directory this sweep began in: %s", dir, err_name(errno));
		return EXIT_INPUT;
	}
	if (store_each_state(s->store, add_state, s, &e)) {
		complain("%s", e.text);
		return EXIT_INPUT;
	}
	s->next_run = store_last_run(s->store) + 1;
	return redo_mark(s);
}

/* Rows to be done again are left out of the CSV: each is added when it has its outcome. */
static void final_rows(struct text *where, const struct session *s)
{
	text_add(where, "status <> 'interrupted' AND NOT " STORE_GIVEN_UP);
	for (uint64_t st = 0; st < STATUS_COUNT; st++)
		if (s->retry[st])
			text_addf(where, " AND status <> '%s'", status_name(st));
	redo_add(where, s);
}

static int go_on(struct session *s)
{
	AUTO(text_fini) struct text stay = { 0 };
	struct err e = { 0 };
	int r;

	if (session_signals(s, &e) || supervisor_start(&s->supervisor, &e)) {
		complain("%s", e.text);
		return EXIT_NOTHING;
	}
	r = session_hold(s);
	session_store_decisions(s);
	if (r) {
		(void)store_step(s->store, NULL, NULL, true, NULL);
		return r;
	}
	final_rows(&stay, s);
	if (store_set_state(s->store, "running", &e) ||
	    csv_write_file(s->csv_path, s->store, text_get(&stay), &e)) {
		complain("results could not be stored: %s", e.text);
		return EXIT_STORE;
	}
	if (!s->options->quiet)
		(void)fprintf(stderr, "results: %s %s\n", s->db_path, s->csv_path);
	if (s->options->verbose)
		prepared_print_notes(s->prepared, s->options);
	return session_finish(s, session_run(s));
}

static int nothing_left(struct session *s)
{
	s->target = xcalloc(s->prepared->world.targets, sizeof(*s->target));
	if (!s->options->quiet)
		(void)fprintf(stderr, "%s: nothing left to do\n", s->db_path);
	return session_finish(s, session_run(s));
}

int cmd_resume(const struct options *options)
{
	struct options o = *options;
	struct prepared p = { 0 };
	struct session s = { .options = &o,
		             .prepared = &p,
		             .signal_fd = -1,
		             .supervisor = { .request_fd = -1, .reply_fd = -1 } };
	int r = parse_retry(&s, &o);

	results_umask();
	if (!r && o.plot)
		plot_standard_check();
	if (!r)
		r = deadline_set(&s.deadline, &o);
	if (!r)
		r = open_store(&s, o.args[0]);
	if (!r)
		r = start(&s, o.args[0]);
	if (!r)
		r = prepare_again(&s, &o, o.args[0]);
	if (!r)
		r = check_prepared(&s, &o);
	if (!r)
		r = anything_left(&s) ? go_on(&s) : nothing_left(&s);
	session_fini(&s);
	prepared_fini(&p);
	return r;
}
