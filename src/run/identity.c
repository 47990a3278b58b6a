#include "run/identity.h"

#include <linux/fs.h>
#include <sys/ioctl.h>

bool device_renewed(int fd, uint64_t diskseq)
{
	uint64_t now = 0;

	return diskseq && !ioctl(fd, BLKGETDISKSEQ, &now) && now != diskseq;
}

bool device_resized(int fd, uint64_t bytes)
{
	uint64_t now = 0;

	return !ioctl(fd, BLKGETSIZE64, &now) && now != bytes;
}

bool device_is(int fd, const struct stat *st, dev_t dev, uint64_t diskseq)
{
	return S_ISBLK(st->st_mode) && (!dev || st->st_rdev == dev) &&
	       !device_renewed(fd, diskseq);
}
