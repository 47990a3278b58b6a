#include "cmd/session_set.h"

const struct session_target *session_target_of(const struct session *s, size_t target)
{
	const struct session_target *of = session_member(s, target, 0);

	for (unsigned k = 1; k < session_members(s, target); k++) {
		const struct session_target *t = session_member(s, target, k);

		if (of->state != TARGET_FAILED && t->state != TARGET_READY)
			of = t;
	}
	return of;
}

void session_target_refresh(struct session *s, size_t target)
{
	const struct target_info *member[TARGETS_MAX];

	if (s->prepared->world.target[target].kind != TARGET_SET)
		return;
	for (unsigned k = 0; k < session_members(s, target); k++)
		member[k] = &session_member(s, target, k)->info;
	target_join(&s->target[target].info, member);
}

uint64_t session_layout_bytes(const struct session *s, size_t target)
{
	uint64_t bytes = 0;

	for (unsigned k = 0; k < session_members(s, target); k++)
		if (session_member(s, target, k)->state == TARGET_NEW)
			bytes += s->prepared
			             ->layout_of[world_member(&s->prepared->world, target, k)];
	return bytes;
}
