/* cmd/deadline.h: --until and --for: when a sweep stops as asked, and what still fits before.
 */
#ifndef CMD_DEADLINE_H
#define CMD_DEADLINE_H

#include "cmd/prepare.h"

struct deadline {
	bool set;
	bool wall;     /* --until: by the clock on the wall; --for: by time passed, a suspend
	                  included */
	int64_t at_ns; /* of that clock */
};

/* EXIT_OK, or EXIT_USAGE after saying what is wrong. Without either option nothing is set. */
int deadline_set(struct deadline *d, const struct options *o);
/* Time to it; 0: it has passed; UINT64_MAX: there is none. */
uint64_t deadline_left_ns(const struct deadline *d);
/* "--until 07:00" as it was given. */
const char *deadline_text(char *buf, size_t size, const struct options *o);

/* What work took beyond its plan, as far as this call has seen it. */
struct costs {
	uint64_t over_ns; /* the longest: gap, drain */
	uint64_t
	    flush_over_ns; /* the longest with a flush after buffered writes; 0: none seen */
	uint64_t sized_ns; /* the longest run bound by size; 0: none seen */
	double layout_bytes_per_s; /* the last layout's; 0: none seen */
};

/* A run of this row took so long. */
void costs_run(struct costs *c, const struct plan *p, const struct plan_row *row,
               uint64_t took_ns);
/* A layout of so many bytes did. */
void costs_layout(struct costs *c, uint64_t bytes, uint64_t took_ns);
/* How long the row takes from its start to the end of its drain and flush, at most as far as
 * that is known. A run bound by size of which none was seen counts as nothing. */
uint64_t costs_row_ns(const struct costs *c, const struct plan *p, const struct plan_row *row);
uint64_t costs_layout_ns(const struct costs *c, uint64_t bytes);
/* An estimate in seconds; 30 years stand for all that is longer. */
static inline uint64_t costs_ns(double s)
{
	return (uint64_t)((s < 1e9 ? s : 1e9) * 1e9);
}

#endif
