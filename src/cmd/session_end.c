/* The end of a sweep, for now or for good. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/shell.h"
#include "cmd/hang.h"
#include "cmd/plot_standard.h"
#include "cmd/preflight.h"
#include "cmd/session_target.h"
#include "cmd/summary.h"
#include "sink/csv.h"

/* "iosweep resume DB" with what it must be given again. */
static void print_resume(const struct session *s)
{
	struct text line = { 0 };

	text_add(&line, "iosweep resume ");
	add_shell_word(&line, s->db_path);
	session_permissions(&line, s->options);
	add_shell_options(&line, "--retry", &s->options->retry);
	if (s->options->redo) {
		text_add(&line, " --redo ");
		add_shell_word(&line, s->options->redo);
	}
	(void)fprintf(stderr, "to go on: %s\n", text_get(&line));
	text_fini(&line);
}

static void print_left(const struct session *s)
{
	char text[80];

	(void)fprintf(
	    stderr, "stopped as asked (%s): %" PRIu64 " of %" PRIu64 " runs are done\n",
	    deadline_text(text, sizeof(text), s->options), s->progress.done, s->progress.total);
}

void session_permissions(struct text *out, const struct options *o)
{
	add_shell_options(out, "--destroy", &o->destroy);
	add_shell_options(out, "--overwrite-signature", &o->overwrite_signature);
}

static int store_trouble(const struct err *e)
{
	complain("results could not be stored: %s", e->text);
	return EXIT_STORE;
}

/* Rows that no file would take. */
static void print_unsaved(const struct session *s)
{
	const char *rows = store_unsaved(s->store);

	if (!rows)
		return;
	complain(
	    "no file took these rows; resume finds them in a file %s-spool of the lines that "
	    "follow:",
	    s->db_path);
	(void)fputs(rows, stderr);
}

/* The database that is to be gone on with, when its file was taken away. */
static void follow_kept(struct session *s)
{
	const char *kept = store_kept(s->store);

	if (!kept)
		return;
	free(s->db_path);
	s->db_path = xstrdup(kept);
}

static void session_release(struct session *s)
{
	for (size_t i = 0; s->target && i < s->prepared->world.targets; i++)
		hold_release(&s->target[i].hold);
}

/* The end of the sweep gave the database room, and the file that was named is gone. */
static void say_caught_up(const struct session *s)
{
	complain("%s: the rows that had to wait are in it after all", s->db_path);
}

int session_finish(struct session *s, int code)
{
	bool waited;
	bool complete = !s->signal && !s->store_failed && !s->out_of_time;
	struct err e = { 0 };

	s->deadline.set = false; /* what follows is not to be cut short */

	session_release(s);
	wear_record_drives(s, "after");
	if (!s->store_failed)
		(void)store_step(s->store, NULL, NULL, true, NULL);
	if (store_set_state(s->store, complete ? "done" : "interrupted", &e) &&
	    code != EXIT_STORE)
		code = store_trouble(&e);
	e = (struct err){ 0 };
	if (csv_write_file(s->csv_path, s->store, NULL, &e) && code != EXIT_STORE)
		code = store_trouble(&e);
	e = (struct err){ 0 };
	if ((complete || code == EXIT_UNTIL) && !s->options->quiet &&
	    summary_print(s->store, s->db_path, s->csv_path, &e))
		complain("summary: %s", e.text);
	if (complete && !s->prepared->sweep->keep)
		session_targets_remove(s); /* last: it may take as long as the device lets it */
	supervisor_stop(&s->supervisor);
	follow_kept(s);
	print_unsaved(s);
	e = (struct err){ 0 };
	waited = s->store_failed && (store_pending(s->store) || store_caught_up(s->store));
	if (store_close(s->store, &e)) {
		if (code != EXIT_STORE)
			code = store_trouble(&e);
	} else if (waited) {
		say_caught_up(s);
	}
	s->store = NULL;
	if (s->options->plot && (complete || code == EXIT_UNTIL))
		plot_standard(s->db_path);
	if (code == EXIT_UNTIL)
		print_left(s);
	if (!complete)
		print_resume(s);
	return code;
}

char *absolute_path(const char *path)
{
	char cwd[PATH_MAX];
	struct text t = { 0 };

	if (path[0] == '/' || !getcwd(cwd, sizeof(cwd)))
		return xstrdup(path);
	text_addf(&t, "%s/%s", cwd, path);
	return t.s;
}

void session_fini(struct session *s)
{
	session_release(s);
	hang_fini(s);
	supervisor_stop(&s->supervisor);
	if (s->store)
		(void)store_close(s->store, NULL);
	if (s->signal_fd >= 0)
		close(s->signal_fd);
	free(s->streak);
	preflight_free(s->preflight);
	free(s->target);
	free(s->state);
	beside_fini(s);
	free(s->db_path);
	free(s->csv_path);
}
