/* cmd/session_target.h: the targets of a sweep under way. */
#ifndef CMD_SESSION_TARGET_H
#define CMD_SESSION_TARGET_H

#include "cmd/session.h"

/* Do the task in shared memory, watched, with the screen and signals served. It may show no
 * progress for stall_ns (session_task: the config's stall_timeout). */
enum task_end session_task_within(struct session *s, uint64_t stall_ns, uint64_t limit_ns,
                                  struct err *e);
enum task_end session_task(struct session *s, uint64_t limit_ns, struct err *e);

/* Create what is missing, lay it out, fill it if the config asks; hold it. Sets the state,
 * error and text of the target. Leaves it TARGET_NEW when a signal came. */
void session_target_make(struct session *s, size_t index);
/* Remove every file that this sweep made. */
void session_targets_remove(struct session *s);

#endif
