/* run/bounded.h: a call that may block for ever on a device that hangs, made so that it costs
 * its caller a limited time. */
#ifndef RUN_BOUNDED_H
#define RUN_BOUNDED_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Call fn(data) in a child process, with data[0..size) copied there and, when fn has returned,
 * back. Only data comes back: no allocation, no descriptor, no output of the child does. For
 * use before this process has threads. 0; -ETIMEDOUT: it did not return within limit_ns, and is
 * left behind for the kernel to end; -ECHILD: it died; -errno: it could not be started. `data`
 * is untouched then. */
int bounded_call(void (*fn)(void *data), void *data, size_t size, uint64_t limit_ns);
/* The same for lines of text: fn(arg, out) adds to a list in the child, whose lines are added
 * to `out` here (64 KiB of them; what is beyond is left out). */
int bounded_lines(void (*fn)(void *arg, struct strlist *out), void *arg, struct strlist *out,
                  uint64_t limit_ns);
/* The same for a descriptor: fn returns one, or -errno. It is open here then, close-on-exec,
 * with the locks and the claim that the child took on it. Returns it, or -errno as
 * bounded_call() or fn. */
int bounded_open(int (*fn)(void *data), void *data, size_t size, uint64_t limit_ns);

/* The same in steps, for a caller who has other things to do meanwhile. */
struct bounded {
	struct bounded_area *area; /* shared with the child; NULL: none is under way */
	size_t bytes;
	int child, end_fd;
};

/* 0 or -errno. */
int bounded_start(struct bounded *b, void (*fn)(void *data), const void *data, size_t size);
/* Wait at most so long. 0: it returned, and `data` (of the same size) has what it left there;
 * -ECHILD: it died; -ETIMEDOUT: it is still under way. After the first two it is gone. */
int bounded_wait(struct bounded *b, void *data, uint64_t limit_ns);
/* Leave it behind, if it is still under way. */
void bounded_abandon(struct bounded *b);

#endif
