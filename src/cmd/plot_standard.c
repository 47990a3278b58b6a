#include "cmd/plot_standard.h"

#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "cmd/charts.h"
#include "cmd/cmd.h"
#include "cmd/plot_draw.h"

void plot_standard_check(void)
{
	struct err e = { 0 };

	if (plot_ready(&e))
		(void)fprintf(stderr,
		              "warning: --plot: %s; nothing is drawn at the end, and `iosweep "
		              "plot DB` draws it later\n",
		              e.text);
}

static int draw(const char *db, struct err *e)
{
	AUTO(plot_data_fini) struct plot_data d = { 0 };
	AUTO(charts_fini) struct charts charts = { 0 };
	struct chart_axes vary;
	struct store *s = NULL;
	int r = store_open(&s, db, e);

	if (!r)
		r = chart_axes_load(&vary, s, NULL, e);
	if (!r && !chart_axes_vary(&vary))
		r = err_set(e, -ENODATA, "one combination alone makes no chart");
	if (!r) {
		charts_choose(&charts, &vary, NULL);
		r = plot_load(&d, s, db, &charts.chart[0].query, e);
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
