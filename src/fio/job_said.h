/* fio/job_said.h: what iosweep says in the description of a job that it writes: axes that no
 * option of fio says, or says otherwise. "iosweep: profile=max size=50%25=1048576=1048576". */
#ifndef FIO_JOB_SAID_H
#define FIO_JOB_SAID_H

#include <stdbool.h>

#include "base/text.h"
#include "model/axis.h"

#define FIO_SAID "iosweep:"

/* The files of a directory, by filename_format: those that iosweep makes there. */
#define FIO_IN_DIRECTORY "iosweep.$jobnum.dat"

/* A word of it: AXIS=CONFIGURED[[=VALUE]=OPTION], each part encoded as in the canonical text of a
 * combination. */
struct fio_said {
	const struct axis *axis;
	const char *configured; /* as the key of the combination has it; "": not given */
	const char *value;      /* what that came to; NULL: the same */
	const char *option;     /* what the option of that name says, where it says otherwise */
};

/* The job that a description stands in. */
struct fio_said_job {
	/* The text of one of its options; NULL: it has none of that name. */
	const char *(*option)(const void *arg, const char *name);
	const void *arg;
};

/* Takes a word; its texts are gone after the call. `holds`: the job still is what iosweep wrote.
 * A word about an option that has been changed since does not hold, and what says where the I/Os
 * go (filename, size, offset) does all together, or not at all. */
typedef void fio_said_fn(void *arg, const struct fio_said *s, bool holds);

/* Does the axis say where the I/Os go? */
bool fio_of_region(const struct axis *a);

/* Append a word. */
void fio_said_add(struct text *out, const struct fio_said *s);

/* Is this such a description? NULL is none. */
bool fio_said(const char *description);
void fio_said_each(const char *description, const struct fio_said_job *job, fio_said_fn *fn,
                   void *arg);

/* The value of an axis in the canonical text of a combination: "" when it is not named. The
 * caller's. */
char *fio_key_value(const char *key_text, const struct axis *a);

#endif
