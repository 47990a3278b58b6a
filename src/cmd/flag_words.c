#include "cmd/flag_words.h"

#include <string.h>

#include "model/flag.h"

void flag_reason(struct text *out, const char *why, const char *name, size_t n)
{
	size_t f = flag_find(name, n);

	for (const char *p = why; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (strncmp(p, name, n) != 0 || p[n] != ':')
			continue;
		text_addn(out, p, strcspn(p, "\n"));
		return;
	}
	text_addn(out, name, n);
	if (f < FLAG_COUNT)
		text_addf(out, ": %s", flag_at(f)->help);
}
