/* cmd/report_svg.h: a picture of gnuplot as an element of a page. */
#ifndef CMD_REPORT_SVG_H
#define CMD_REPORT_SVG_H

#include "base/err.h"
#include "base/text.h"
#include "cmd/plot_data.h"

/* Append the <svg> of d; sentence: what it shows, for those who do not see it; number: makes
 * its ids differ from those of others on the page. -ENOENT: gnuplot is not there. */
int report_svg(struct text *t, struct plot_data *d, const char *sentence, unsigned number,
               struct err *e);

#endif
