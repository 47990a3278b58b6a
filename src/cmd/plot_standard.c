#include "cmd/plot_standard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/plot_draw.h"
#include "cmd/plot_lines.h"

void plot_standard_check(void)
{
	struct err e = { 0 };

	if (plot_ready(&e))
		(void)fprintf(stderr,
		              "warning: --plot: %s; nothing is drawn at the end, and `iosweep "
		              "plot DB` draws it later\n",
		              e.text);
}

static const char *first_of(const struct strlist *vary, const char *const *list, size_t n,
                            const char *taken)
{
	for (size_t i = 0; i < n; i++)
		if (strlist_has(vary, list[i]) && !(taken && !strcmp(taken, list[i])))
			return list[i];
	return NULL;
}

/* The first that is a number, else the first. */
static const char *first_number(const struct strlist *vary)
{
	for (size_t i = 0; i < vary->len; i++)
		if (plot_is_number(vary->item[i]))
			return vary->item[i];
	return vary->item[0];
}

/* Block size tells of bandwidth, all else of I/Os. */
static void choose(struct plot_query *q, const struct strlist *vary)
{
	static const char *const x[] = { "bs", "iodepth", "numjobs", "size", "rwmixread" },
				 *const series[] = { "iodepth", "numjobs", "ioengine" },
				 *const panel[] = { "rw", "filename", "ioengine", "direct" };

	q->x = first_of(vary, x, ARRAY_SIZE(x), NULL);
	if (!q->x)
		q->x = first_number(vary);
	q->y = strcmp(q->x, "bs") != 0 ? "run_iops" : "run_bw_mib_s";
	q->series = first_of(vary, series, ARRAY_SIZE(series), q->x);
	q->panel = first_of(vary, panel, ARRAY_SIZE(panel), q->x);
	if (q->series && q->panel && !strcmp(q->series, q->panel))
		q->panel = NULL;
}

/* With fewer lines and panels where there are too many. */
static int load(struct plot_data *d, struct store *s, const char *db, struct plot_query *q,
                struct err *e)
{
	int r = plot_load(d, s, db, q, e);

	while (r == -EINVAL && (q->series || q->panel)) {
		*(q->series ? &q->series : &q->panel) = NULL;
		plot_data_fini(d);
		*d = (struct plot_data){ 0 };
		*e = (struct err){ 0 };
		r = plot_load(d, s, db, q, e);
	}
	return r;
}

static int draw(const char *db, struct err *e)
{
	AUTO(plot_data_fini) struct plot_data d = { 0 };
	AUTO(strlist_fini) struct strlist vary = { 0 };
	struct plot_query q = { 0 };
	struct store *s = NULL;
	int r = store_open(&s, db, e);

	if (!r)
		r = lines_vary(&vary, s, NULL, e);
	if (!r && !vary.len)
		r = err_set(e, -ENODATA, "one combination alone makes no chart");
	if (!r) {
		choose(&q, &vary);
		r = load(&d, s, db, &q, e);
	}
	(void)store_close(s, NULL);
	return r ? r : plot_draw(&d, "-", false, e);
}

void plot_standard(const char *db)
{
	struct err e = { 0 };

	(void)fflush(stdout); /* gnuplot writes behind the summary */
	if (draw(db, &e))
		complain("--plot: %s", e.text);
}
