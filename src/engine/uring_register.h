/* engine/uring_register.h: buffers and files registered with a ring. Kept from run to run,
 * growing only where nothing limits it; but a run has only what it asked for. */
#ifndef ENGINE_URING_REGISTER_H
#define ENGINE_URING_REGISTER_H

#include <liburing.h>

#include "engine/engine.h"

struct uring_wish {
	bool used;   /* by this run */
	int refused; /* errno of the last attempt; 0: none failed */
};

struct uring_registered {
	struct uring_wish buffers, files;
	uint8_t *arena; /* of engine_env */
	bool limited; /* locked memory is: what one run keeps registered is not there for others
	               */
	uint8_t *mem; /* what is registered begins here ... */
	size_t bytes; /* ... and is so long; 0: nothing is */
	size_t piece; /* ... in pieces of this size */
	unsigned slots; /* of the file table; 0: there is none */
};

void uring_registered_init(struct uring_registered *reg, uint8_t *arena);
/* What the run asks for. Required and not granted: -errno with the reason. */
int uring_register(struct io_uring *ring, struct uring_registered *reg,
                   const struct engine_run *run, struct err *e);
/* The run is over: its files may be closed. */
void uring_unregister(struct io_uring *ring, struct uring_registered *reg);
/* "1", "0", or "0 (why)" when it was asked for and not granted. */
void uring_wish_print(const struct uring_wish *w, char *buf, size_t len);

#endif
