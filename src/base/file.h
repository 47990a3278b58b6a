/* base/file.h: whole files. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "base/text.h"

/* Append what is left of `fd`. 0; -EFBIG when that is more than `max` bytes; -errno. */
int file_read_all(struct text *out, int fd, size_t max);
/* The same of the file at `path`, which "-" does not make stdin. */
int file_load(struct text *out, const char *path, size_t max);

/* The file at `path` into `out`, which is not flushed. 0, or -errno with the sentence. */
int file_copy(FILE *out, const char *path, struct err *e);

#endif
