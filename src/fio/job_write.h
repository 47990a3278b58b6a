/* fio/job_write.h: the job of fio that does what a combination does. */
#ifndef FIO_JOB_WRITE_H
#define FIO_JOB_WRITE_H

#include "base/err.h"
#include "fio/job_print.h"
#include "model/axis.h"
#include "model/percentiles.h"

struct fio_run {
	const char *label;
	const struct job
	    *job; /* effective values, as a plan gives them and a database has them */
	struct job_text text;
	const char *key_text; /* its canonical text; NULL: size and offset are as configured */
	bool directory; /* the target holds one file per job */
};

/* Its results have the percentiles of the list; NULL: fio's usual ones. -ENOTSUP when fio cannot
 * do it, with the reason. */
int fio_run_write(const struct fio_run *run, const struct percentiles *list,
                  struct fio_written *out, struct err *e);

#endif
