/* fio/job_import.h: job files of fio become a config. */
#ifndef FIO_JOB_IMPORT_H
#define FIO_JOB_IMPORT_H

#include "fio/job.h"

struct fio_wishes {
	const char *name;              /* of the sweep, as a path or word; NULL: none */
	const struct strlist *section; /* only these; empty: all */
	const struct strlist *sweep;   /* "KEY=VALUES": in the place of what the jobs say */
	const struct strlist *without; /* options to leave out, separated by commas */
};

/* Write the config as JSON. 0, or -EINVAL with everything wrong in j->problems. notes: what a
 * user must know of the result, a sentence each. */
int fio_jobs_import(struct fio_jobs *j, const struct fio_wishes *w, struct text *config,
                    struct strlist *notes);

#endif
