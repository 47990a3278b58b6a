/* fio/job_write.h: the job of fio that does what a combination does. */
#ifndef FIO_JOB_WRITE_H
#define FIO_JOB_WRITE_H

#include "base/err.h"
#include "base/text.h"
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

struct fio_written {
	struct strlist target;  /* "filename=...": a job of fio for each of several at once;
	                           none: no target */
	struct strlist option;  /* "name=value" of each of these jobs, without its name */
	struct strlist comment; /* what fio does otherwise, a sentence each */
};

/* Its results have the percentiles of the list; NULL: fio's usual ones. -ENOTSUP when fio cannot
 * do it, with the reason. */
int fio_run_write(const struct fio_run *run, const struct percentiles *list,
                  struct fio_written *out, struct err *e);
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
