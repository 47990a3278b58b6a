#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/loader.h"

#define SHAPE "sizes per direction are {\"read\": SIZE, \"write\": SIZE, \"trim\": SIZE}"

static const char *const direction[SIZES_COUNT] = { "read", "write", "trim" };

static bool known(const char *key)
{
	for (size_t i = 0; i < SIZES_COUNT; i++)
		if (!strcmp(key, direction[i]))
			return true;
	return false;
}

/* As in fio: a direction that is left out is as the one before, reads as by default. */
static bool read_size(struct loader *l, const struct range_place *at, const json_t *v, size_t d,
                      uint64_t size[SIZES_COUNT])
{
	const json_t *member = json_object_get(v, direction[d]);
	struct err e = { 0 };
	char buf[64];
	const char *text;

	size[d] = d ? size[d - 1] : axis_default(at->axis);
	if (!member)
		return true;
	text = scalar_text(member, false, buf, sizeof(buf));
	if (!text || axis_parse(at->axis, at->axis->name, text, &size[d], &e)) {
		problem(l, at->path, "%s: %s", direction[d], text ? e.text : "expected a size");
		return false;
	}
	return true;
}

bool sizes_read(struct loader *l, const struct range_place *at, const json_t *v,
                struct axis_values *out)
{
	char text[128], canonical[128];
	uint64_t size[SIZES_COUNT], index;
	const char *key;
	json_t *member;
	bool any = false;

	json_object_foreach((json_t *)(uintptr_t)v, key, member)
		any |= known(key);
	if (!any)
		return false;
	json_object_foreach((json_t *)(uintptr_t)v, key, member)
	{
		if (known(key))
			continue;
		problem(l, at->path, "unknown member '%.80s'; " SHAPE, key);
		return true;
	}
	for (size_t d = 0; d < SIZES_COUNT; d++)
		if (!read_size(l, at, v, d, size))
			return true;
	(void)snprintf(text, sizeof(text), "%" PRIu64 ",%" PRIu64 ",%" PRIu64, size[0], size[1],
	               size[2]);
	if (size_mix_canonical(text, canonical, sizeof(canonical), NULL))
		return true;
	if (!strchr(canonical, ','))
		values_push(out, size[0]); /* one size */
	else if (text_index(l, at->path, &l->sweep->text[AXIS_bssplit], canonical, &index))
		values_push(out, BS_MIX | index);
	return true;
}
