/* cmd/plot_lines.h: the runs behind one picture, and the points that they make. Shared by the
 * files of plot. */
#ifndef CMD_PLOT_LINES_H
#define CMD_PLOT_LINES_H

#include "cmd/plot_data.h"
#include "model/axis.h"
#include "model/metrics.h"

#define PLOT_CELL   48 /* columns that tell cells apart */
#define PLOT_PANELS 24
#define PLOT_SERIES 16
#define PLOT_GRID   64 /* columns and rows of a heat map, bars */

enum { N_PANEL, N_SERIES, N_LABEL, N_X, N_COUNT };

struct plot_line {             /* one run, or one direction of it */
	char *cell[PLOT_CELL]; /* values of the axes that vary */
	char *name[N_COUNT];   /* panel, series, label, x as text */
	double x, y, half;     /* half: relative half width of y; NaN */
	bool doubted;
};

struct plot_lines {
	struct plot_line *item;
	size_t len;
	struct strlist vary; /* columns of cell[] */
	bool mixed;          /* some runs have two directions, and are one line */
};

void plot_lines_fini(struct plot_lines *l);
/* The axes that have more than one value among the rows. */
int plot_lines_vary(struct strlist *out, struct store *s, const char *where, struct err *e);
int plot_lines_read(struct plot_lines *l, struct store *s, const struct plot_query *q,
                    struct err *e);

/* Of lines over an axis: the values of x that the sweep has, whatever came out. */
int plot_lines_asked(struct plot_data *d, struct store *s, const struct plot_query *q,
                     struct err *e);

bool plot_is_number(const char *column);
/* Is it x, series, panel or label? */
bool plot_names_column(const struct plot_query *q, const char *column);
int plot_check_column(struct store *s, const char *option, const char *name, bool number,
                      struct err *e);

/* Numbers as such, before texts. */
int plot_compare_names(const char *a, const char *b);
void plot_sort_names(struct strlist *l, const char *column);  /* its values; NULL: none */
size_t plot_index(const struct strlist *l, const char *name); /* l->len: it is none of them */
void plot_humanize(struct strlist *l, const char *column);    /* "4096" of a size: 4k; no rate: no limit */
/* Names of at most so many characters, unless two would then be the same. */
void plot_shorten(struct strlist *l, size_t most);
void plot_axis_text(struct plot_axis *a, const char *name); /* with its unit */

struct plot_names { /* one list of names */
	size_t which, limit;
	const char *option, *column; /* column: NULL: not asked, one empty name */
};

int plot_collect(struct strlist *out, const struct plot_lines *l, const struct plot_names *w,
                 struct err *e);

void plot_add_point(struct plot_data *d, const struct plot_point *p);
void plot_sort_points(struct plot_data *d);
/* Repeats become cells, cells the best of each place, or all of them. */
void plot_make_points(struct plot_data *d, struct plot_lines *l, const struct plot_query *q);

struct plot_ratio {
	char axis[64], of[64], over[64];
};

int plot_ratio_parse(struct plot_ratio *r, const char *text, struct err *e);
int plot_ratio_make(struct plot_data *d, const struct plot_ratio *r, const char *column,
                    struct err *e);

/* x is "percentile" or "time". */
bool plot_is_inside(const struct plot_query *q);
int plot_load_inside(struct plot_data *d, struct store *s, const struct plot_query *q,
                     struct err *e);

#endif
