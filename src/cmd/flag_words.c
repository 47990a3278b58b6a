#include "cmd/flag_words.h"

#include <string.h>

#include "model/flag.h"

static const struct flag *find(const char *name, size_t n)
{
	for (size_t i = 0; i < FLAG_COUNT; i++)
		if (strlen(flag_at(i)->name) == n && !strncmp(flag_at(i)->name, name, n))
			return flag_at(i);
	return NULL;
}

void flag_reason(struct text *out, const char *why, const char *name, size_t n)
{
	const struct flag *f;

	for (const char *p = why; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (strncmp(p, name, n) != 0 || p[n] != ':')
			continue;
		text_addn(out, p, strcspn(p, "\n"));
		return;
	}
	f = find(name, n);
	text_addn(out, name, n);
	if (f)
		text_addf(out, ": %s", f->help);
}
