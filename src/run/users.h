/* run/users.h: who uses a block device, or a file as one: found by device numbers, never by
 * names. */
#ifndef RUN_USERS_H
#define RUN_USERS_H

#include <sys/types.h>

#include "base/text.h"

/* Add a clause for every use of the device that writing to it would harm, with what to do about
 * it: "its partition vdb1 is mounted at /srv: unmount it first". Looks at the device, its
 * partitions, the disk that it is a partition of, what lies under it or beside it when it is a
 * loop device, swap, holders, and loop devices over any of them. */
void device_users(dev_t dev, struct strlist *found);
/* The same for a regular file: loop devices over it, and swap. */
void file_users(dev_t dev, ino_t ino, struct strlist *found);

#endif
