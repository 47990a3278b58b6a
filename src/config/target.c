#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "config/loader.h"

/* A text stands for one or the other. */
#define ALIKE "the name of a file, and a list of targets: write the file as ./..."

/* "host:/export", "nfs://host/export": people write network addresses where a mount point is
 * meant. */
static bool looks_remote(const char *s)
{
	size_t n = strcspn(s, ":/");

	return n && s[n] == ':' && s[n + 1] == '/';
}

bool path_check(struct loader *l, const char *path, const char *text)
{
	if (!*text)
		problem(l, path, "an empty text is no path");
	else if (!text_plain(text))
		problem(l, path, "'%.80s': control characters in a path", text);
	else if (strlen(text) >= PATH_MAX)
		problem(l, path, "'%.80s...': longer than a path can be (%d bytes)", text,
		        PATH_MAX - 1);
	else if (!l->blind && looks_remote(text) && access(text, F_OK))
		problem(l, path,
		        "'%.80s': not a path but a network address; mount it and name the "
		        "mount point or a "
		        "file there",
		        text);
	else
		return true;
	return false;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool read_path(struct loader *l, const char *key, const char *path, const json_t *v,
                      uint64_t *index)
{
	const char *text = json_string_value(v);
	char buf[64];

	if (!text) {
		text = scalar_text(v, false, buf, sizeof(buf));
		problem(l, path, "%.80s%sexpected a path in quotes", text ? text : "",
		        text ? ": " : "");
		return false;
	}
	if (!path_check(l, path, text))
		return false;
	if (!strcmp(key, "directory") && !l->blind && !l->texts_frozen && !is_directory(text)) {
		problem(
		    l, path,
		    "'%.80s': not a directory; it must exist (a file is named by 'filename')",
		    text);
		return false;
	}
	if (!text_index(l, path, &l->sweep->target, text, index))
		return false;
	if (sweep_set(l->sweep, (size_t)*index)) {
		problem(l, path, "'%.80s': " ALIKE, text);
		return false;
	}
	return true;
}

/* A path in a list: not a list itself, and not a second time in this one. */
static bool read_member(struct loader *l, const char *key, const char *path, const json_t *v,
                        struct target_set *set)
{
	uint64_t index;

	if (json_is_array(v)) {
		problem(l, path, "a list inside a list of targets: expected a path in quotes");
		return false;
	}
	if (!read_path(l, key, path, v, &index))
		return false;
	for (unsigned i = 0; i < set->n; i++)
		if (set->member[i] == index && index != TEXT_NONE) {
			problem(l, path, "'%.80s': a second time among targets at once",
			        json_string_value(v));
			return false;
		}
	set->member[set->n++] = (size_t)index;
	return true;
}

static bool read_members(struct loader *l, const char *key, const char *path, const json_t *v,
                         struct target_set *set)
{
	char item_path[CONFIG_PATH];
	bool ok = true;
	json_t *item;
	size_t i;

	json_array_foreach(v, i, item)
	{
		(void)snprintf(item_path, sizeof(item_path), "%s[%zu]", path, i);
		ok = read_member(l, key, item_path, item, set) && ok;
	}
	return ok;
}

/* Before its members: values run in the order in which they are listed. *known: it is there already, or is not to be
 * added. */
static bool list_index(struct loader *l, const char *path, const json_t *v, uint64_t *index,
                       bool *known)
{
	struct sweep *s = l->sweep;
	AUTO(freep) char *text = json_dumps(v, JSON_COMPACT);
	size_t before = s->target.len;

	if (!text || strlen(text) >= PATH_MAX) {
		problem(l, path, "the list of targets is longer than %d bytes", PATH_MAX - 1);
		return false;
	}
	if (!text_index(l, path, &s->target, text, index))
		return false;
	*known = s->target.len == before;
	if (!*known || *index == TEXT_NONE || sweep_set(s, (size_t)*index))
		return true;
	problem(l, path, "'%.80s': " ALIKE, text);
	return false;
}

static bool read_list(struct loader *l, const char *key, const char *path, const json_t *v,
                      uint64_t *index)
{
	struct sweep *s = l->sweep;
	struct target_set set = { 0 };
	bool known;

	if (!list_index(l, path, v, index, &known))
		return false;
	set.target = (size_t)*index;
	if (!read_members(l, key, path, v, &set))
		return false;
	if (known)
		return true;
	s->set = xrealloc(s->set, s->sets + 1, sizeof(*s->set));
	s->set[s->sets++] = set;
	return true;
}

bool target_value(struct loader *l, const char *key, const char *path, const json_t *v,
                  uint64_t *index)
{
	struct target_set alone = { 0 };

	if (!json_is_array(v))
		return read_path(l, key, path, v, index);
	if (json_array_size(v) > 1 && json_array_size(v) <= TARGETS_MAX)
		return read_list(l, key, path, v, index);
	if (json_array_size(v) == 1 && read_members(l, key, path, v, &alone)) {
		*index = alone.member[0];
		return true;
	}
	if (!json_array_size(v))
		problem(l, path, "empty list");
	else if (json_array_size(v) > TARGETS_MAX)
		problem(l, path, "%zu targets at once; at most %d", json_array_size(v),
		        TARGETS_MAX);
	return false;
}
