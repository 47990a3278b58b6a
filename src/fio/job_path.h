/* fio/job_path.h: paths of a combination, as fio takes them. */
#ifndef FIO_JOB_PATH_H
#define FIO_JOB_PATH_H

#include "base/text.h"

/* Append a path as the options filename and directory have it: ':' divides several there. */
void fio_path(struct text *out, const char *path);
/* Add each of the targets that a filename names: itself, or those that are worked on at once. What is no list
 * of texts names none. */
void fio_paths(struct strlist *out, const char *filename);

#endif
