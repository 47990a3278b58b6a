#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void)
{
	(void)fputs("iosweep: out of memory\n", stderr);
	exit(1);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n ? n : 1, size ? size : 1);

	if (!q)
		out_of_memory();
	return q;
}

char *xstrdup(const char *s)
{
	char *p = strdup(s);

	if (!p)
		out_of_memory();
	return p;
}

char *xstrndup(const char *s, size_t n)
{
	char *p = strndup(s, n);

	if (!p)
		out_of_memory();
	return p;
}

static void text_reserve(struct text *t, size_t more)
{
	size_t need = t->len + more + 1;

	if (need <= t->cap)
		return;
	while (t->cap < need)
		t->cap = t->cap ? t->cap * 2 : 128;
	t->s = xrealloc(t->s, t->cap, 1);
}

void text_addn(struct text *t, const char *s, size_t n)
{
	text_reserve(t, n);
	memcpy(t->s + t->len, s, n);
	t->len += n;
	t->s[t->len] = '\0';
}

void text_add(struct text *t, const char *s)
{
	text_addn(t, s, strlen(s));
}

void text_addf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	text_reserve(t, (size_t)n);
	va_start(ap, fmt);
	(void)vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	t->len += (size_t)n;
}

const char *text_get(const struct text *t)
{
	return t->s ? t->s : "";
}

void text_clear(struct text *t)
{
	t->len = 0;
	if (t->s)
		t->s[0] = '\0';
}

void text_fini(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}

static void strlist_take(struct strlist *l, char *s)
{
	if (l->len == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 8;
		l->item = xrealloc(l->item, l->cap, sizeof(*l->item));
	}
	l->item[l->len++] = s;
}

void strlist_add(struct strlist *l, const char *s)
{
	strlist_take(l, xstrdup(s));
}

void strlist_addf(struct strlist *l, const char *fmt, ...)
{
	va_list ap;
	char *s = NULL;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory();
	va_end(ap);
	strlist_take(l, s);
}

bool strlist_has(const struct strlist *l, const char *s)
{
	for (size_t i = 0; i < l->len; i++)
		if (!strcmp(l->item[i], s))
			return true;
	return false;
}

void strlist_fini(struct strlist *l)
{
	for (size_t i = 0; i < l->len; i++)
		free(l->item[i]);
	free(l->item);
	*l = (struct strlist){ 0 };
}

size_t text_utf8(const char *text, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	uint32_t c = s[0];

	if (len == 1)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4 || n < len)
		return 0;
	c &= 0x7fU >> len;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3fU);
	}
	return c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : len;
}

#define UTF8_MAX 4 /* bytes of a character */

size_t text_add_character(struct text *t, const char *s)
{
	size_t n = text_utf8(s, strnlen(s, UTF8_MAX));

	if (n)
		text_addn(t, s, n);
	else
		text_add(t, "\xef\xbf\xbd");
	return n ? n : 1;
}

void text_add_utf8(struct text *t, const char *s)
{
	while (*s)
		s += text_add_character(t, s);
}

void text_printable(char *dst, size_t size, const char *src)
{
	size_t n = 0, left = strlen(src), len;

	for (; left; src += len, left -= len) {
		unsigned char c = (unsigned char)*src;
		bool bad;

		len = text_utf8(src, left);
		bad = !len || c < 0x20 || c == 0x7f ||
		      (c == 0xc2 && (unsigned char)src[1] < 0xa0); /* U+0080..U+009F */
		len = len ? len : 1;
		if (n + (bad ? 1 : len) >= size)
			break;
		if (bad)
			dst[n++] = '?';
		else
			for (size_t i = 0; i < len; i++)
				dst[n++] = src[i];
	}
	if (size)
		dst[n] = '\0';
}

char *text_printable_copy(const char *src)
{
	size_t size = strlen(src) + 1; /* it never grows */
	char *copy = xcalloc(size, 1);

	text_printable(copy, size, src);
	return copy;
}

#define NEAREST_MAX 64

/* Optimal string alignment distance (Damerau-Levenshtein with adjacent swaps), two rows and one
 * before. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[3][NEAREST_MAX + 1];
	size_t la = strlen(a), lb = strlen(b);

	if (la > NEAREST_MAX || lb > NEAREST_MAX)
		return UINT32_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *cur = row[i % 3], *prev = row[(i - 1) % 3],
			 *before = row[(i + 1) % 3];

		cur[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned best = prev[j - 1] + (a[i - 1] != b[j - 1]);

			if (prev[j] + 1 < best)
				best = prev[j] + 1;
			if (cur[j - 1] + 1 < best)
				best = cur[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			cur[j] = best;
		}
	}
	return row[la % 3][lb];
}

bool text_take(const char **s, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*s, word, n) != 0)
		return false;
	*s += n;
	return true;
}

int text_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool text_has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p && *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strcspn(p, " ") == n && !strncmp(p, word, n))
			return true;
	return false;
}

const char *text_nearest(const char *word, const char *const *candidate, size_t n)
{
	const char *best = NULL;
	unsigned limit = 2 + (unsigned)(strlen(word) / 4);

	for (size_t i = 0; i < n; i++) {
		unsigned d = distance(word, candidate[i]);

		if (d < limit) {
			limit = d;
			best = candidate[i];
		}
	}
	return best;
}

bool text_plain(const char *s)
{
	size_t left = strlen(s), n;

	for (; *s; s += n, left -= n) {
		unsigned char c = (unsigned char)*s;

		n = text_utf8(s, left);
		if (!n || c < 0x20 || c == 0x7f)
			return false;
		if (c == 0xc2 && (unsigned char)s[1] < 0xa0) /* U+0080..U+009F */
			return false;
	}
	return true;
}
