#include "model/world.h"

#include <stdio.h>
#include <string.h>

const char *target_kind_name(enum target_kind kind)
{
	static const char *const name[] = {
		[TARGET_MISSING] = "missing",         [TARGET_FILE] = "file",
		[TARGET_BLOCK] = "block device",      [TARGET_DIRECTORY] = "directory",
		[TARGET_UNUSABLE] = "unusable",       [TARGET_NOT_NEEDED] = "not needed",
		[TARGET_SIMULATED] = "simulated device", [TARGET_SET] = "several targets",
	};

	return name[kind];
}

bool target_same(const struct target_info *a, const struct target_info *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == TARGET_BLOCK)
		return a->major == b->major && a->minor == b->minor;
	if (a->kind == TARGET_FILE || a->kind == TARGET_DIRECTORY)
		return a->dev == b->dev && a->ino == b->ino;
	return *a->path && !strcmp(a->path, b->path);
}

/* Append `name` to a list, unless it is in it; what does not fit is left out. */
static void add_name(char *list, size_t size, const char *name)
{
	size_t len = strlen(list), n = strlen(name);

	for (const char *p = list; n && (p = strstr(p, name)); p += n)
		if ((p == list || p[-1] == ' ') && (!p[n] || p[n] == ','))
			return;
	if (n && len + 2 + n < size)
		(void)snprintf(list + len, size - len, "%s%s", len ? ", " : "", name);
}

void target_join(struct target_info *set, const struct target_info *const *member)
{
	set->device[0] = set->fs[0] = '\0';
	set->rotational = set->unwritten = false;
	for (unsigned i = 0; i < set->members; i++) {
		add_name(set->device, sizeof(set->device), member[i]->device);
		add_name(set->fs, sizeof(set->fs), member[i]->fs);
		set->rotational |= member[i]->rotational;
		set->unwritten |= member[i]->unwritten;
	}
}
