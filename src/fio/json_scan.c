#include "fio/json_scan.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"

static size_t skip(const struct json_scan *s, size_t at, const char *what)
{
	while (at < s->size && s->text[at] && strchr(what, s->text[at]))
		at++;
	return at;
}

/* A document begins a line: "{", and then a key or its end. */
static bool begins(const struct json_scan *s, size_t at)
{
	size_t key;

	if (s->text[at] != '{')
		return false;
	key = skip(s, at + 1, " \t\r\n");
	return key < s->size && s->text[key] == '"';
}

static size_t next_line(const struct json_scan *s, size_t at)
{
	const char *end = at < s->size ? memchr(s->text + at, '\n', s->size - at) : NULL;

	return end ? (size_t)(end - s->text) + 1 : s->size;
}

/* The start of the line that holds `at`. */
static size_t line_start(const struct json_scan *s, size_t at)
{
	while (at && s->text[at - 1] != '\n')
		at--;
	return at;
}

static size_t count_lines(const struct json_scan *s, size_t from, size_t to)
{
	size_t n = 0;

	for (; from < to; from++)
		n += s->text[from] == '\n';
	return n;
}

static void go_to(struct json_scan *s, size_t at)
{
	s->line += count_lines(s, s->at, at);
	s->at = at;
}

/* The next place where a document may begin, alone or in an array of them. */
static bool find_start(struct json_scan *s)
{
	if (!s->at && s->size >= 3 && !memcmp(s->text, "\xef\xbb\xbf", 3))
		s->at = 3; /* byte order mark */
	for (size_t at = s->at; at < s->size; at = next_line(s, at)) {
		size_t first = skip(s, at, "[, \t\r\n");

		if (first < s->size && begins(s, first)) {
			go_to(s, first);
			return true;
		}
	}
	go_to(s, s->size);
	return false;
}

static bool holds(const char *text, size_t size, const char *word)
{
	return size && memmem(text, size, word, strlen(word));
}

/* Is what could not be read a document of fio, or something else in braces? */
static bool looks_like_fio(const char *text, size_t size)
{
	return holds(text, size, "\"fio version\"") || holds(text, size, "\"jobname\"") ||
	       holds(text, size, "\"jobs\"") || holds(text, size, "\"client_stats\"");
}

static bool is_fio(const json_t *root)
{
	return json_is_array(json_object_get(root, "jobs")) ||
	       json_is_array(json_object_get(root, "client_stats"));
}

static json_t *load(const struct json_scan *s, size_t flags, json_error_t *why)
{
	return json_loadb(s->text + s->at, s->size - s->at, JSON_DISABLE_EOF_CHECK | flags, why);
}

/* Keys that stand twice and counters that went below zero (2^64 - 1) spoil nothing else. */
static json_t *load_leniently(const struct json_scan *s, struct json_document *doc,
                              json_error_t *why)
{
	json_t *root = load(s, JSON_REJECT_DUPLICATES, why);

	if (!root && json_error_code(why) == json_error_duplicate_key) {
		doc->repeats = true;
		root = load(s, 0, why);
	}
	if (!root && json_error_code(why) == json_error_numeric_overflow)
		root = load(s, JSON_DECODE_INT_AS_REAL, why);
	return root;
}

static int broken(struct json_scan *s, const json_error_t *why, struct err *e)
{
	size_t size = why->position > 0 ? (size_t)why->position : 1, line = s->line, start = s->at,
	       again;
	bool fio;

	if (size > s->size - start)
		size = s->size - start;
	fio = looks_like_fio(s->text + start, size);
	/* What broke it off may be the start of the next one. */
	again = line_start(s, start + size - 1);
	go_to(s, again > start ? again : next_line(s, start));
	if (!fio)
		return 0;
	return err_set(e, -EINVAL, "line %zu column %d: %s",
	               line + (size_t)(why->line > 0 ? why->line - 1 : 0), why->column,
	               why->text);
}

static int take(struct json_scan *s, struct json_document *doc, json_t *root, size_t size)
{
	if (!is_fio(root)) {
		json_decref(root);
		go_to(s, s->at + size);
		return 0;
	}
	doc->root = root;
	doc->text = s->text + s->at;
	doc->len = size;
	go_to(s, s->at + size);
	return 1;
}

int json_scan_next(struct json_scan *s, struct json_document *doc, struct err *e)
{
	size_t from = s->at;

	*doc = (struct json_document){ 0 };
	while (find_start(s)) {
		size_t start = s->at;
		json_error_t why;
		json_t *root = load_leniently(s, doc, &why);
		int r = root ? take(s, doc, root, (size_t)why.position) : broken(s, &why, e);
		if (r > 0)
			text_addn(&doc->noise, s->text + from, start - from);
		else
			json_document_fini(doc);
		if (r)
			return r;
	}
	return 0;
}

void json_document_fini(struct json_document *doc)
{
	json_decref(doc->root);
	text_fini(&doc->noise);
	*doc = (struct json_document){ 0 };
}
