/* sink/output.h: a file that appears whole or not at all. */
#ifndef SINK_OUTPUT_H
#define SINK_OUTPUT_H

#include <stdio.h>

#include "base/err.h"

/* Let fn write PATH: into a file beside it, which is fsynced and renamed when fn returns 0.
 * What is no regular file (a pipe, /dev/null) is written as it is. */
int output_file(const char *path, int (*fn)(FILE *out, void *arg, struct err *e), void *arg,
                struct err *e);
/* 0, or -EEXIST: the file is a database of iosweep or belongs to one, and nothing that is
 * written by output_file() or under this name otherwise may take its place. */
int output_check(const char *path, struct err *e);

#endif
