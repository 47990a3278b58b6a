/* fio/job_entry.h: private to fio/: a section of a job file in the words of a config. */
#ifndef FIO_JOB_ENTRY_H
#define FIO_JOB_ENTRY_H

#include <jansson.h>

#include "fio/job_import.h"
#include "model/axis.h"

struct fio_entry {
	const struct fio_section *section; /* borrowed */
	const char *name;        /* of the section, or its name=; borrowed */
	json_t *axis;            /* canonical name -> value, fio's defaults filled in */
	const char *description; /* borrowed, or NULL */
	const char *percentiles; /* its percentile_list; borrowed, or NULL */
	bool timed;              /* loops until runtime */
	bool waits;              /* begins when all before have ended */
};

/* Where fio's defaults are others than ours: values as a config has them. */
#define FIO_DEFAULTS 5
extern const struct fio_default {
	enum axis_id axis;
	const char *value;
} fio_default[FIO_DEFAULTS];

struct fio_context {
	struct fio_jobs *jobs;
	const struct fio_wishes *wishes;
	struct strlist *notes;
};

/* Read a section; what is wrong becomes problems of the jobs. */
void fio_entry_read(const struct fio_context *c, const struct fio_section *s,
                    struct fio_entry *e);

/* job_sweep.c: apply --sweep: axes to every entry; sweep settings to `config`. */
void fio_sweep_apply(const struct fio_context *c, struct fio_entry *entry, size_t n,
                     json_t *config);
/* Is KEY=... a matter of the options of a job that are no axis (stonewall, time_based)? These
 * are read as if they stood last in every section. */
bool fio_sweep_is_option(const char *sweep);

/* job_value.c: the value of an option that is an axis, as a config has it; NULL after a
 * problem. A runtime of 0 comes as 0: no limit. */
json_t *fio_value(const struct fio_context *c, const struct axis *a, const struct fio_option *o,
                  unsigned kb_base);
/* A value as a config has it: numbers are numbers, and what `key` says the other way round
 * (buffered, rwmixwrite) is turned. */
json_t *fio_plain(const struct axis *a, const char *key, const char *text);

/* An option that is no axis: is it how iosweep does it anyway? No: problems of the jobs. */
bool fio_takes_other(const struct fio_context *c, const struct fio_option *o);

/* The path that a job works on: its file, or the directory in which each job has a file; either may be NULL, both are
 * the current directory. True: the name is of several files, and `path` is of no use. */
bool fio_target(const char *filename, const char *directory, struct text *path);

/* Of a job that ran, outside of any import of jobs. An axis as config_value() has it; a runtime of 0 is AXIS_UNSET. False: no
 * value of ours. */
bool fio_value_ran(const struct axis *a, const struct fio_option *o, unsigned kb_base,
                   uint64_t *out, char **text);
/* An option that is no axis: would a job without it be the same here? */
bool fio_makes_no_difference(const struct fio_option *o);

/* config_takes(), where what is wrong becomes a problem of the jobs, once. */
bool fio_takes(const struct fio_context *c, const char *origin, const char *key,
               const json_t *value);

/* Record a note once. */
__attribute__((format(printf, 2, 3))) void fio_note(const struct fio_context *c,
                                                    const char *fmt, ...);

#endif
