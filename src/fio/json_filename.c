#include "fio/json_filename.h"

#include <string.h>

#include "base/cleanup.h"

struct walk {
	const char *at, *end;
};

/* The next string at or after `at`, with its quotes; NULL: there is none. Its length in *n. */
static const char *next_string(struct walk *w, size_t *n)
{
	const char *from;

	while (w->at < w->end && *w->at != '"' && *w->at != '}')
		w->at++;
	if (w->at >= w->end || *w->at == '}')
		return NULL;
	from = w->at++;
	while (w->at < w->end && *w->at != '"')
		w->at += 1 + (*w->at == '\\' && w->at + 1 < w->end);
	if (w->at >= w->end)
		return NULL;
	*n = (size_t)(++w->at - from);
	return from;
}

static bool is(const char *string, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(string, word, n);
}

static void add_value(struct text *joined, const char *string, size_t n)
{
	json_t *value = json_loadb(string, n, JSON_DECODE_ANY, NULL);

	if (json_is_string(value))
		text_addf(joined, "%s%s", joined->len ? ":" : "", json_string_value(value));
	json_decref(value);
}

/* All values of "filename" in the object of strings that begins at w. */
static void collect(struct walk *w, struct text *joined)
{
	const char *key, *value;
	size_t n, m;

	while ((key = next_string(w, &n)) && (value = next_string(w, &m)))
		if (is(key, n, "\"filename\""))
			add_value(joined, value, m);
}

/* Behind "name" and the colon and brace after it; NULL: it is followed by something else. */
static const char *object_of(const char *p, const char *end)
{
	static const char *const mark = ":{";

	for (const char *m = mark; *m; m++, p++) {
		while (p < end && strchr(" \t\r\n", *p))
			p++;
		if (p >= end || *p != *m)
			return NULL;
	}
	return p;
}

/* The text of the next object of options: just behind its '{'. A job may have that name. */
static bool next_options(struct walk *w, const char *name)
{
	const char *object = NULL, *key;

	while (!object && (key = memmem(w->at, (size_t)(w->end - w->at), name, strlen(name)))) {
		w->at = key + strlen(name);
		object = object_of(w->at, w->end);
	}
	if (object)
		w->at = object;
	return object;
}

static void join(struct walk *w, json_t *options)
{
	AUTO(text_fini) struct text joined = { 0 };

	collect(w, &joined);
	if (json_object_get(options, "filename") && joined.len)
		(void)json_object_set_new(options, "filename", json_string(joined.s));
}

static void join_jobs(struct walk *w, json_t *jobs)
{
	size_t i;
	json_t *job;

	json_array_foreach(jobs, i, job)
	{
		json_t *options = json_object_get(job, "job options");

		if (options && next_options(w, "\"job options\""))
			join(w, options);
	}
}

void json_filename_join(struct json_document *doc)
{
	struct walk global = { doc->text, doc->text + doc->len }, jobs = global;
	json_t *clients = json_object_get(doc->root, "client_stats");

	if (json_object_get(doc->root, "global options") &&
	    next_options(&global, "\"global options\""))
		join(&global, json_object_get(doc->root, "global options"));
	join_jobs(&jobs, clients ? clients : json_object_get(doc->root, "jobs"));
}
