/* sink/output.h: a file that appears whole or not at all. */
#ifndef SINK_OUTPUT_H
#define SINK_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/* Let fn write PATH: into a file beside it, which is fsynced and renamed when fn returns 0.
 * What is no regular file (a pipe, /dev/null) is written as it is. */
int output_file(const char *path, int (*fn)(FILE *out, void *arg, struct err *e), void *arg,
                struct err *e);
/* 0, or -EEXIST: the file is a database of iosweep or belongs to one, and nothing that is
 * written by output_file() or under this name otherwise may take its place. */
int output_check(const char *path, struct err *e);
/* Make an empty file of this user alone in TMPDIR (or /tmp), whose name ends in `ending` ("" for none). Its descriptor, and the
 * name in *path, which the caller frees; the caller unlinks it. Negative: *path is NULL. */
int output_temporary(char **path, const char *ending, struct err *e);
/* Remove what calls of output_file() for PATH that were killed left beside it: empty files of this
 * user, and those that `ours` knows. For a caller who is the only one to write PATH. */
void output_tidy(const char *path, bool (*ours)(const char *path));

#endif
