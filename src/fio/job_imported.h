/* fio/job_imported.h: what a document of fio says of a job, as a job of fio again. */
#ifndef FIO_JOB_IMPORTED_H
#define FIO_JOB_IMPORTED_H

#include <jansson.h>

#include "fio/job_write.h"

/* The options of a job of a document, [global] first and the job's own winning: an object, for
 * the caller to release. header and source: as in struct imported; NULL or damaged: none. */
json_t *fio_imported_options(const char *header, const char *source);
/* Did iosweep write the job that fio ran? */
bool fio_imported_said(const json_t *options);
/* Add the options that are not there yet, in their order, and what they cannot say as comments; -ENOTSUP when one cannot be an option
 * of fio. */
int fio_imported_add(struct fio_written *w, json_t *options, struct err *e);
/* It ran for its runtime: documents leave bare flags out. */
void fio_imported_time_based(struct fio_written *w);

#endif
