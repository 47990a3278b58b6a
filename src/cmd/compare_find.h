/* cmd/compare_find.h: what changed between two sweeps, from plain points. Pure: no database, no
 * terminal.
 *
 * Each cell (what both sweeps measured the same way) has d = ln B - ln A of the means of its
 * runs, and se^2 = (own intervals of the runs) + spread^2 (1 / runs of A + 1 / runs of B) where
 * the spread is the relative standard deviation from run to run, pooled over the class of the
 * cell (its pattern): two or three repeats of one cell alone know it far too badly. A cell has
 * changed when |d| is at least `effect` and its p by Student's t stays under `rate` after
 * Benjamini and Hochberg (1995) over all cells; it is the same when its 90 % interval lies
 * within +-effect (two one-sided tests: Schuirmann 1987); else nobody knows. */
#ifndef CMD_COMPARE_FIND_H
#define CMD_COMPARE_FIND_H

#include <stdbool.h>
#include <stddef.h>

#define COMPARE_EFFECT 0.03 /* smaller differences are nobody's worry */
#define COMPARE_RATE   0.05 /* of the changed cells, at most so many by chance */

enum { COMPARE_A, COMPARE_B, COMPARE_SIDES };

struct compare_point {      /* one run */
	size_t cell, class; /* from 0; equal cells are compared, equal classes share a spread */
	int side;
	bool spread_only;  /* counts for the run-to-run spread only (a sentinel) */
	double rate;       /* NaN or not above 0: left out */
	double half_width; /* of it, relative, 95 %; NaN: not known */
};

enum compare_verdict { COMPARE_ALONE, COMPARE_UNDECIDED, COMPARE_SAME, COMPARE_CHANGED };

struct compare_cell {
	size_t cell, class;
	size_t runs[COMPARE_SIDES];
	double mean[COMPARE_SIDES];
	enum compare_verdict verdict; /* COMPARE_ALONE: on one side only */
	double d, low,
	    high;      /* logarithms: difference and its 95 % interval; NaN when not known */
	double p, q;   /* of no difference; after the correction. NaN when not known */
	unsigned more; /* undecided: repeats on each side that are likely to decide; 0: more
	                  than 20 */
};

enum compare_source { COMPARE_UNKNOWN, COMPARE_REPEATS, COMPARE_DIFFERENCES };

struct comparison {
	struct compare_cell *cell; /* by number; free() */
	size_t cells, both, only[COMPARE_SIDES];
	size_t changed, up, down, same, undecided; /* up and down: of the changed, by d */
	double spread[COMPARE_SIDES];              /* over all classes; NaN: no repeats */
	enum compare_source source;                /* of the spread that was used */
	double used_spread; /* without repeats: by the scatter of the differences */
	double shift, shift_low, shift_high; /* median of d with its 95 % interval by order
	                                        statistics; NaN: no cell */
	unsigned more; /* repeats on each side that would decide `settled` of the undecided; 0:
	                  none would */
	size_t settled;
};

/* cells, classes: how many numbers there are. effect: relative. */
void compare_find(struct comparison *out, const struct compare_point *p, size_t n, size_t cells,
                  size_t classes, double effect);

#endif
