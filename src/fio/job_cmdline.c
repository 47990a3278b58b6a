/* fio/job_cmdline.c: a command line of fio, as one text. */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job.h"
#include "model/axis.h"

#define ORIGIN "--cmdline"

/* What is no axis and takes no value from the next word, or is of the program and not of a job:
 * what is printed, and how. All others are of a job and take one. */
static const struct word_kind {
	const char *name;
	bool takes_value, of_program;
} kinds[] = {
	/* clang-format off */
	{ "group_reporting",   false, false },
	{ "bs_unaligned",      false, false },
	{ "thread",            false, false },
	{ "exitall",           false, false },
	{ "stonewall",         false, false },
	{ "wait_for_previous", false, false },
	{ "new_group",         false, false },
	{ "minimal",           false, true  },
	{ "append-terse",      false, true  },
	{ "readonly",          false, true  },
	{ "warnings-fatal",    false, true  },
	{ "output",            true,  true  },
	{ "output-format",     true,  true  },
	{ "eta",               true,  true  },
	{ "eta-newline",       true,  true  },
	{ "eta-interval",      true,  true  },
	{ "terse-version",     true,  true  },
	{ "status-interval",   true,  true  },
	{ "bandwidth-log",     false, true  },
	{ "max-jobs",          true,  true  },
	{ "alloc-size",        true,  true  },
	/* clang-format on */
};

static const struct word_kind *kind_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

static bool of_program(const char *name)
{
	const struct word_kind *kind = kind_find(name);

	return kind && kind->of_program;
}

/* Is the word after an option its value? fio has switches that need one (direct) and such that
 * stand alone (time_based). */
static bool takes(const char *name, const char *next)
{
	const struct axis *a = axis_find(name);
	const struct word_kind *kind = kind_find(name);

	if (a && a->kind == AXIS_BOOL)
		return !strcmp(next, "0") || !strcmp(next, "1");
	return *next != '-' && (!kind || kind->takes_value);
}

/* Past blanks, and ends of lines that go on. */
static const char *skip(const char *p)
{
	while (isspace((unsigned char)*p) || (*p == '\\' && p[1] == '\n'))
		p += 1 + (*p == '\\');
	return p;
}

/* One word as a shell would take it, into out. Where the next begins, NULL when a quote is
 * open. */
static const char *word(const char *p, struct text *out)
{
	char quote = '\0';

	for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
		if (*p == quote)
			quote = '\0';
		else if (!quote && (*p == '\'' || *p == '"'))
			quote = *p;
		else if (*p == '\\' && quote != '\'' && p[1] == '\n')
			p++; /* a line that goes on */
		else if (*p == '\\' && quote != '\'' && p[1])
			text_addn(out, ++p, 1);
		else
			text_addn(out, p, 1);
	}
	return quote ? NULL : skip(p);
}

static bool split(const char *line, struct strlist *words)
{
	line = skip(line);
	while (line && *line) {
		AUTO(text_fini) struct text one = { 0 };

		line = word(line, &one);
		strlist_add(words, text_get(&one));
	}
	return line != NULL;
}

static bool is_program(const char *s)
{
	const char *slash = strrchr(s, '/');

	return !strcmp(slash ? slash + 1 : s, "fio");
}

/* Where the options begin: after fio and what runs it ("sudo fio", "env A=b fio", "time fio").
 * A job that is called fio is none. */
static size_t options_begin(char *const *words, size_t n)
{
	if (!n || words[0][0] == '-')
		return 0;
	for (size_t i = 0; i < n && strncmp(words[i], "--name", 6) != 0; i++)
		if (is_program(words[i]))
			return i + 1;
	return 0;
}

/* "--name=value", "--name value", "--flag": how many words that was. */
static size_t cut(char *const *words, size_t left, struct fio_option *o)
{
	static char origin[] = ORIGIN;
	char *equals = strchr(words[0], '=');

	*o = (struct fio_option){ .name = words[0] + 2, .origin = origin };
	if (equals) {
		*equals = '\0';
		o->value = equals + 1;
		return 1;
	}
	if (left < 2 || !takes(o->name, words[1]))
		return 1;
	o->value = words[1];
	return 2;
}

/* Options before the first --name are the first job's. */
static struct fio_section *take(struct fio_jobs *j, struct fio_section *to,
                                struct fio_section *early, const struct fio_option *o)
{
	if (strcmp(o->name, "name") != 0) {
		(void)fio_option_add(j, to ? to : early, o);
		return to;
	}
	if (!o->value || !*o->value || !text_plain(o->value)) {
		fio_problem(j, ORIGIN, "name: expected a name");
		return to;
	}
	if (fio_is_global(o->value))
		return &j->global;
	to = fio_section_add(j, o->value, ORIGIN);
	if (!to) {
		fio_problem(j, ORIGIN, "too many jobs");
		return NULL;
	}
	for (size_t i = 0; i < early->options; i++)
		(void)fio_option_add(j, to, &early->option[i]);
	fio_section_fini(early);
	return to;
}

static void read_words(struct fio_jobs *j, char *const *words, size_t n)
{
	AUTO(fio_section_fini) struct fio_section early = { 0 };
	struct fio_section *to = NULL;
	size_t used, first = j->sections;

	for (size_t i = options_begin(words, n); i < n; i += used) {
		struct fio_option o;

		used = 1;
		if (strncmp(words[i], "--", 2) != 0 || !words[i][2]) {
			fio_problem(j, ORIGIN,
			            "'%.80s': expected --OPTION=VALUE; job files are arguments "
			            "of their own",
			            words[i]);
			continue;
		}
		used = cut(words + i, n - i, &o);
		if (!of_program(o.name))
			to = take(j, to, &early, &o);
	}
	if (j->sections == first)
		fio_problem(j, ORIGIN, "no job in it: --name=NAME begins one");
	else
		j->section[first].waits = true;
}

void fio_jobs_cmdline(struct fio_jobs *j, const char *line)
{
	struct strlist words = { 0 };

	fio_section_fini(&j->global);
	if (split(line, &words))
		read_words(j, words.item, words.len);
	else
		fio_problem(j, ORIGIN, "a quote is not closed");
	strlist_fini(&words);
}
