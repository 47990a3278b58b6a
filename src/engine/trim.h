/* engine/trim.h: what engines share that have no request for a trim: the ioctl that blocks until it is done. */
#ifndef ENGINE_TRIM_H
#define ENGINE_TRIM_H

#include <errno.h>
#include <linux/fs.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#include "engine/engine.h"

/* Discard the blocks of this I/O. Its length, or as pread(2) -1 with errno: ENOTTY from what is
 * no block device. */
static inline ssize_t trim_now(int fd, const struct io *io)
{
	uint64_t range[2] = { io->offset, io->len };
	int r;

	do
		r = ioctl(fd, BLKDISCARD, range);
	while (r && errno == EINTR);
	return r ? -1 : (ssize_t)io->len;
}

#endif
