#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/loader.h"

#define NAME_MAX_LEN 64
#define REPEATS_MAX  1000000

static void *member(struct loader *l, const struct setting *s)
{
	return (char *)l->sweep + s->off;
}

static bool name_char(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-';
}

static bool name_ok(const char *s)
{
	size_t n = strlen(s);

	if (!n || n > NAME_MAX_LEN || !isalnum((unsigned char)*s))
		return false;
	for (; *s; s++)
		if (!name_char(*s))
			return false;
	return true;
}

char *config_default_name(const char *path)
{
	const char *base = path ? strrchr(path, '/') : NULL;
	char *name;
	size_t n;

	base = base ? base + 1 : path;
	if (!base || !strcmp(base, "-"))
		return xstrdup("sweep");
	while (*base && !isalnum((unsigned char)*base))
		base++;
	name = xstrdup(base);
	n = strlen(name);
	if (n > 5 && !strcmp(name + n - 5, ".json"))
		name[n - 5] = '\0';
	else if (n > 4 && !strcmp(name + n - 4, ".fio"))
		name[n - 4] = '\0';
	if (strlen(name) > NAME_MAX_LEN)
		name[NAME_MAX_LEN] = '\0';
	for (char *c = name; *c; c++)
		if (!name_char(*c))
			*c = '-';
	if (*name)
		return name;
	free(name);
	return xstrdup("sweep");
}

static void set_text(struct loader *l, const struct setting *s, const char *key,
                     const json_t *v)
{
	const char *text = json_string_value(v);
	char **to = member(l, s);

	if (!text) {
		problem(l, key, "expected text in quotes");
		return;
	}
	if (s->kind == SETTING_NAME && !name_ok(text)) {
		problem(l, key,
		        "'%.80s': it becomes a file name; allowed: letters, digits, '.', '_', "
		        "'-', beginning with "
		        "a letter or digit, at most %d",
		        text, NAME_MAX_LEN);
		return;
	}
	if (s->nonzero && !text[strspn(text, " \t\r\n")]) {
		problem(l, key, "empty expression");
		return;
	}
	free(*to);
	*to = xstrdup(text);
}

const char *plain_value(struct loader *l, const struct setting *s, const char *key,
                        const json_t *v, char buf[64])
{
	const char *text = scalar_text(v, s->kind == SETTING_TIME || s->kind == SETTING_SENTINELS, buf, 64);

	if (!text)
		problem(l, key, "%s; allowed: %s",
		        json_is_null(v) ? "null is no value" : "an object is no value",
		        s->value);
	return text;
}

static void set_number(struct loader *l, const struct setting *s, const char *key,
                       const json_t *v)
{
	char buf[64];
	const char *text = plain_value(l, s, key, v, buf);
	uint64_t *to = member(l, s), value = 0;
	int r;

	if (!text)
		return;
	r = s->kind == SETTING_TIME   ? parse_time(text, &value)
	    : s->kind == SETTING_SIZE ? parse_size(text, &value)
	                              : parse_u64(text, &value);
	if (!r && s->kind == SETTING_SIZE && s->nonzero && !value)
		r = -ERANGE;
	if (!r && s->kind == SETTING_COUNT && (value < 1 || value > REPEATS_MAX))
		r = -ERANGE;
	if (!r && s->kind == SETTING_TIME && (value > MAX_TIME_NS || (s->nonzero && !value)))
		r = -ERANGE;
	if (r)
		problem(l, key, "'%.80s': not a valid value; allowed: %s", text, s->value);
	else
		*to = value;
}

static void set_bool(struct loader *l, const struct setting *s, const char *key,
                     const json_t *v)
{
	char buf[64];
	const char *text = plain_value(l, s, key, v, buf);
	bool *to = member(l, s);

	if (text && !scalar_bool(v, to))
		problem(l, key, "'%.80s': not a valid value; allowed: %s", text, s->value);
}

static void set_order(struct loader *l, const struct setting *s, const char *key,
                      const json_t *v)
{
	static const char *const name[] = {
		[ORDER_SPREAD] = "spread", [ORDER_LISTED] = "listed", [ORDER_RANDOM] = "random"
	};
	char buf[64];
	const char *text = plain_value(l, s, key, v, buf), *near;

	if (!text)
		return;
	for (unsigned i = 0; i < 3; i++)
		if (!strcmp(text, name[i])) {
			l->sweep->order = (enum order)i;
			return;
		}
	near = nearest_name(text, name, 3);
	problem(l, key, "'%.80s': not a valid value; allowed: %s%s%s%s", text, s->value,
	        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void set_benchmark(struct loader *l, const struct setting *s, const char *key,
                          const json_t *v)
{
	enum benchmark was = l->benchmark;
	char buf[64];
	const char *text = plain_value(l, s, key, v, buf);
	bool timed, is_alias = s->alias && !strcmp(key, s->alias);

	if (!text)
		return;
	if (is_alias && !scalar_bool(v, &timed)) {
		problem(l, key, "'%.80s': not a valid value; allowed: 0, 1, true or false",
		        text);
		return;
	}
	if (!is_alias && strcmp(text, "time") != 0 && strcmp(text, "size") != 0) {
		problem(l, key,
		        "'%.80s': unknown benchmark type; known: time (loop until runtime), "
		        "size (one full pass)",
		        text);
		return;
	}
	if (!is_alias)
		timed = !strcmp(text, "time");
	l->benchmark = timed ? BENCHMARK_TIME : BENCHMARK_SIZE;
	if (was != BENCHMARK_UNSET && was != l->benchmark)
		problem(l, key,
		        "'%s' contradicts the other of benchmark_type and time_based; give one "
		        "of them",
		        text);
}

static void set_tags(struct loader *l, const char *key, json_t *v)
{
	struct sweep *s = l->sweep;
	const char *name;
	json_t *value;

	if (!json_is_object(v)) {
		problem(l, key, "expected an object of text: {\"key\": \"value\"}");
		return;
	}
	s->tag = xcalloc(json_object_size(v), sizeof(*s->tag));
	json_object_foreach(v, name, value)
	{
		if (!json_is_string(value))
			problem(l, key, "'%.80s': expected text in quotes", name);
		else if (!*name || !text_plain(name) || !text_plain(json_string_value(value)))
			problem(l, key, "'%.80s': empty name, or control characters", name);
		else
			s->tag[s->tags++] =
			    (struct tag){ xstrdup(name), xstrdup(json_string_value(value)) };
	}
}

static void add_path(struct loader *l, const char *path, const json_t *v)
{
	const char *text = json_string_value(v);

	if (!text)
		problem(l, path, "expected a path in quotes");
	else if (path_check(l, path, text) && !strlist_has(&l->sweep->may_overwrite, text))
		strlist_add(&l->sweep->may_overwrite, text);
}

static void set_paths(struct loader *l, const char *key, const json_t *v)
{
	json_t *item;
	size_t i;

	if (!json_is_array(v))
		add_path(l, key, v);
	if (json_array_size(v) > CONFIG_MAX_ENTRIES) {
		problem(l, key, "more than %d paths", CONFIG_MAX_ENTRIES);
		return;
	}
	json_array_foreach(v, i, item)
	{
		AUTO(text_fini) struct text path = { 0 };

		text_addf(&path, "%s[%zu]", key, i);
		add_path(l, text_get(&path), item);
	}
}

void setting_apply(struct loader *l, const struct setting *s, const char *key, const json_t *v)
{
	bool lists = s->kind == SETTING_PATHS || s->kind == SETTING_EXCLUDE ||
	             s->kind == SETTING_INCLUDE || s->kind == SETTING_PERCENTILES;

	l->benchmark_given |= s->kind == SETTING_BENCHMARK;
	if (json_is_array(v) && !lists) {
		problem(l, key, "a sweep setting takes one value, never a list; allowed: %s",
		        s->value);
		return;
	}
	switch (s->kind) {
	case SETTING_BENCHMARK:
		set_benchmark(l, s, key, v);
		break;
	case SETTING_NAME:
	case SETTING_TEXT:
		set_text(l, s, key, v);
		break;
	case SETTING_TAGS:
		set_tags(l, key, (json_t *)(uintptr_t)v);
		break;
	case SETTING_COUNT:
	case SETTING_SEED:
	case SETTING_TIME:
	case SETTING_SIZE:
		set_number(l, s, key, v);
		break;
	case SETTING_ORDER:
		set_order(l, s, key, v);
		break;
	case SETTING_BOOL:
		set_bool(l, s, key, v);
		break;
	case SETTING_SENTINELS:
		set_sentinels(l, s, key, v);
		break;
	case SETTING_PRECISION:
		set_precision(l, s, key, v);
		break;
	case SETTING_PERCENTILES:
		set_percentiles(l, s, key, v);
		break;
	case SETTING_PATHS:
		set_paths(l, key, v);
		break;
	case SETTING_PRECONDITION:
		precondition_read(l, key, v);
		break;
	case SETTING_EXCLUDE:
	case SETTING_INCLUDE:
		break; /* read by partials_read(), once every axis is known */
	}
}
