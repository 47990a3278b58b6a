/* run/users.h: who uses a block device, or a file: found by device numbers, never by names. */
#ifndef RUN_USERS_H
#define RUN_USERS_H

#include <sys/types.h>

#include "base/text.h"

/* The device and all whose use counts as its own: its partitions, the disk that it is a
 * partition of, and, for a loop device, what lies under it or beside it. */
struct users;

struct users *users_new(dev_t dev);
void users_free(struct users *u);

/* Each adds a clause for every use that writing to the device would harm, with what to do about
 * it: "its partition vdb1 is mounted at /srv: unmount it first". */
void users_mounts(const struct users *u,
                  struct strlist *found); /* in any mount namespace that can be seen */
void users_swap(const struct users *u, struct strlist *found);
void users_holders(const struct users *u,
                   struct strlist *found); /* device mapper, md, bcache ... */
void users_loops(const struct users *u, struct strlist *found); /* loop devices over it */
/* Processes but this one and `but` that have it open for writing. */
void users_writers(const struct users *u, pid_t but, struct strlist *found);

/* Files of one file system. */
struct file_set {
	dev_t dev;
	const ino_t *ino;
	size_t n;
};
/* The same for regular files: loop devices over them, swap, processes that write. */
void files_loops(const struct file_set *s, struct strlist *found);
void files_swap(const struct file_set *s, struct strlist *found);
void files_writers(const struct file_set *s, pid_t but, struct strlist *found);

#endif
