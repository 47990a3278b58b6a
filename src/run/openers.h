/* run/openers.h: what other processes have open. */
#ifndef RUN_OPENERS_H
#define RUN_OPENERS_H

#include <stdbool.h>
#include <sys/types.h>

struct opener {
	pid_t pid;
	const char *name; /* of the process, fit for a terminal */
	int fd;           /* there */
	dev_t rdev;       /* block device, or 0: a regular file ... */
	dev_t dev;        /* ... on this file system ... */
	ino_t ino;        /* ... with this number */
};

/* Call fn for every block device and regular file that a process has open other than this one
 * and `but`, as far as processes may be looked at. No file system is waited for. */
void openers_each(pid_t but, void (*fn)(void *arg, const struct opener *o), void *arg);
/* Has it open for writing? */
bool opener_writes(const struct opener *o);

#endif
