/* run/loop_fail.h: for run/loop.c: what was not accepted, or did not end as it was asked. */
#ifndef RUN_LOOP_FAIL_H
#define RUN_LOOP_FAIL_H

#include "run/loop.h"

/* An error of this job, the first of which is kept: all jobs of the run stop issuing. */
void loop_fail(struct loop *l, const struct io *io, int error, uint64_t now);
/* res is not len. True: the I/O is dealt with and counts for nothing else. */
bool loop_odd_result(struct loop *l, struct io *io, uint64_t now);
/* Of the batch, which is counted as in flight, the engine accepted r, fewer than all, or said
 * -errno: the rest waits, but for what fails. */
void loop_submit_less(struct loop *l, int r, uint64_t now);

#endif
