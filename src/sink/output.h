/* sink/output.h: a file that appears whole or not at all. */
#ifndef SINK_OUTPUT_H
#define SINK_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

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
/* Each file of this user beside PATH that has the name of a temporary one for it: of a call under way
 * in the process `maker`, or left by one that was killed. fn may remove it. */
void output_each_left(const char *path, void (*fn)(const char *left, pid_t maker));
/* The end of what was written to stdout: `text` ("" for none), and all before it has arrived.
 * before: 0 or the -errno of an earlier write. 0, also when the reader wanted no more, or -errno. */
int output_end(const char *text, int before, struct err *e);
bool output_is_empty(const char *path); /* a file, with nothing in it */
/* Does it begin as a database of iosweep? */
bool output_is_database(const char *path);

#endif
