#include "plan/seen.h"

#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"

uint32_t seen_hash(const struct job *effective)
{
	uint64_t h = 0;

	for (size_t a = 0; a < AXIS_COUNT; a++) {
		h ^= axis_value(&axes[a], effective);
		h = rng_splitmix(&h);
	}
	return (uint32_t)(h >> 32);
}

static void put(struct seen *s, uint64_t entry)
{
	size_t at = (size_t)(entry >> 32) & (s->size - 1);

	while (s->slot[at])
		at = (at + 1) & (s->size - 1);
	s->slot[at] = entry;
}

static void grow(struct seen *s)
{
	struct seen old = *s;

	s->size = old.size ? old.size * 2 : 1024;
	s->slot = xcalloc(s->size, sizeof(*s->slot));
	for (size_t i = 0; i < old.size; i++)
		if (old.slot[i])
			put(s, old.slot[i]);
	free(old.slot);
}

int64_t seen_add(struct seen *s, uint32_t hash, uint64_t combination, seen_same *same,
                 void *arg)
{
	if (s->used * 3 >= s->size * 2)
		grow(s);
	for (size_t at = hash & (s->size - 1); s->slot[at]; at = (at + 1) & (s->size - 1)) {
		uint64_t there = (s->slot[at] & UINT32_MAX) - 1;

		if (s->slot[at] >> 32 == hash && same(arg, there))
			return (int64_t)there;
	}
	put(s, (uint64_t)hash << 32 | (combination + 1));
	s->used++;
	return -1;
}

void seen_fini(struct seen *s)
{
	free(s->slot);
	*s = (struct seen){ 0 };
}
