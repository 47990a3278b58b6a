/* fio/job_stored.h: combinations of a database as jobs of fio. */
#ifndef FIO_JOB_STORED_H
#define FIO_JOB_STORED_H

#include <stdio.h>

#include "base/err.h"
#include "base/text.h"
#include "fio/job_write.h"
#include "sink/store.h"

/* Append a query of the runs of `view` that match `where` (NULL: all). */
void fio_stored_runs(struct text *sql, const char *view, const char *where);

/* Append the query whose rows the function below writes: the combinations whose runs are in
 * `view` and match `where` (NULL: all). */
void fio_stored_sql(struct text *sql, const char *view, const char *where);

/* A row with the columns of table combination, and target_kind: texts are of the row, until the
 * next. -ENOTSUP with the reason when it is no combination that could run. */
int fio_stored_read(struct rows *r, struct fio_run *run, struct job *job, struct err *e);

/* A job file, one section per row. One that fio cannot do is a comment with the reason. -EINVAL,
 * and nothing is written: there is no row. */
int fio_stored_write(FILE *out, struct rows *rows, struct store *s, struct err *e);

#endif
