/* cmd/streak.h: failures in a row of one errno on one (target, engine). After three of them,
 * what is left of its rows is given up: a device that is gone must not cost the night one
 * timeout per row. */
#ifndef CMD_STREAK_H
#define CMD_STREAK_H

#include "cmd/session.h"

/* Count this outcome; says so, once, when it is the last that was waited for. */
void streak_note(struct session *s, const struct record *r);
/* Is the (target, engine) of this job given up? Then the sentence for its row is in text, and
 * its errno is returned; else 0. */
int streak_over(const struct session *s, const struct job *job, char *text, size_t size);

#endif
