/* run/identity.h: is a block device still the one that was looked at? A number is given to
 * another device as soon as it is free; a sequence number never is. */
#ifndef RUN_IDENTITY_H
#define RUN_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Of an open descriptor. Each is false also where the kernel does not tell. */
bool device_renewed(int fd, uint64_t diskseq); /* another one; 0: not known which it was */
bool device_resized(int fd, uint64_t bytes);   /* the size is another */

/* A block device with this number and sequence. dev, diskseq: 0: not known. */
bool device_is(int fd, const struct stat *st, dev_t dev, uint64_t diskseq);

#endif
