/* cmd/written.h: how much a sweep has written to each of its targets: a device that is full, or
 * whose cache is, is another device. */
#ifndef CMD_WRITTEN_H
#define CMD_WRITTEN_H

#include "cmd/outcome.h"

/* What earlier calls of this sweep wrote, as far as the store knows it. */
void written_begin(struct session *s);
/* A run has ended and its outcome is judged; done: with all its counters. What was written to
 * its target before goes into its sample. */
void written_run(struct session *s, struct outcome *o, bool done);

#endif
