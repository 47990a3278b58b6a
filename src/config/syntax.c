#include <stdio.h>
#include <string.h>

#include "config/loader.h"

static size_t characters(const char *s, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)s[i] & 0xc0) != 0x80;
	return count;
}

/* The token that ends before text[end], a string with its quotes: where it begins. */
static size_t string_begin(const char *text, size_t end)
{
	size_t i = end - 1, back;

	while (i > 0) {
		i--;
		for (back = 0; back < i && text[i - 1 - back] == '\\'; back++)
			;
		if (text[i] == '"' && back % 2 == 0)
			break;
	}
	return i;
}

/* The parser reports where a token ends; people want where it begins. */
static size_t token_column(const json_error_t *e)
{
	const char *near = strstr(e->text, " near '");
	size_t column = e->column > 0 ? (size_t)e->column : 1, n;

	if (!near)
		return column;
	near += strlen(" near '");
	n = strlen(near);
	n = n ? characters(near, n - 1) : 0; /* without the closing quote */
	return n && n <= column ? column - n + 1 : column;
}

static void report(struct loader *l, const char *text, size_t len, const json_error_t *e)
{
	size_t end = (size_t)e->position, begin;

	if (json_error_code(e) == json_error_duplicate_key && end > 1 && end <= len &&
	    text[end - 1] == '"') {
		begin = string_begin(text, end);
		problem(l, NULL, "line %d column %zu: key %.*s stands twice", e->line,
		        (size_t)e->column + 1 - characters(text + begin, end - begin),
		        end - begin > 100 ? 100 : (int)(end - begin), text + begin);
		return;
	}
	if (json_error_code(e) == json_error_premature_end_of_input) {
		problem(l, NULL, "line %d column %d: unexpected end of input", e->line,
		        e->column + 1);
		return;
	}
	if (json_error_code(e) == json_error_null_character) {
		problem(l, NULL, "line %d column %d: \\u0000 is not allowed in a text", e->line,
		        e->column);
		return;
	}
	problem(l, NULL, "line %d column %zu: %s", e->line, token_column(e), e->text);
}

json_t *config_parse(struct loader *l, const char *text, size_t len)
{
	json_error_t e;
	json_t *root;

	if (config_scan(l, text, len))
		return NULL;
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
	if (!root)
		report(l, text, len, &e);
	return root;
}
