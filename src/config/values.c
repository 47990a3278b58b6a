#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/loader.h"

void values_push(struct axis_values *out, uint64_t value)
{
	/* room doubles at each power of two */
	if (!(out->len & (out->len - 1)))
		out->val = xrealloc(out->val, out->len ? 2 * out->len : 1, sizeof(*out->val));
	out->val[out->len++] = value;
}

/* "1,2,4" is meant as a list: say how to write it. */
static void comma_hint(struct loader *l, const struct axis *a, const char *path,
                       const char *text)
{
	const char *quote =
	    a->kind == AXIS_INT || a->kind == AXIS_BOOL || a->kind == AXIS_PERCENT ? "" : "\"";
	AUTO(text_fini) struct text list = { 0 };

	for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',') {
		const char *from = p + strspn(p, " ");
		int n = (int)strcspn(from, ",");

		while (n && from[n - 1] == ' ')
			n--;
		text_addf(&list, "%s%s%.*s%s", list.len ? "," : "", quote, n, from, quote);
	}
	problem(l, path, "'%.80s': a comma list in a string is not a list; write [%.120s]",
	        text, text_get(&list));
}

static void parse_text(struct loader *l, const struct axis *a, const char *key,
                       const char *path, const char *text, struct axis_values *out)
{
	struct err e = { 0 };
	char hint[128];
	uint64_t value;

	if (!axis_parse(a, key, text, &value, &e)) {
		values_push(out, value);
		return;
	}
	if (strchr(text, ',') && !a->directions) {
		comma_hint(l, a, path, text);
		return;
	}
	if (value_not_supported(a, text)) {
		char allowed[256];

		axis_allowed(a, allowed, sizeof(allowed));
		problem(l, path, "'%s': not supported yet; allowed: %s", text, allowed);
		return;
	}
	suggest_value(a, text, hint, sizeof(hint));
	problem(l, path, "%s%s", e.text, hint);
}

static void no_value(struct loader *l, const struct axis *a, const char *path, const json_t *v)
{
	char allowed[256];
	uint64_t value;
	bool a_name = !axis_parse(a, a->name, "null", &value, NULL); /* the engine */

	axis_allowed(a, allowed, sizeof(allowed));
	if (json_is_array(v))
		problem(l, path, "a list inside a list; allowed: %s", allowed);
	else
		problem(l, path, "null is no value%s; allowed: %s",
		        a_name ? ", the name needs quotes: \"null\"" : "", allowed);
}

/* {"read": A, "write": B}, one of which may lack */
static void read_directions(struct loader *l, const struct axis *a, const char *path,
                            const json_t *v, struct axis_values *out)
{
	AUTO(text_fini) struct text pair = { 0 };
	const char *key, *text;
	json_t *member;
	char buf[64];

	json_object_foreach((json_t *)(uintptr_t)v, key, member)
	{
		text = scalar_text(member, false, buf, sizeof(buf));
		if (strcmp(key, "read") != 0 && strcmp(key, "write") != 0) {
			problem(l, path, "unknown member '%.80s'; it has read and write", key);
			return;
		}
		if (!text || !*text || strchr(text, ',')) {
			problem(l, path, "%s: expected one value", key);
			return;
		}
	}
	for (int write = 0; write < 2; write++) {
		member = json_object_get(v, write ? "write" : "read");
		text = member ? scalar_text(member, false, buf, sizeof(buf)) : "";
		text_addf(&pair, "%s%s", write ? "," : "", text);
	}
	parse_text(l, a, a->name, path, pair.s, out);
}

static bool has_directions(const struct axis *a, const json_t *v)
{
	return a->directions && (json_object_get(v, "read") || json_object_get(v, "write"));
}

static void read_one(struct loader *l, const struct axis *a, const char *key, const char *path,
                     const json_t *v, struct axis_values *out)
{
	char buf[64];
	const char *text;
	uint64_t index;

	if (json_is_object(v) && has_directions(a, v)) {
		read_directions(l, a, path, v, out);
		return;
	}
	if (json_is_object(v)) {
		bool complement = a->complement && !strcmp(a->complement, key);

		const struct range_place at = { a, path, complement };

		if (a != &axes[AXIS_bs] || !sizes_read(l, &at, v, out))
			range_read(l, &at, v, out);
		return;
	}
	if (json_is_null(v) || (json_is_array(v) && a != &axes[AXIS_filename])) {
		no_value(l, a, path, v);
		return;
	}
	if (a->kind == AXIS_TEXT) {
		if (a == &axes[AXIS_filename] ? target_value(l, key, path, v, &index)
		                              : text_read(l, a, path, v, &index))
			values_push(out, index);
		return;
	}
	text = scalar_text(v, a->kind == AXIS_TIME, buf, sizeof(buf));
	if (text)
		parse_text(l, a, key, path, text, out);
}

static size_t hash(uint64_t v, size_t mask)
{
	return (size_t)((v * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
}

/* Keep the first of equal values, in order. */
static void merge(struct axis_values *v)
{
	size_t slots = 4, kept = 0;
	size_t *seen; /* index + 1 of the value there */

	while (slots < 2 * v->len)
		slots *= 2;
	seen = xcalloc(slots, sizeof(*seen));
	for (size_t i = 0; i < v->len; i++) {
		size_t h = hash(v->val[i], slots - 1);

		while (seen[h] && v->val[seen[h] - 1] != v->val[i])
			h = (h + 1) & (slots - 1);
		if (seen[h])
			continue;
		v->val[kept++] = v->val[i];
		seen[h] = kept;
	}
	free(seen);
	v->len = kept;
}

void values_read(struct loader *l, const struct axis *a, const char *key, const char *path,
                 const json_t *v, struct axis_values *out)
{
	char item_path[CONFIG_PATH];
	json_t *item;
	size_t i;

	free(out->val);
	*out = (struct axis_values){ .given = true };
	if (json_is_array(v) && !json_array_size(v))
		problem(l, path, "empty list");
	if (!json_is_array(v))
		read_one(l, a, key, path, v, out);
	json_array_foreach(v, i, item)
	{
		(void)snprintf(item_path, sizeof(item_path), "%s[%zu]", path, i);
		read_one(l, a, key, item_path, item, out);
	}
	out->raw_len = out->len;
	merge(out);
	if (out->len < out->raw_len)
		strlist_addf(&l->sweep->notes, "%s: %zu equal value%s merged", path,
		             out->raw_len - out->len, out->raw_len - out->len > 1 ? "s" : "");
}
