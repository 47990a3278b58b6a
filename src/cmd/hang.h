/* cmd/hang.h: targets that stopped answering. After a run on one timed out, it is asked before
 * the next. While it does not answer its runs are put off, to when it does or to the end of the
 * sweep; there they wait for it once more, and are skipped then. */
#ifndef CMD_HANG_H
#define CMD_HANG_H

#include "cmd/outcome.h"

/* The outcome of a run, to be looked at before the next. */
void hang_note(struct session *s, const struct outcome *o);
/* Did a run on this target, or on one of several at once, time out? */
bool hang_suspected(const struct session *s, size_t target);
/* Can this target, or all of several, be used now? `last`: nothing else is left to do, so wait for it. Ends early
 * when the sweep is to stop. */
bool hang_answers(struct session *s, size_t target, bool last);
/* "/dev/sdb does not answer since 02:13:05 CET" into buf, which is returned; of several targets the first
 * that does not. */
const char *hang_text(const struct session *s, size_t target, char *buf, size_t size);
void hang_fini(struct session *s);

#endif
