#include "base/shell.h"

#include <string.h>

void add_shell_word(struct text *out, const char *word)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-%@";

	if (*word && strspn(word, plain) == strlen(word)) {
		text_add(out, word);
		return;
	}
	text_add(out, "'");
	for (; *word; word++) {
		if (*word == '\'')
			text_add(out, "'\\''");
		else
			text_addn(out, word, 1);
	}
	text_add(out, "'");
}

void add_shell_options(struct text *out, const char *option, const struct strlist *l)
{
	for (size_t i = 0; i < l->len; i++) {
		text_addf(out, " %s ", option);
		add_shell_word(out, l->item[i]);
	}
}
