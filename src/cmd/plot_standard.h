/* cmd/plot_standard.h: the chart that suits a sweep, in the terminal, at its end (--plot).
 * Measuring never needs it. */
#ifndef CMD_PLOT_STANDARD_H
#define CMD_PLOT_STANDARD_H

/* Before the sweep: what will keep it from being drawn is said, to stderr. Nothing is refused
 * for it. */
void plot_standard_check(void);
/* To stdout: what was measured in `db`. What does not work is said; no exit code tells of it.
 */
void plot_standard(const char *db);

#endif
