/* cmd/plot_draw.h: a picture by gnuplot, from scripts/plot.gp. */
#ifndef CMD_PLOT_DRAW_H
#define CMD_PLOT_DRAW_H

#include <stdbool.h>

#include "base/err.h"
#include "cmd/plot_data.h"

/* What the name of a picture may end in, which says how it is drawn. */
#define PLOT_ENDINGS ".svg .png .pdf .txt"

/* Draw it into PICTURE, which ends in one of them ("-": as text on stdout). keep: data and script
 * stay beside it. -ENOENT: gnuplot or the script is not there. */
int plot_draw(struct plot_data *d, const char *picture, bool keep, struct err *e);
/* 0: gnuplot and the script are there; -ENOENT with the reason. */
int plot_ready(struct err *e);

#endif
