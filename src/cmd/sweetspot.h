/* cmd/sweetspot.h: where a target performs best, from plain points. Pure: no database, no
 * terminal.
 *
 * Points that share a condition (target, pattern, direct, size, ...) compete with each other;
 * bs, numjobs, iodepth and engine are what is to be chosen. Repeats of a choice are averaged; a
 * point in doubt is counted, never ranked. */
#ifndef CMD_SWEETSPOT_H
#define CMD_SWEETSPOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOT_SHARE 0.95 /* of the best: good enough */

enum spot_op { SPOT_READ, SPOT_WRITE, SPOT_OPS };

struct spot_point {       /* one run */
	size_t condition; /* from 0; equal numbers compete */
	uint64_t bs, numjobs, iodepth;
	const char *engine; /* borrowed */
	bool doubted;
	double bw_mib_s,
	    iops; /* of all ops together; a point without bandwidth (NaN) is not ranked */
	double lat_mean_us[SPOT_OPS], lat_p99_us[SPOT_OPS]; /* NaN: none */
};

struct spot_cell { /* one choice: the mean over its repeats */
	size_t condition;
	uint64_t bs, numjobs, iodepth;
	const char *engine;
	size_t runs;
	double bw_mib_s, iops;
	double lat_mean_us[SPOT_OPS], lat_p99_us[SPOT_OPS];
};

struct spot {
	size_t condition;
	size_t ranked, doubted; /* points; when ranked is 0 nothing below is set */
	struct spot_cell best;  /* highest bandwidth */
	struct spot_cell
	    sweet; /* smallest bs within SPOT_SHARE of it; there the cheapest that still is */
	uint64_t smaller_bs, larger_bs; /* neighbours of the sweet bs in the sweep; 0: none */
	double smaller_share, larger_share; /* their best bandwidth / best */
	struct spot_cell peak;              /* highest IOPS */
	struct spot_cell cheap; /* at that bs, the cheapest within SPOT_SHARE of it */
};

/* One spot per condition, in order of condition; *out is the caller's to free. Returns how
 * many. Cheapest: fewest I/Os in flight (numjobs x iodepth), then fewest jobs, then the highest
 * bandwidth. */
size_t sweetspot_find(struct spot **out, const struct spot_point *points, size_t n);

#endif
