/* iosweep plot: any column against any column, drawn by gnuplot. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "cmd/plot_data.h"
#include "cmd/plot_draw.h"
#include "sink/output.h"

static bool known_ending(const char *picture)
{
	const char *dot = strrchr(picture, '.');

	return !strcmp(picture, "-") || (dot && text_has_word(PLOT_ENDINGS, dot));
}

/* text: NULL, or the name of one. */
static void set_kind(struct plot_query *q, const char *text)
{
	q->kind_given = text != NULL;
	while (text && strcmp(plot_kind_name(q->kind), text) != 0)
		q->kind++;
}

int cmd_plot(const struct options *o)
{
	AUTO(plot_data_fini) struct plot_data d = { 0 };
	struct plot_query q = { .x = o->x,
		                .y = o->y,
		                .series = o->series,
		                .panel = o->panel,
		                .label = o->label,
		                .where = o->where,
		                .chosen = o->where,
		                .ratio = o->ratio,
		                .all = o->all };
	const char *picture = o->output ? o->output : "-";
	struct store *s;
	struct err e = { 0 };
	int r;

	set_kind(&q, o->kind);
	if (!known_ending(picture)) {
		complain("plot: -o: '%s': its name must end in one of " PLOT_ENDINGS, picture);
		return EXIT_USAGE;
	}
	if (output_check(picture, &e)) {
		complain("plot: -o: %s", e.text);
		return EXIT_USAGE;
	}
	r = open_to_ask(&s, "plot", o->args[0]);
	if (r)
		return r;
	r = plot_load(&d, s, o->args[0], &q, &e);
	(void)store_close(s, NULL);
	if (r) {
		complain("plot: %s", e.text);
		return exit_of_error(r);
	}
	r = plot_draw(&d, picture, o->keep, &e);
	if (!r)
		return EXIT_OK;
	complain("plot: %s%s", e.text,
	         o->output && !o->keep && plot_ready(NULL) ? "; --keep leaves data and script"
	                                                   : "");
	return exit_of_error(r);
}
