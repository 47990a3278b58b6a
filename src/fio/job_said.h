/* fio/job_said.h: what iosweep says in the description of a job that it writes: axes that no
 * option of fio says, or says otherwise. "iosweep: profile=max size=1048576". */
#ifndef FIO_JOB_SAID_H
#define FIO_JOB_SAID_H

#include <stdbool.h>

#include "base/text.h"

#define FIO_SAID "iosweep:"

/* The files of a directory, by filename_format: those that iosweep makes there. */
#define FIO_IN_DIRECTORY "iosweep.$jobnum.dat"

/* Append " name=value"; value is encoded as in the canonical text of a combination. */
void fio_said_add(struct text *out, const char *name, const char *value);

/* Is this such a description? NULL is none. */
bool fio_said(const char *description);
/* Call fn for each axis that there is in "name=value ...", as in the canonical text of a combination;
 * its texts are gone after the call. */
void fio_said_words(const char *words,
                    void (*fn)(void *arg, const char *name, const char *value), void *arg);
/* The same for those of such a description. */
void fio_said_each(const char *description,
                   void (*fn)(void *arg, const char *name, const char *value), void *arg);

#endif
