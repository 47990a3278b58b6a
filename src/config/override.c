#include <string.h>

#include "base/cleanup.h"
#include "config/loader.h"

/* Values of these are one text, commas and all. */
static bool taken_whole(const char *key)
{
	const struct axis *a = axis_find(key);
	const struct setting *s = setting_find(key);

	return (a && a->kind == AXIS_TEXT && !a->no_commas) ||
	       (s && (s->kind == SETTING_NAME || s->kind == SETTING_TEXT));
}

/* Blanks around a comma are no part of a value. */
static json_t *split(const char *text)
{
	json_t *list = json_array(), *one;

	for (const char *p = text;; p++) {
		const char *from = p == text ? p : p + strspn(p, " ");
		size_t n = strcspn(p, ","), len = n - (size_t)(from - p);

		while (p[n] && len && from[len - 1] == ' ')
			len--;
		if (json_array_append_new(list, json_stringn(from, len)))
			break;
		p += n;
		if (!*p)
			break;
	}
	if (json_array_size(list) != 1)
		return list;
	one = json_incref(json_array_get(list, 0));
	json_decref(list);
	return one;
}

/* Parse as a document of its own: same limits and words as the config, positions within the
 * value. */
static json_t *parse_json(struct loader *l, const char *set, const char *text)
{
	AUTO(text_fini) struct text where = { 0 };
	json_t *v;

	text_addf(&where, "--set %.*s", (int)strcspn(set, "="), set);
	l->origin = text_get(&where);
	v = config_parse(l, text, strlen(text));
	l->origin = l->file;
	return v;
}

static json_t *parse_value(struct loader *l, const char *set, const char *key, const char *text)
{
	size_t len = strlen(text);

	l->origin = "--set";
	if (!config_check_encoding(l, text, &len))
		return NULL;
	if (strchr("[{\"", *text) && *text)
		return parse_json(l, set, text);
	return taken_whole(key) ? json_string(text) : split(text);
}

/* A copy of l->root where value stands in the place of the first key that means the same as
 * `key`, and the others of that meaning are gone. */
static json_t *with_key(const struct loader *l, const char *key, json_t *value)
{
	json_t *copy = json_object(), *v;
	const char *k;
	bool placed = false;

	json_object_foreach(l->root, k, v)
	{
		if (!same_option(k, key)) {
			(void)json_object_set(copy, k, v);
			continue;
		}
		if (!placed)
			(void)json_object_set(copy, key, value);
		placed = true;
	}
	if (!placed)
		(void)json_object_set(copy, key, value);
	return copy;
}

static void override_one(struct loader *l, const char *set)
{
	const char *equals = strchr(set, '=');
	AUTO(freep) char *key = NULL;
	json_t *value, *root;

	if (!equals || equals == set) {
		l->origin = "--set";
		problem(l, NULL, "'%.80s': expected KEY=VALUE", set);
		return;
	}
	key = xstrdup(set);
	key[equals - set] = '\0';
	value = parse_value(l, set, key, equals + 1);
	if (!value)
		return;
	root = with_key(l, key, value);
	json_decref(value);
	json_decref(l->root);
	l->root = root;
	strlist_add(&l->from_set, key);
}

void override_all(struct loader *l, const struct strlist *sets)
{
	for (size_t i = 0; sets && i < sets->len; i++)
		override_one(l, sets->item[i]);
	l->origin = l->file;
}
