/* fio/job_refused.h: what iosweep does and fio does not. */
#ifndef FIO_JOB_REFUSED_H
#define FIO_JOB_REFUSED_H

#include "base/err.h"
#include "fio/job_write.h"

/* 0, or -ENOTSUP with the first value that fio would not take, and why. */
int fio_refuses(const struct fio_run *run, struct err *e);

#endif
