#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/loader.h"

#define LABEL_MAX 100

static void read_label(struct loader *l, const char *path, const json_t *v, struct partial *p)
{
	const char *text = json_string_value(v);

	if (!text || !*text || strlen(text) > LABEL_MAX || !text_plain(text))
		problem(l, path,
		        "expected a text of 1 to %d characters, without control characters",
		        LABEL_MAX);
	else
		p->label = xstrdup(text);
}

static void read_key(struct loader *l, const char *path, const char *key, const json_t *v,
                     struct partial *p, const char *used[AXIS_COUNT])
{
	const struct axis *a = axis_find(key);

	if (setting_find(key)) {
		problem(l, path, "a sweep setting, not an axis: it holds for the whole sweep");
		return;
	}
	if (!a) {
		other_key(l, path, key, v);
		return;
	}
	if (used[a - axes]) {
		problem(l, path, "the same option as '%s'; give one of them", used[a - axes]);
		return;
	}
	used[a - axes] = key;
	values_read(l, a, key, path, v, &p->axis[a - axes]);
}

static void read_entry(struct loader *l, const char *path, json_t *entry, bool include,
                       struct partial *p)
{
	const char *used[AXIS_COUNT] = { 0 }, *key;
	char key_path[CONFIG_PATH];
	json_t *v;
	char *text;

	if (!json_is_object(entry) || !json_object_size(entry)) {
		problem(l, path,
		        "expected an object that names at least one axis, such as {\"bs\": "
		        "[\"4k\", \"8k\"]}");
		return;
	}
	text = json_dumps(entry, JSON_COMPACT | JSON_REAL_PRECISION(15));
	if (text)
		p->text = text;
	json_object_foreach(entry, key, v)
	{
		(void)snprintf(key_path, sizeof(key_path), "%s.%s", path, key);
		if (include && !strcmp(key, "name"))
			read_label(l, key_path, v, p);
		else
			read_key(l, key_path, key, v, p, used);
	}
}

static void read_list(struct loader *l, enum setting_kind kind, struct partial **out, size_t *n)
{
	const char *key = kind == SETTING_INCLUDE ? "include" : "exclude";
	json_t *list = json_object_get(l->root, key), *entry;
	char path[64];
	size_t i;

	if (!list)
		return;
	l->origin = strlist_has(&l->from_set, key) ? "--set" : l->file;
	if (!json_is_array(list)) {
		problem(l, key,
		        "expected a list of objects, such as [{\"bs\": \"4k\", \"numjobs\": "
		        "[8, 16]}]");
		return;
	}
	if (json_array_size(list) > CONFIG_MAX_ENTRIES) {
		problem(l, key, "more than %d entries", CONFIG_MAX_ENTRIES);
		return;
	}
	*n = json_array_size(list);
	*out = xcalloc(*n, sizeof(**out));
	json_array_foreach(list, i, entry)
	{
		(void)snprintf(path, sizeof(path), "%s[%zu]", key, i);
		read_entry(l, path, entry, kind == SETTING_INCLUDE, &(*out)[i]);
	}
}

void partials_read(struct loader *l)
{
	read_list(l, SETTING_INCLUDE, &l->sweep->include, &l->sweep->includes);
	l->texts_frozen = true;
	read_list(l, SETTING_EXCLUDE, &l->sweep->exclude, &l->sweep->excludes);
	l->texts_frozen = false;
}
