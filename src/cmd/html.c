#include "cmd/html.h"

#include <string.h>

/* Bytes from s on that stand for themselves. */
static size_t plain_span(const char *s)
{
	size_t n = 0;

	while (((unsigned char)s[n] >= 0x20 && (unsigned char)s[n] < 0x7f && s[n] != '&' &&
	        s[n] != '<' && s[n] != '>' && s[n] != '"' && s[n] != '\'') ||
	       s[n] == '\n')
		n++;
	return n;
}

static void add_ascii(struct text *t, char c)
{
	static const char *const name[] = { ['&'] = "&amp;",
		                            ['<'] = "&lt;",
		                            ['>'] = "&gt;",
		                            ['"'] = "&quot;",
		                            ['\''] = "&#39;" };

	text_add(t, (size_t)c < sizeof(name) / sizeof(*name) && name[(size_t)c]
	                ? name[(size_t)c]
	                : "?");
}

void html_add(struct text *t, const char *s)
{
	while (*s) {
		size_t n = plain_span(s);

		if (n) {
			text_addn(t, s, n);
		} else if ((unsigned char)*s < 0x80) {
			add_ascii(t, *s);
			n = 1;
		} else if ((unsigned char)*s == 0xc2 && (unsigned char)s[1] >= 0x80 &&
		           (unsigned char)s[1] < 0xa0) { /* C1 */
			text_add(t, "?");
			n = 2;
		} else {
			n = text_add_character(t, s);
		}
		s += n;
	}
}

void html_element(struct text *t, const char *tag, const char *attributes, const char *s)
{
	text_addf(t, "<%s%s>", tag, attributes);
	html_add(t, s);
	text_addf(t, "</%s>", tag);
}

/* '<' stands in strings alone there. */
void html_island(struct text *t, const char *id, const char *json)
{
	text_addf(t, "<script type=\"application/json\" id=\"%s\">", id);
	while (*json) {
		size_t n = strcspn(json, "<");

		text_addn(t, json, n);
		json += n;
		if (*json) {
			text_add(t, "\\u003c");
			json++;
		}
	}
	text_add(t, "</script>\n");
}
