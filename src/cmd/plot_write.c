#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/plot_data.h"

/* A text as one field, never empty ("-"): what would end it, and the quotes that gnuplot reads,
 * are replaced. */
static void put(FILE *out, const char *s)
{
	char clean[1024];

	text_printable(clean, sizeof(clean), s);
	for (char *p = clean; *p; p++)
		if (*p == '\t' || *p == '"')
			*p = *p == '"' ? '\'' : ' ';
	(void)fputs(*clean ? clean : "-", out);
}

static void put_pair(FILE *out, const char *key, const char *value)
{
	(void)fprintf(out, "%s\t", key);
	put(out, value);
	(void)fputc('\n', out);
}

static void put_number(FILE *out, double v)
{
	if (isnan(v))
		(void)fputs("\t-", out);
	else
		(void)fprintf(out, "\t%.12g", v);
}

const char *plot_kind_name(uint64_t kind)
{
	static const char *const names[] = { [PLOT_LINES] = "lines",
		                             [PLOT_BARS] = "bars",
		                             [PLOT_HEATMAP] = "heatmap",
		                             [PLOT_POINTS] = "points" };

	return kind < ARRAY_SIZE(names) ? names[kind] : NULL;
}

static const char *const scales[] = { "linear", "log2", "log10", "text", "nines" };

static void put_axis(FILE *out, char letter, const struct plot_axis *a)
{
	char key[16];

	(void)snprintf(key, sizeof(key), "%clabel", letter);
	put_pair(out, key, a->text);
	(void)fprintf(out, "%cscale\t%s\n%cbytes\t%d\n", letter, scales[a->scale], letter,
	              a->bytes);
}

static void end_block(FILE *out)
{
	(void)fputs("\n\n", out);
}

static void put_list(FILE *out, const struct strlist *l)
{
	for (size_t i = 0; i < l->len; i++) {
		(void)fprintf(out, "%zu\t", i);
		put(out, l->item[i]);
		(void)fputc('\n', out);
	}
	if (!l->len)
		(void)fputs("0\t-\n", out);
	end_block(out);
}

#define NO_POINT "-\t-\t-\t-\t0\t-\n" /* lies nowhere, and ends a line */

static bool is_gap(const struct plot_data *d, const struct plot_point *from,
                   const struct plot_point *to)
{
	for (size_t i = 0; i < d->asked; i++)
		if (d->ask[i] > from->x && d->ask[i] < to->x)
			return true;
	return false;
}

/* One block for each series of each panel: a line is what one block holds. The first point lies
 * nowhere, so that none is empty. */
static void put_points(FILE *out, const struct plot_data *d)
{
	size_t i = 0, first;

	for (size_t p = 0; p < d->panel.len; p++)
		for (size_t s = 0; s < d->series.len; s++) {
			(void)fputs(NO_POINT, out);
			first = i;
			for (;
			     i < d->points && d->point[i].panel == p && d->point[i].series == s;
			     i++) {
				const struct plot_point *at = &d->point[i];

				if (i > first && is_gap(d, at - 1, at))
					(void)fputs(NO_POINT, out);
				(void)fprintf(out, "%.12g", at->x);
				put_number(out, at->y);
				put_number(out, at->low);
				put_number(out, at->high);
				(void)fprintf(out, "\t%d\t", at->doubted);
				put(out, at->label);
				(void)fputc('\n', out);
			}
			end_block(out);
		}
}

int plot_write(FILE *out, const struct plot_data *d)
{
	put_pair(out, "title", d->title);
	put_pair(out, "subtitle", d->subtitle);
	put_pair(out, "note", d->note);
	put_pair(out, "footer", d->footer);
	put_pair(out, "kind", plot_kind_name(d->kind));
	put_axis(out, 'x', &d->x);
	put_axis(out, 'y', &d->y);
	put_axis(out, 'z', &d->z);
	put_pair(out, "series", d->series_name);
	put_pair(out, "panel", d->panel_name);
	put_pair(out, "label", d->label_name);
	(void)fprintf(out, "npanels\t%zu\nnseries\t%zu\nnx\t%zu\nny\t%zu\n", d->panel.len,
	              d->series.len, d->x.value.len, d->y.value.len);
	end_block(out);
	put_list(out, &d->panel);
	put_list(out, &d->series);
	put_list(out, &d->x.value);
	put_list(out, &d->y.value);
	put_points(out, d);
	return ferror(out) ? -EIO : 0;
}
