/* stat/pilot.h: what a long run of one class (a pattern at one block size) teaches about short
 * ones. Pure. */
#ifndef STAT_PILOT_H
#define STAT_PILOT_H

#include "stat/judge.h"

#define STAT_LOOKS 7 /* lengths whose scatter a pilot learns: stat_look_s[] */

extern const double
    stat_look_s[STAT_LOOKS]; /* 6, 8, 11, 15, 20, 27, 34: steps of about 4 / 3 */

#define STAT_PILOT_S   120 /* its length */
#define STAT_PAUSE_S   5   /* idle after it ... */
#define STAT_REPROBE_S 8   /* ... and the run that shows whether what was spent comes back */

struct stat_pilot {
	bool known;                /* else it was too short to learn from */
	double spread[STAT_LOOKS]; /* relative standard deviation of the means of windows so
	                              long */
	double shortest_s; /* no decision before a run is so long: 2 x spread <= precision from
	                      there on */
	double warm_up_s;  /* slower start: discard so much of each run */
	double fast_s;     /* faster start */
	bool spent;   /* ... and it did not come back: credits, a cache that stays full, heat */
	bool refills; /* ... it came back: no short run is steady */
	bool unsteady; /* first and last third of the rest differ by more than 3 x precision */
	unsigned stalls;           /* times that it fell below half its median rate ... */
	double stall_lost;         /* ... and the share of its work that this cost */
	double half_width, rest_s; /* of the mean of the rest, and its length */
	double level;              /* rate per second of the rest */
};

/* pilot: its whole window, from the first second on; reprobe: n 0 when there was none. */
void stat_pilot(struct stat_pilot *out, const struct stat_series *pilot,
                const struct stat_series *reprobe, struct stat_room *room);

/* The half width that a run of so many seconds may expect, from that of the pilot: by the
 * square root of their lengths. 0 without a pilot. */
double stat_pilot_expects(const struct stat_pilot *p, double seconds);

/* The half width that a run of this length cannot go below: 2 x spread of the longest length
 * that is not longer (an Allan deviation in spirit: Allan 1966). 0 without a pilot. */
double stat_pilot_floor(const struct stat_pilot *p, double seconds);

#endif
