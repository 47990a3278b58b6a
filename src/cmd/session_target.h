/* cmd/session_target.h: the targets of a sweep under way. */
#ifndef CMD_SESSION_TARGET_H
#define CMD_SESSION_TARGET_H

#include "cmd/session.h"

/* Create what is missing, lay it out, fill it if the config asks; hold it. Sets the state,
 * error and text of the target, or of all of several that are new. Leaves it TARGET_NEW when
 * the sweep is to stop. */
void session_target_make(struct session *s, size_t index);
/* Remove every file that this sweep made. */
void session_targets_remove(struct session *s);

#endif
