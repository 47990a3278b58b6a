/* run/series.h: what one job completed in every 100 ms of its window. Slots are filled from
 * differences of the job's totals, so an I/O costs nothing here. When a run outlasts SERIES_MAX
 * slots their width doubles. */
#ifndef RUN_SERIES_H
#define RUN_SERIES_H

#include "model/sample.h"

struct series {
	struct series_slot *slot; /* SERIES_MAX, zero beyond `used` */
	uint64_t slot_ns;
	uint32_t used; /* slots that may be other than zero */
	uint32_t current;
	struct series_slot seen; /* totals when the current slot began */
};

/* The width that holds window_ns in SERIES_MAX slots. */
uint64_t series_width(uint64_t window_ns);

void series_begin(struct series *s, uint64_t slot_ns); /* clears what was used */
/* The job has these totals and the time is `since_start_ns` into the window: book what is new
 * into the current slot and go to the slot of that time. Returns when that one ends, in ns from
 * the start of the window. */
uint64_t series_advance(struct series *s, uint64_t since_start_ns,
                        const struct series_slot *totals);
void series_end(struct series *s, const struct series_slot *totals); /* book the rest */
/* Fold pairs of slots until the width is slot_ns. */
void series_widen(struct series *s, uint64_t slot_ns);

#endif
