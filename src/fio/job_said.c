#include "fio/job_said.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "model/axis.h"

bool fio_said(const char *description)
{
	return description && !strncmp(description, FIO_SAID, strlen(FIO_SAID));
}

void fio_said_each(const char *description,
                   void (*fn)(void *arg, const char *name, const char *value), void *arg)
{
	AUTO(freep) char *words = xstrdup(description + strlen(FIO_SAID));
	char *left = NULL;

	for (char *w = strtok_r(words, " ", &left); w; w = strtok_r(NULL, " ", &left)) {
		char *equals = strchr(w, '=');

		if (!equals)
			continue;
		*equals = '\0';
		if (axis_named(w))
			fn(arg, w, equals + 1);
	}
}
