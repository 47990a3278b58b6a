/* cmd/import_files.h: the files that may hold documents of fio. */
#ifndef CMD_IMPORT_FILES_H
#define CMD_IMPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

/* Call fn for PATH, or for each regular file below the directory PATH, by name; links in it are not
 * followed. So is what cannot be looked at, that fn meets the reason. expected: it was named, or its
 * name says that it is JSON. 0, what fn returned, or -errno. */
int import_each_file(const char *path,
                     int (*fn)(void *arg, const char *file, bool expected, struct err *e),
                     void *arg, struct err *e);

/* The whole file; -EFBIG above 1 GiB, or -errno. */
int import_read(struct text *out, const char *path, struct err *e);

#endif
