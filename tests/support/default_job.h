/* tests/support/default_job.h: where tests and benches begin that make a job by hand. */
#ifndef SUPPORT_DEFAULT_JOB_H
#define SUPPORT_DEFAULT_JOB_H

#include "model/axis.h"

/* Every axis at its default, and the first filename. */
static inline struct job default_job(void)
{
	struct job job = { 0 };

	for (size_t a = 0; a < AXIS_COUNT; a++)
		*axis_slot(&axes[a], &job) = axis_default(&axes[a]);
	job.filename = 0;
	return job;
}

#endif
