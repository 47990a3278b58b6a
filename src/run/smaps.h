/* run/smaps.h: what the kernel says of this process's memory. */
#ifndef RUN_SMAPS_H
#define RUN_SMAPS_H

#include <stddef.h>

/* Bytes of huge pages in the mappings that overlap [from, from + len), at most len; 0 also when
 * the kernel does not say. */
size_t smaps_huge_bytes(const void *from, size_t len);

#endif
