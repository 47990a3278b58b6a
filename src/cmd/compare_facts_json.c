#include "cmd/compare_facts_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/cleanup.h"

struct fact {
	char *name;
	struct strlist value; /* the distinct ones: a resumed sweep may have several */
};

struct facts {
	struct fact *item;
	size_t len;
};

static void facts_fini(struct facts *f)
{
	for (size_t i = 0; i < f->len; i++) {
		free(f->item[i].name);
		strlist_fini(&f->item[i].value);
	}
	free(f->item);
}

static void add(struct facts *f, const char *name, const json_t *value)
{
	AUTO(freep)
	char *text = json_is_string(value) ? xstrdup(json_string_value(value))
	                                   : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	size_t i = 0;

	while (i < f->len && strcmp(f->item[i].name, name) != 0)
		i++;
	if (i == f->len) {
		f->item = xrealloc(f->item, f->len + 1, sizeof(*f->item));
		f->item[f->len++] = (struct fact){ .name = xstrdup(name) };
	}
	if (text && !strlist_has(&f->item[i].value, text))
		strlist_add(&f->item[i].value, text);
}

/* Where a file lies may differ; what lies under it is told. */
static bool is_name(const char *key)
{
	return !strcmp(key, "filename") || !strcmp(key, "path");
}

static void add_targets(struct facts *f, json_t *targets)
{
	size_t i;
	json_t *target, *value;
	const char *key;
	char name[160];

	json_array_foreach(targets, i, target)
	{
		json_object_foreach(target, key, value)
		{
			(void)snprintf(name, sizeof(name), "target %zu %.100s", i + 1, key);
			if (!is_name(key) && !json_is_array(value) && !json_is_object(value))
				add(f, name, value);
		}
	}
}

static void add_document(struct facts *f, const char *text)
{
	json_t *root = json_loads(text, 0, NULL), *value;
	const char *key;

	json_object_foreach(root, key, value)
	{
		if (!strcmp(key, "targets"))
			add_targets(f, value);
		else if (!json_is_array(value) && !json_is_object(value))
			add(f, key, value);
	}
	json_decref(root);
}

static int load(struct facts *f, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = rows_open(&rows, s, "SELECT facts FROM environment ORDER BY id", e);

	if (r)
		return r;
	while ((r = rows_next(rows, e)) > 0)
		add_document(f, rows_text(rows, 0));
	return r;
}

static const struct fact *find(const struct facts *f, const char *name)
{
	for (size_t i = 0; i < f->len; i++)
		if (!strcmp(f->item[i].name, name))
			return &f->item[i];
	return NULL;
}

static void add_values(struct text *t, const struct fact *f)
{
	for (size_t i = 0; i < f->value.len; i++)
		text_addf(t, "%s%s", i ? " and " : "", f->value.item[i]);
}

static void compare_one(struct strlist *out, const char *name, const struct fact *a,
                        const struct fact *b)
{
	AUTO(text_fini) struct text x = { 0 };
	AUTO(text_fini) struct text y = { 0 };

	add_values(&x, a);
	add_values(&y, b);
	if (strcmp(text_get(&x), text_get(&y)) != 0)
		strlist_addf(out, "%s: %s -> %s", name, text_get(&x), text_get(&y));
}

/* One line for all: what was imported knows nearly nothing of its machine. */
static void add_known_once(struct strlist *out, const struct facts *f, const struct facts *other,
                           const char *side)
{
	size_t n = 0;

	for (size_t i = 0; i < f->len; i++)
		n += !find(other, f->item[i].name);
	if (n)
		strlist_addf(out, "%zu fact%s of machine and targets known of %s alone", n,
		             n > 1 ? "s" : "", side);
}

int compare_facts(struct strlist *out, struct store *a, struct store *b, struct err *e)
{
	AUTO(facts_fini) struct facts x = { 0 };
	AUTO(facts_fini) struct facts y = { 0 };
	int r = load(&x, a, e);

	if (!r)
		r = load(&y, b, e);
	if (r)
		return r;
	for (size_t i = 0; i < x.len; i++)
		if (find(&y, x.item[i].name))
			compare_one(out, x.item[i].name, &x.item[i], find(&y, x.item[i].name));
	add_known_once(out, &x, &y, "A");
	add_known_once(out, &y, &x, "B");
	return 0;
}
