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
	static const char *const endings[] = { ".svg", ".png", ".pdf", ".txt" };
	const char *dot = strrchr(picture, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++)
		if (!strcmp(dot, endings[i]))
			return true;
	return !strcmp(picture, "-");
}

static int parse_kind(struct plot_query *q, const char *text)
{
	static const char *const kinds[] = { "lines", "bars", "heatmap", "points" };

	for (size_t i = 0; text && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(text, kinds[i])) {
			q->kind = (enum plot_kind)i;
			q->kind_given = true;
		}
	return !text || q->kind_given ? 0 : -EINVAL;
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
		                .ratio = o->ratio,
		                .all = o->all };
	const char *picture = o->output ? o->output : "-";
	struct store *s;
	struct err e = { 0 };
	int r;

	if (parse_kind(&q, o->kind)) {
		complain("plot: --kind: '%s': allowed: lines, bars, heatmap, points", o->kind);
		return EXIT_USAGE;
	}
	if (!known_ending(picture)) {
		complain("plot: -o: '%s': its name must end in .svg, .png, .pdf or .txt",
		         picture);
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
