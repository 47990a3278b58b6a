/* sink/store_lock.c: one sweep at a time on one file. */
#include <errno.h>
#include <fcntl.h>

#include "sink/store_private.h"

/* SQLite locks bytes just above 1 GiB and never has a page up here. A lock of the open file
 * description: an ordinary one would go with SQLite's own unlocking of the whole file. */
#define LOCK_BYTE (INT64_C(1) << 60)

static struct flock lock_of(short type)
{
	return (struct flock){
		.l_type = type, .l_whence = SEEK_SET, .l_start = LOCK_BYTE, .l_len = 1
	};
}

int store_lock(struct store *s, struct err *e)
{
	struct flock l = lock_of(F_WRLCK);

	if (!fcntl(s->lock_fd, F_OFD_SETLK, &l))
		return 0;
	if (errno == EACCES || errno == EAGAIN)
		return err_set(e, -EBUSY, "%s: a sweep is running on this database", s->path);
	return err_set(e, -errno, "%s: cannot lock: %s", s->path, err_name(errno));
}

bool store_live(const struct store *s)
{
	struct flock l = lock_of(F_WRLCK);

	return s->writer || (!fcntl(s->lock_fd, F_OFD_GETLK, &l) && l.l_type != F_UNLCK);
}
