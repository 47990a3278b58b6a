/* run/written.h: which parts of a file hold data that was really written. */
#ifndef RUN_WRITTEN_H
#define RUN_WRITTEN_H

#include <stdint.h>

/* Call fn for each part of [0, size_bytes) that is a hole, allocated but unwritten, or past the end of the file, in
 * order, until it returns non-zero. Returns that, 0, or -errno. Dirty pages are put on disk first. */
int gaps_each(int fd, uint64_t size_bytes, int (*fn)(void *arg, uint64_t from, uint64_t to), void *arg);

#endif
