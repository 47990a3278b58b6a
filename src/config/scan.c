#include <string.h>

#include "config/loader.h"

struct scan {
	struct loader *l;
	const char *p, *end;
	size_t line, column; /* of *p, from 1; columns count characters */
	char open[CONFIG_MAX_DEPTH];
	size_t depth, problems;
	size_t comma_line, comma_column; /* of the last comma */
	bool after_comma;                /* nothing but blanks since */
	bool stop;
};

static void complain_at(struct scan *s, size_t line, size_t column, const char *what)
{
	problem(s->l, NULL, "line %zu column %zu: %s", line, column, what);
	s->problems++;
}

static void complain_here(struct scan *s, const char *what)
{
	complain_at(s, s->line, s->column, what);
	s->stop = true;
}

static void step(struct scan *s)
{
	if (*s->p == '\n') {
		s->line++;
		s->column = 1;
	} else if (((unsigned char)*s->p & 0xc0) != 0x80) {
		s->column++;
	}
	s->p++;
}

static void skip_comment(struct scan *s)
{
	bool block = s->p[0] == '/' && s->p + 1 < s->end && s->p[1] == '*';

	complain_at(s, s->line, s->column,
	            "comments are not JSON; put the words into \"description\"");
	if (block) {
		step(s);
		step(s);
	}
	for (; s->p < s->end; step(s)) {
		if (!block && *s->p == '\n')
			return;
		if (block && *s->p == '/' && s->p[-1] == '*') {
			step(s);
			return;
		}
	}
}

static void skip_string(struct scan *s)
{
	size_t line = s->line, column = s->column;

	for (step(s); s->p < s->end && *s->p != '"'; step(s)) {
		if (*s->p == '\n') {
			complain_at(s, line, column,
			            "the text that begins here is not closed on its line");
			s->stop = true;
			return;
		}
		if (*s->p == '\\' && s->p + 1 < s->end)
			step(s);
	}
	if (s->p < s->end)
		step(s);
	else
		complain_here(s, "unexpected end of input");
}

static void open_bracket(struct scan *s)
{
	if (s->depth == CONFIG_MAX_DEPTH) {
		complain_here(s, "nested too deep: more than 64 levels");
		return;
	}
	s->open[s->depth++] = *s->p;
	step(s);
}

static void close_bracket(struct scan *s, bool after_comma)
{
	char want = *s->p == ']' ? '[' : '{';

	if (!s->depth || s->open[s->depth - 1] != want) {
		s->stop = true; /* the parser says it better */
		return;
	}
	if (after_comma)
		complain_at(s, s->comma_line, s->comma_column,
		            "trailing commas are not JSON; remove this one");
	s->depth--;
	step(s);
}

static bool comment_begins(const struct scan *s)
{
	return *s->p == '#' ||
	       (*s->p == '/' && s->p + 1 < s->end && (s->p[1] == '/' || s->p[1] == '*'));
}

/* One token, or one character of a number or word. */
static void token(struct scan *s)
{
	bool after_comma = s->after_comma;

	s->after_comma = false;
	switch (*s->p) {
	case '"':
		skip_string(s);
		break;
	case '[':
	case '{':
		open_bracket(s);
		break;
	case ']':
	case '}':
		close_bracket(s, after_comma);
		break;
	case ',':
		s->after_comma = true;
		s->comma_line = s->line;
		s->comma_column = s->column;
		step(s);
		break;
	default:
		step(s);
		break;
	}
}

size_t config_scan(struct loader *l, const char *text, size_t len)
{
	struct scan s = { .l = l, .p = text, .end = text + len, .line = 1, .column = 1 };
	bool begun = false, seen = false; /* a bracket; anything */

	while (s.p < s.end && !s.stop) {
		if (strchr(" \t\r\n", *s.p)) {
			step(&s);
		} else if (comment_begins(&s)) {
			skip_comment(&s);
		} else if (begun && !s.depth) {
			complain_here(
			    &s,
			    "text after the end of the config; one file holds one JSON object");
		} else {
			token(&s);
			seen = true;
			begun = begun || s.depth;
		}
	}
	if (!s.stop && (s.depth || !seen))
		complain_here(&s, "unexpected end of input");
	return s.problems;
}
