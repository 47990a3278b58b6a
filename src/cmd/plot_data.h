/* cmd/plot_data.h: the rows of a sweep reduced to the points of one picture. */
#ifndef CMD_PLOT_DATA_H
#define CMD_PLOT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/text.h"
#include "sink/store.h"

enum plot_kind {
	PLOT_LINES,
	PLOT_BARS,
	PLOT_HEATMAP,
	PLOT_POINTS, /* no line */
};

/* As --kind and scripts/plot.gp name it; NULL past the last. */
const char *plot_kind_name(uint64_t kind);

/* What is asked; all borrowed, NULL: not asked. Columns are those of `results`; x may be
 * "percentile" (y: latency, by the histograms) or "time" (y: iops, bw_mib_s or lat_mean_us, by
 * the intervals). */
struct plot_query {
	const char *x, *y, *series, *panel, *label, *where;
	const char *chosen; /* of where, what the picture says: what the user asked for */
	const char *ratio; /* "ioengine=io_uring/libaio": y of the one over y of the other */
	enum plot_kind kind;
	bool kind_given, all;
};

enum plot_scale { SCALE_LINEAR, SCALE_LOG2, SCALE_LOG10, SCALE_TEXT, SCALE_NINES };

struct plot_axis {
	char text[128]; /* with its unit */
	enum plot_scale scale;
	bool bytes;           /* labelled 4k, 1m */
	struct strlist value; /* SCALE_TEXT: the values; x is an index into them */
};

struct plot_point {
	size_t panel, series;
	double x, y, low, high; /* low, high: error bar; NaN: none */
	double order;           /* in which points of a line follow each other */
	bool doubted;
	char label[32];
};

struct plot_data {
	enum plot_kind kind;
	struct plot_axis x, y, z;     /* z: the colour of a heat map */
	struct strlist panel, series; /* names; one empty one when not asked */
	char series_name[64], panel_name[64], label_name[64];
	struct plot_point *point; /* by panel, series, order */
	size_t points;
	double *ask; /* of lines: values of x that no line bridges */
	size_t asked;
	char *title, *subtitle, *note, *footer;
};

/* 0; -EINVAL: the question makes no sense; -ENODATA: no row to draw; or what the store says. */
int plot_load(struct plot_data *d, struct store *s, const char *source,
              const struct plot_query *asked, struct err *e);
void plot_data_fini(struct plot_data *d);

/* As scripts/plot.gp reads it. */
int plot_write(FILE *out, const struct plot_data *d);

#endif
