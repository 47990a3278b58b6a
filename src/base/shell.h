/* base/shell.h: words as a shell takes them. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include "base/text.h"

/* Append `word` quoted for a shell if it needs it. */
void add_shell_word(struct text *out, const char *word);
/* Append " OPTION WORD" for each item of l. */
void add_shell_options(struct text *out, const char *option, const struct strlist *l);

#endif
