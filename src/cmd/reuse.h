/* cmd/reuse.h: run --reuse: what an earlier sweep has measured of the same combinations, on the
 * same targets of the same machine, is taken over. */
#ifndef CMD_REUSE_H
#define CMD_REUSE_H

#include "cmd/session.h"

struct reuse;

/* Open o->reuse and read what it has, before anything is made: EXIT_OK (*out NULL when there is
 * no such option) or EXIT_INPUT after saying why not. It is only read. */
int reuse_open(struct reuse **out, const struct session *s);
/* Copy what fits into the new store, in one transaction; such rows are final in s->state. Says
 * how many. 0 or -errno. */
int reuse_take(struct reuse *u, struct session *s, struct err *e);
void reuse_close(struct reuse *u);

#endif
