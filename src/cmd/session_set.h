/* cmd/session_set.h: the targets that a filename value stands for: one, or several at once. */
#ifndef CMD_SESSION_SET_H
#define CMD_SESSION_SET_H

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

#endif
