#include "fio/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define SECTIONS_MAX 1000
#define OPTIONS_MAX  1000 /* of one section */

static void append(struct fio_section *s, const char *name, const char *value,
                   const char *origin)
{
	/* room doubles at each power of two */
	if (!(s->options & (s->options - 1)))
		s->option =
		    xrealloc(s->option, s->options ? 2 * s->options : 1, sizeof(*s->option));
	s->option[s->options++] =
	    (struct fio_option){ xstrdup(name), value ? xstrdup(value) : NULL,
		                 xstrdup(origin) };
}

/* Put the environment in the place of every ${NAME}. */
static bool expand(struct fio_jobs *j, const struct fio_option *o, struct text *out)
{
	bool ok = true;

	for (const char *p = o->value; *p; p++) {
		const char *end = p[0] == '$' && p[1] == '{' ? strchr(p, '}') : NULL;
		AUTO(freep) char *variable = NULL;
		const char *known;

		if (!end) {
			text_addn(out, p, 1);
			continue;
		}
		variable = xstrndup(p + 2, (size_t)(end - p) - 2);
		known = *variable ? getenv(variable) : NULL;
		if (known)
			text_add(out, known);
		else
			fio_problem(j, o->origin, "%.80s: undefined variable %.80s", o->name,
			            variable);
		ok &= known != NULL;
		p = end;
	}
	return ok;
}

bool fio_option_add(struct fio_jobs *j, struct fio_section *s, const struct fio_option *o)
{
	AUTO(text_fini) struct text value = { 0 };

	if (o->value && !expand(j, o, &value))
		return false;
	if (!text_plain(o->name) || !text_plain(text_get(&value))) {
		fio_problem(j, o->origin, "control characters, or not UTF-8");
		return false;
	}
	if (s->options == OPTIONS_MAX) {
		fio_problem(j, o->origin, "more than %d options", OPTIONS_MAX);
		return false;
	}
	append(s, o->name, o->value ? text_get(&value) : NULL, o->origin);
	return true;
}

bool fio_is_global(const char *section)
{
	return !strncmp(section, "global", strlen("global"));
}

void fio_problem(struct fio_jobs *j, const char *origin, const char *fmt, ...)
{
	char what[1024], line[2048], shown[2048];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	(void)snprintf(line, sizeof(line), "%.400s: %s", origin, what);
	text_printable(shown, sizeof(shown), line);
	if (!strlist_has(&j->problems, shown))
		strlist_add(&j->problems, shown);
}

struct fio_section *fio_section_add(struct fio_jobs *j, const char *name, const char *origin)
{
	struct fio_section *s;

	if (j->sections == SECTIONS_MAX)
		return NULL;
	if (!(j->sections & (j->sections - 1)))
		j->section = xrealloc(j->section, j->sections ? 2 * j->sections : 1,
		                      sizeof(*j->section));
	s = &j->section[j->sections++];
	*s = (struct fio_section){ .name = xstrdup(name), .origin = xstrdup(origin) };
	for (size_t i = 0; i < j->global.options; i++) {
		const struct fio_option *o = &j->global.option[i];

		append(s, o->name, o->value, o->origin);
	}
	return s;
}

void fio_section_fini(struct fio_section *s)
{
	for (size_t i = 0; i < s->options; i++) {
		free(s->option[i].name);
		free(s->option[i].value);
		free(s->option[i].origin);
	}
	free(s->option);
	free(s->name);
	free(s->origin);
	*s = (struct fio_section){ 0 };
}

void fio_jobs_fini(struct fio_jobs *j)
{
	for (size_t i = 0; i < j->sections; i++)
		fio_section_fini(&j->section[i]);
	free(j->section);
	fio_section_fini(&j->global);
	strlist_fini(&j->problems);
	strlist_fini(&j->unsupported);
	*j = (struct fio_jobs){ 0 };
}
