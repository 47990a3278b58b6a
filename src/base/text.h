/* base/text.h: a growing string, and a list of strings. Both zero-initialised by `= { 0 }`. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *s; /* NUL-terminated once anything was added; NULL before */
	size_t len, cap;
};

/* Append. Out of memory ends the program: text is only built outside the measured window. */
__attribute__((format(printf, 2, 3))) void text_addf(struct text *t, const char *fmt, ...);
void text_add(struct text *t, const char *s);
void text_addn(struct text *t, const char *s, size_t n);
/* The text so far, never NULL; owned by t. */
const char *text_get(const struct text *t);
void text_clear(struct text *t); /* length 0, keeps the memory */
void text_fini(struct text *t);

struct strlist {
	char **item; /* owned, each NUL-terminated */
	size_t len, cap;
};

__attribute__((format(printf, 2, 3))) void strlist_addf(struct strlist *l, const char *fmt, ...);
void strlist_add(struct strlist *l, const char *s);
bool strlist_has(const struct strlist *l, const char *s);
void strlist_fini(struct strlist *l);

/* The order of two strings that a and b point at, by their bytes: for qsort() and bsearch(). */
int text_order(const void *a, const void *b);

/* Is `word` one of the space-separated words of `list`, which may be NULL? */
bool text_has_word(const char *list, const char *word);

/* Does *s begin with `word`? Then *s is behind it. */
bool text_take(const char **s, const char *word);

/* Length of the UTF-8 character at text, n > 0 bytes left; 0 when it is none (overlong, surrogate, cut). */
size_t text_utf8(const char *text, size_t n);

/* Append s with each byte that is no UTF-8 as U+FFFD: for documents that must be UTF-8. */
void text_add_utf8(struct text *t, const char *s);
/* The same for the one character (or such byte) at s, not the end; returns its length in s. */
size_t text_add_character(struct text *t, const char *s);

/* UTF-8 without control characters: fit for one line of a terminal, a CSV or a chart. */
bool text_plain(const char *s);

/* Copy src into dst with every C0, DEL and C1 character and every byte that is no UTF-8 shown as '?': names,
 * device models and error texts must not steer a terminal. dst is always terminated and never ends within a
 * character. */
void text_printable(char *dst, size_t size, const char *src);
/* The same of all of src, whatever its length; the caller frees it. */
char *text_printable_copy(const char *src);

/* malloc/strdup that end the program with a message when memory is out (configuration time only). */
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);

/* The nearest of n candidates to `word` by Damerau-Levenshtein distance, or NULL when none is near
 * enough (distance <= 1 + strlen/4) to be worth a "did you mean". */
const char *text_nearest(const char *word, const char *const *candidate, size_t n);

#endif
