#include "fio/job_said.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/json_options.h"
#include "model/axis.h"

bool fio_said(const char *description)
{
	return description && !strncmp(description, FIO_SAID, strlen(FIO_SAID));
}

void fio_said_add(struct text *out, const char *name, const char *value)
{
	text_addf(out, " %s=", name);
	json_options_encode(out, value);
}

/* In place: it becomes no longer. */
static void decode(char *s)
{
	char *to = s;

	for (; *s; s++) {
		int high = *s == '%' ? hex_digit(s[1]) : -1;
		int low = high >= 0 ? hex_digit(s[2]) : -1;

		if (low >= 0 && (high || low)) {
			*to++ = (char)(high << 4 | low);
			s += 2;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

void fio_said_words(const char *words,
                    void (*fn)(void *arg, const char *name, const char *value), void *arg)
{
	AUTO(freep) char *copy = xstrdup(words);
	char *left = NULL;

	for (char *w = strtok_r(copy, " ", &left); w; w = strtok_r(NULL, " ", &left)) {
		char *equals = strchr(w, '=');

		if (!equals)
			continue;
		*equals = '\0';
		decode(equals + 1);
		if (axis_named(w))
			fn(arg, w, equals + 1);
	}
}

void fio_said_each(const char *description,
                   void (*fn)(void *arg, const char *name, const char *value), void *arg)
{
	fio_said_words(description + strlen(FIO_SAID), fn, arg);
}
