/* fio/job_print.h: a job as sections of a job file, and as words of a command line. */
#ifndef FIO_JOB_PRINT_H
#define FIO_JOB_PRINT_H

#include "base/err.h"
#include "base/text.h"

struct fio_written {
	struct strlist target;  /* "filename=...": a job of fio for each of several at once;
	                           none: no target */
	struct strlist option;  /* "name=value" of each of these jobs, without its name */
	struct strlist comment; /* what fio does otherwise, a sentence each */
};
void fio_written_fini(struct fio_written *w);

/* A name that can stand in brackets, in a file name and on a command line: other characters are
 * '_'. */
void fio_run_name(char *buf, size_t size, const char *label);

/* Append it as sections of a job file, the first after what is before it if it `waits`; a name
 * that fio keeps to itself gets a '_' in front. -ENOTSUP when a value cannot stand in one. */
int fio_run_sections(struct text *out, const char *label, const struct fio_written *w,
                     bool waits, struct err *e);
/* Append it as " --name=... --filename=...", quoted for a shell. */
void fio_run_arguments(struct text *out, const char *label, const struct fio_written *w);

#endif
