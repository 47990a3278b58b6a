/* sink/store_night.h: what is known of runs only after others: that they differ from what came
 * before, and how far repeats of the same lie apart. */
#ifndef SINK_STORE_NIGHT_H
#define SINK_STORE_NIGHT_H

#include "sink/store.h"

/* Rows of the grid, and sentinels, of one target and rw, between two runs. */
struct store_span {
	const char *filename, *rw;
	int64_t after, before; /* run ids, both excluded */
};

/* Give those that lack it a flag, with its sentence. Returns how many. */
int store_add_flag(struct store *s, const struct store_span *span, uint64_t flag,
                   const char *why, struct err *e);

struct store_spread { /* of repeats of the same, on one target with one rw */
	const char *filename, *rw;
	double sd;  /* relative standard deviation ... */
	unsigned n; /* ... known as well as from so many runs */
};

/* Fill in iops_half_width_repro_pct. */
int store_set_spread(struct store *s, const struct store_spread *spread, struct err *e);

#endif
