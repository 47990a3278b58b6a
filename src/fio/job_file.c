/* fio/job_file.c: the lines of a job file. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "fio/job.h"

#define FILE_MAX    (1 << 20)
#define INCLUDE_MAX 16 /* files that include each other */

struct reader {
	struct fio_jobs *jobs;
	struct fio_section *to; /* where options go; NULL: nowhere yet */
	const char *path;
	char origin[PATH_MAX + 32]; /* "path:line" */
	unsigned depth;             /* of include */
	size_t left;                /* bytes that may still be read */
};

static void read_text(struct reader *r, const char *path, const char *text, size_t len);

#define problem(r, ...) fio_problem((r)->jobs, (r)->origin, __VA_ARGS__)

/* --- one line --- */

static char *trimmed(char *s)
{
	size_t n;

	while (isspace((unsigned char)*s))
		s++;
	n = strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		s[--n] = '\0';
	return s;
}

static void read_option(struct reader *r, char *line)
{
	char *equals = strchr(line, '=');
	struct fio_option o = { .origin = r->origin };

	if (equals)
		*equals = '\0';
	o.name = trimmed(line);
	o.value = equals ? trimmed(equals + 1) : NULL;
	if (!*o.name) {
		problem(r, "a value without a name");
		return;
	}
	if (r->to)
		(void)fio_option_add(r->jobs, r->to, &o);
	else
		problem(r, "%.80s: stands before the first [section]", o.name);
}

static void read_section(struct reader *r, char *line)
{
	char *end = strchr(line, ']');

	if (r->depth) {
		problem(r, "an included file has options alone, no [section]");
		return;
	}
	if (!end || end == line + 1) {
		problem(r, end ? "a section without a name" : "'[' without ']'");
		return;
	}
	*end = '\0';
	if (*trimmed(end + 1)) {
		problem(r, "text behind [%.80s]", line + 1);
		return;
	}
	if (!text_plain(line + 1)) {
		problem(r, "control characters, or not UTF-8");
		return;
	}
	r->to = fio_is_global(line + 1) ? &r->jobs->global
	                                : fio_section_add(r->jobs, line + 1, r->origin);
	if (!r->to)
		problem(r, "too many sections");
}

/* --- files --- */

static bool is_stdin(const char *path)
{
	return !strcmp(path, "-");
}

static const char *name_of(const char *path)
{
	return is_stdin(path) ? "stdin" : path;
}

/* False after a problem. */
static bool load(struct text *out, const struct reader *r, const char *path)
{
	int bad = is_stdin(path) ? file_read_all(out, STDIN_FILENO, r->left)
	                         : file_load(out, path, r->left);
	AUTO(text_fini) struct text where = { 0 };

	text_addf(&where, "%s%s%s", r->depth ? r->origin : "", r->depth ? ": include " : "",
	          path);
	if (bad == -EFBIG)
		fio_problem(r->jobs, text_get(&where),
		            "larger than 1 MiB: that is no job file");
	else if (bad)
		fio_problem(r->jobs, text_get(&where), "cannot read: %s", err_name(-bad));
	return !bad;
}

/* From where the program was started, else from where the including file lies. */
static void include(struct reader *r, const char *name)
{
	const char *slash = strrchr(r->path, '/');
	AUTO(text_fini) struct text beside = { 0 };
	AUTO(text_fini) struct text text = { 0 };

	if (!*name) {
		problem(r, "include: without a file");
		return;
	}
	if (r->depth == INCLUDE_MAX) {
		problem(r, "include: more than %d files deep", INCLUDE_MAX);
		return;
	}
	if (*name != '/' && slash && access(name, F_OK)) {
		text_addf(&beside, "%.*s%s", (int)(slash + 1 - r->path), r->path, name);
		name = text_get(&beside);
	}
	r->depth++;
	if (load(&text, r, name))
		read_text(r, name_of(name), text_get(&text), text.len);
	r->depth--;
}

static void read_line(struct reader *r, char *line)
{
	static const char word[] = "include";
	size_t n = strlen(word);

	line[strcspn(line, ";#")] = '\0';
	line = trimmed(line);
	if (!*line)
		return;
	if (*line == '[')
		read_section(r, line);
	else if (!strncmp(line, word, n) && isspace((unsigned char)line[n]))
		include(r, trimmed(line + n));
	else
		read_option(r, line);
}

/* The reader is then where it was. */
static void read_text(struct reader *r, const char *path, const char *text, size_t len)
{
	const struct reader was = *r;
	const char *end = text + len;

	r->left -= len < r->left ? len : r->left;
	r->path = path;
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	for (size_t line = 1; text < end; line++) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((nl ? nl : end) - text);
		AUTO(freep) char *copy = xstrndup(text, n);

		(void)snprintf(r->origin, sizeof(r->origin), "%s:%zu", path, line);
		if (memchr(text, '\0', n))
			problem(r, "a NUL byte: that is no job file");
		else
			read_line(r, copy);
		text += n + 1;
	}
	r->path = was.path;
	memcpy(r->origin, was.origin, sizeof(r->origin));
}

/* A file of its own begins without the [global] of the one before. */
static struct reader begin(struct fio_jobs *j)
{
	fio_section_fini(&j->global);
	return (struct reader){ .jobs = j, .path = "", .left = FILE_MAX };
}

void fio_jobs_text(struct fio_jobs *j, const char *path, const char *text, size_t len)
{
	struct reader r = begin(j);
	size_t first = j->sections;

	read_text(&r, path, text, len);
	if (j->sections > first)
		j->section[first].waits = true;
}

void fio_jobs_file(struct fio_jobs *j, const char *path)
{
	struct reader r = begin(j);
	AUTO(text_fini) struct text text = { 0 };

	if (load(&text, &r, path))
		fio_jobs_text(j, name_of(path), text_get(&text), text.len);
}
