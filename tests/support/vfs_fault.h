/* tests/support/vfs_fault.h: SQLite's file system with one call that fails: the n-th of those
 * that open, write, sync, truncate, delete or lock. */
#ifndef SUPPORT_VFS_FAULT_H
#define SUPPORT_VFS_FAULT_H

#include <stdbool.h>

struct vfs_fault {
	unsigned fail_at; /* the n-th call from 1 ...; 0: none */
	unsigned fails;   /* ... and so many in a row (0: one) */
	int code;         /* with this: SQLITE_IOERR, SQLITE_FULL, SQLITE_BUSY */
	unsigned calls;   /* counted */
};

/* The default for every connection opened from now on; acts on *f until the next call. NULL:
 * the plain one again. */
void vfs_fault_install(struct vfs_fault *f);

#endif
