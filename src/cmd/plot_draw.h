/* cmd/plot_draw.h: a picture by gnuplot, from scripts/plot.gp. */
#ifndef CMD_PLOT_DRAW_H
#define CMD_PLOT_DRAW_H

#include <stdbool.h>

#include "base/err.h"
#include "cmd/plot_data.h"

/* Draw it into PICTURE (.svg .png .pdf .txt; "-": as text on stdout). keep: data and script
 * stay beside it. -ENOENT: gnuplot or the script is not there. */
int plot_draw(struct plot_data *d, const char *picture, bool keep, struct err *e);
/* 0: gnuplot and the script are there; -ENOENT with the reason. */
int plot_ready(struct err *e);

#endif
