/* run/lane_thread.h: how the kernel schedules the thread of a job, and its I/O. */
#ifndef RUN_LANE_THREAD_H
#define RUN_LANE_THREAD_H

#include "run/lane.h"

/* In the thread, before its engine is opened, whose memory should be near: CPUs, nice value and I/O priority as the spec
 * says, and as at the start of the program where it says nothing. */
int lane_thread_schedule(struct lane *lane, struct err *e);

/* Is this thread too nice for a job with this nice value? Most users may not go back: it needs a new one. */
bool lane_thread_too_nice(const struct lane *lane, const struct job *job);

#endif
