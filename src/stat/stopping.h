/* stat/stopping.h: when a run may end before its time. It is looked at a few times only: an
 * interval that is watched all the time ends on a lucky moment. Pure; the caller measures and
 * judges. */
#ifndef STAT_STOPPING_H
#define STAT_STOPPING_H

#include "stat/pilot.h"

#define STAT_DISCARD_S     1.0  /* of each run, never looked at */
#define STAT_DISCARD_MAX_S 10.0 /* ... however slow its pilot started */

enum stat_stop {
	STAT_GO_ON,
	STAT_STOP_PRECISION,    /* the half width is reached and nothing speaks against it */
	STAT_STOP_CAP,          /* the time is over */
	STAT_STOP_CAP_UNSTEADY, /* ... and so it would be however long it lasted */
};

struct stat_stopping {
	const struct stat_pilot *pilot; /* NULL: none */
	double precision;
	double discard_s; /* then the data begin */
	double cap_s;     /* of data, at most */
	double look_s;    /* data at the next look */
	bool passed;      /* the last look; without a pilot two in a row are needed */
};

/* total_s: ramp and runtime together, as they were asked for: the run is never longer. */
void stat_stopping_init(struct stat_stopping *s, const struct stat_pilot *pilot,
                        double precision, double total_s);

/* v: of all data so far, s->look_s of them. Adds to it what the pilot knows; after STAT_GO_ON
 * s->look_s is the next one. */
enum stat_stop stat_look(struct stat_stopping *s, struct verdict *v);

#endif
