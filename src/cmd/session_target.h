/* cmd/session_target.h: the targets of a sweep under way. */
#ifndef CMD_SESSION_TARGET_H
#define CMD_SESSION_TARGET_H

#include "cmd/session.h"

/* How many targets filename value `target` stands for, and which they are. */
static inline unsigned session_members(const struct session *s, size_t target)
{
	return target_members(&s->prepared->world.target[target]);
}
static inline struct session_target *session_member(const struct session *s, size_t target,
                                                    unsigned k)
{
	return &s->target[world_member(&s->prepared->world, target, k)];
}
/* The one of them that the state of all depends on: a failed one, else a new one. */
const struct session_target *session_target_of(const struct session *s, size_t target);
/* What several show of their members, as these are now. */
void session_target_refresh(struct session *s, size_t target);
/* To be written before it can be used, to all of them together that are new. */
uint64_t session_layout_bytes(const struct session *s, size_t target);

/* Create what is missing, lay it out, fill it if the config asks; hold it. Sets the state,
 * error and text of the target, or of all of several that are new. Leaves it TARGET_NEW when the sweep is to stop. */
void session_target_make(struct session *s, size_t index);
/* Remove every file that this sweep made. */
void session_targets_remove(struct session *s);

#endif
