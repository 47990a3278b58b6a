/* engine/uring_ring.h: rings as this kernel grants them. */
#ifndef ENGINE_URING_RING_H
#define ENGINE_URING_RING_H

#include <liburing.h>
#include <stddef.h>

#include "base/err.h"

/* Set a ring up with the best flags that the kernel knows. `asked` are those that the caller
 * must have; *flags are all that it took. 0 or -errno. */
int uring_init(struct io_uring *ring, unsigned entries, unsigned asked, unsigned *flags);
/* Returns r, of uring_init(), with its true reason in e. */
int uring_explain(int r, struct err *e);
/* As in struct engine_ops. */
int uring_probe(struct err *e);
/* "submit_all,coop_taskrun", or "none". */
void uring_flags(unsigned flags, char *buf, size_t len);

#endif
