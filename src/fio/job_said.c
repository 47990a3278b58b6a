#include "fio/job_said.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job_path.h"
#include "plan/key.h"

bool fio_said(const char *description)
{
	return description && !strncmp(description, FIO_SAID, strlen(FIO_SAID));
}

static void add_part(struct text *out, const char *part)
{
	text_add(out, "=");
	key_encode(out, part);
}

void fio_said_add(struct text *out, const struct fio_said *s)
{
	text_addf(out, " %s", s->axis->name);
	add_part(out, s->configured);
	if (s->value && strcmp(s->value, s->configured) != 0)
		add_part(out, s->value);
	if (s->option)
		add_part(out, s->option);
}

/* The next part of a word, which is changed; NULL: there is none. */
static char *next_part(char **word)
{
	char *part = *word;

	*word = part ? strchr(part, '=') : NULL;
	if (*word)
		*(*word)++ = '\0';
	if (part)
		key_decode(part);
	return part;
}

/* False: none of an axis. */
static bool read_word(char *word, struct fio_said *s)
{
	const char *name = next_part(&word), *second;

	*s = (struct fio_said){ .axis = axis_named(name), .configured = next_part(&word) };
	second = next_part(&word);
	s->option = next_part(&word);
	if (s->option)
		s->value = second;
	else
		s->option = second;
	return s->axis && s->configured;
}

typedef void word_fn(void *arg, const struct fio_said *s);

static void each_word(const char *words, word_fn *fn, void *arg)
{
	AUTO(freep) char *copy = xstrdup(words);
	char *left = NULL;
	struct fio_said s;

	for (char *w = strtok_r(copy, " ", &left); w; w = strtok_r(NULL, " ", &left))
		if (read_word(w, &s))
			fn(arg, &s);
}

/* --- does it hold? --- */

struct reading {
	const struct fio_said_job *job;
	bool region; /* what says where the I/Os go */
	fio_said_fn *fn;
	void *arg;
};

bool fio_of_region(const struct axis *a)
{
	return a == &axes[AXIS_filename] || a == &axes[AXIS_size] || a == &axes[AXIS_offset] ||
	       a == &axes[AXIS_offset_increment] || a == &axes[AXIS_io_size];
}

static bool written_as(const char *option, const char *path)
{
	AUTO(text_fini) struct text t = { 0 };

	fio_path(&t, path);
	return !strcmp(option, text_get(&t));
}

/* Is the target of the job this one, or one of these? */
static bool works_on(const struct fio_said_job *job, const char *filename)
{
	const char *file = job->option(job->arg, "filename"),
		   *directory = job->option(job->arg, "directory"), *path = file ? file : directory;
	AUTO(strlist_fini) struct strlist paths = { 0 };
	bool found = false;

	if (!path || (file && directory))
		return false;
	fio_paths(&paths, filename);
	for (size_t i = 0; i < paths.len; i++)
		found |= written_as(path, paths.item[i]);
	return found;
}

static bool unchanged(const struct fio_said_job *job, const struct fio_said *s)
{
	const char *option;

	if (s->axis == &axes[AXIS_filename])
		return works_on(job, s->configured);
	if (!s->option)
		return true;
	option = job->option(job->arg, s->axis->name);
	return option && !strcmp(option, s->option);
}

static void look(void *arg, const struct fio_said *s)
{
	struct reading *r = arg;

	r->region &= !fio_of_region(s->axis) || unchanged(r->job, s);
}

static void give(void *arg, const struct fio_said *s)
{
	struct reading *r = arg;

	r->fn(r->arg, s, fio_of_region(s->axis) ? r->region : unchanged(r->job, s));
}

void fio_said_each(const char *description, const struct fio_said_job *job, fio_said_fn *fn,
                   void *arg)
{
	const char *words = description + strlen(FIO_SAID);
	struct reading r = { .job = job, .region = true, .fn = fn, .arg = arg };

	each_word(words, look, &r);
	each_word(words, give, &r);
}

/* --- canonical texts: words of one part --- */

struct wanted {
	const struct axis *axis;
	char *value;
};

static void take(void *arg, const struct fio_said *s)
{
	struct wanted *w = arg;

	if (s->axis == w->axis) {
		free(w->value);
		w->value = xstrdup(s->configured);
	}
}

char *fio_key_value(const char *key_text, const struct axis *a)
{
	struct wanted w = { .axis = a, .value = xstrdup("") };

	each_word(key_text, take, &w);
	return w.value;
}
