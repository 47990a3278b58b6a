/* tests/support/scratch.h: a scratch directory per test, removed however the test ends, and
 * block devices of its own. Nothing here touches a device that the test did not make. */
#ifndef SUPPORT_SCRATCH_H
#define SUPPORT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka setup and teardown: enters a new directory, and later undoes every mount below it and
 * removes it. */
int scratch_enter(void **state);
int scratch_leave(void **state);
const char *scratch_dir(void); /* absolute, resolved */

/* A file of `size` bytes: sparse, or really written with text. */
void scratch_sparse(const char *name, uint64_t size);
void scratch_write(const char *name, uint64_t size);
uint64_t scratch_hash(const char *name); /* of all its bytes */

/* A loop device over a file or a device; it goes when its fd is closed (scratch_leave does).
 * Its node's path in `node`. False: not possible here (the test should skip). */
bool scratch_loop(char *node, size_t size, const char *backing);
/* Run a program, output discarded; its exit code, 127 when there is none. Arguments end with
 * NULL. */
int scratch_run(const char *program, ...);
/* Mount `device` at the new directory `name`. */
bool scratch_mount(const char *device, const char *name);

#endif
