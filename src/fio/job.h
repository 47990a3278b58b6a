/* fio/job.h: job files and command lines of fio as lists of sections. Nothing is understood yet
 * but the form: sections, [global], include, comments, ${ENV}. Problems are sentences that
 * begin with where: "a.fio:12: ...". */
#ifndef FIO_JOB_H
#define FIO_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct fio_option {
	char *name;
	char *value;  /* without the blanks around it; NULL: bare, as `time_based` */
	char *origin; /* "a.fio:12", "--cmdline" */
};

struct fio_section {
	char *name, *origin;
	struct fio_option
	    *option; /* of [global] above it first, then its own: the last of a name wins */
	size_t options;
	bool waits; /* a file of its own: fio begins it when all before have ended */
};

/* Zero-initialised by `= { 0 }`. */
struct fio_jobs {
	struct fio_section *section;
	size_t sections;
	struct fio_section global; /* as far as read */
	struct strlist problems;
	struct strlist unsupported; /* names of options that stopped the import */
};

/* fio takes every section for [global] whose name begins so. */
bool fio_is_global(const char *section);

/* Add the sections of a job file ("-": stdin), with what it includes. */
void fio_jobs_file(struct fio_jobs *j, const char *path);
/* The same of a text at hand; path is its name and says where includes are looked for. */
void fio_jobs_text(struct fio_jobs *j, const char *path, const char *text, size_t len);
/* Add those of "fio --name=a --rw=read ...", words as a shell would split them. */
void fio_jobs_cmdline(struct fio_jobs *j, const char *line);
void fio_jobs_fini(struct fio_jobs *j);

/* Record "ORIGIN: sentence", fit for a terminal. */
__attribute__((format(printf, 3, 4))) void fio_problem(struct fio_jobs *j, const char *origin,
                                                       const char *fmt, ...);

/* For the readers. A new section takes all of [global]; NULL when there are too many. */
struct fio_section *fio_section_add(struct fio_jobs *j, const char *name, const char *origin);
/* name and value are copied; value NULL: bare. False after a problem: an undefined ${VARIABLE},
 * or text that is not plain. */
bool fio_option_add(struct fio_jobs *j, struct fio_section *s, const struct fio_option *o);
void fio_section_fini(struct fio_section *s);

#endif
