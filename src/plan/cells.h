/* plan/cells.h: the runs beside the grid. Sentinels: one cell of each block (the rows of one
 * target and rw) is run again through the night. Pilots: one long run of each class (target,
 * engine, rw, direct) at its smallest and its largest bs. Private to plan/, but for the
 * structs in plan.h. */
#ifndef PLAN_CELLS_H
#define PLAN_CELLS_H

#include "plan/plan.h"

/* Sweeps that take longer have sentinels unless they say no. */
#define SENTINEL_SWEEP_S 3600.0

/* Find them, once the combinations are counted, and add their time to the estimates. */
void plan_cells(struct plan *p);

/* What a combination is expected to take on a steady device, in ns; without precision all of
 * its time. */
uint64_t job_expected_ns(const struct sweep *s, const struct job *job);

#endif
