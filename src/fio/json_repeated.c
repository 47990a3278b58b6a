#include "fio/json_repeated.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct key {
	const char *at;
	size_t len;
	size_t object; /* the how manieth of the document it stands in */
};

/* The keys so far, and the objects that are open. */
struct walk {
	struct key *key;
	size_t keys, room;
	size_t *open, depth, deepest;
	size_t objects;
};

static void open_object(struct walk *w)
{
	if (w->depth == w->deepest) {
		w->deepest = w->deepest ? 2 * w->deepest : 16;
		w->open = xrealloc(w->open, w->deepest, sizeof(*w->open));
	}
	w->open[w->depth++] = w->objects++;
}

static void add_key(struct walk *w, const char *at, size_t len)
{
	if (w->keys == w->room) {
		w->room = w->room ? 2 * w->room : 256;
		w->key = xrealloc(w->key, w->room, sizeof(*w->key));
	}
	w->key[w->keys++] = (struct key){ at, len, w->open[w->depth - 1] };
}

/* Behind the string that begins at p. */
static const char *string_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\';
	return p < end ? p + 1 : end;
}

static bool colon_follows(const char *p, const char *end)
{
	while (p < end && strchr(" \t\r\n", *p))
		p++;
	return p < end && *p == ':';
}

static void collect(struct walk *w, const char *p, const char *end)
{
	while (p < end) {
		const char *from = p;

		if (*p == '{')
			open_object(w);
		else if (*p == '}' && w->depth)
			w->depth--;
		p = *p == '"' ? string_end(p, end) : p + 1;
		if (*from == '"' && w->depth && colon_follows(p, end))
			add_key(w, from + 1, (size_t)(p - from) - 2);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = (x->len > y->len) - (x->len < y->len);

	return order ? order : memcmp(x->at, y->at, x->len);
}

static int by_name_and_object(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = by_name(a, b);

	return order ? order : (x->object > y->object) - (x->object < y->object);
}

/* Percentiles that were not asked for. */
static bool is_of_fio(const struct key *k)
{
	return k->len == strlen("0.00") && !memcmp(k->at, "0.00", k->len);
}

/* Sorted: documents of strangers may hold very many keys. */
void json_repeated(struct strlist *keys, const char *text, size_t size)
{
	struct walk w = { 0 };
	const struct key *last = NULL;

	collect(&w, text, text + size);
	if (w.keys)
		qsort(w.key, w.keys, sizeof(*w.key), by_name_and_object);
	for (size_t i = 1; i < w.keys; i++) {
		const struct key *k = &w.key[i];

		if (by_name_and_object(k - 1, k) != 0 || is_of_fio(k) ||
		    (last && !by_name(last, k)))
			continue;
		strlist_addf(keys, "%.*s", (int)(k->len < INT_MAX ? k->len : INT_MAX), k->at);
		last = k;
	}
	free(w.key);
	free(w.open);
}
