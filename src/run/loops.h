/* run/loops.h: loop devices in use and what backs them. */
#ifndef RUN_LOOPS_H
#define RUN_LOOPS_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct loop_device {
	dev_t dev;
	char name[32];
	dev_t file_dev, device; /* what backs it: a file (with ino) or a device (not 0) */
	ino_t file_ino;         /* 0: unknown */
	char backing[PATH_MAX];
};

/* Call fn for every loop device in use. near: the file system of a file that is asked about,
 * the only one that may be waited for; 0: none. */
void loops_each(dev_t near, void (*fn)(void *arg, const struct loop_device *l), void *arg);
/* Are they over the same file? */
bool loops_same_file(const struct loop_device *a, const struct loop_device *b);

#endif
