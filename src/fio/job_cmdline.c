/* fio/job_cmdline.c: a command line of fio, as one text. */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job.h"

#define ORIGIN "--cmdline"

/* These take no value from the next word. */
static const char *const flags[] = {
	"time_based",   "norandommap",  "group_reporting", "zero_buffers",  "refill_buffers",
	"bs_unaligned", "thread",       "exitall",         "stonewall",     "new_group",
	"hipri",        "fixedbufs",    "registerfiles",   "sqthread_poll", "minimal",
	"readonly",     "append-terse", "warnings-fatal",
};

/* Of the program, not of a job: what is printed, and how. */
static const char *const of_program[] = {
	"output",   "output-format", "eta",           "eta-newline",     "eta-interval",
	"minimal",  "append-terse",  "terse-version", "status-interval", "bandwidth-log",
	"readonly", "max-jobs",      "alloc-size",    "warnings-fatal",
};

static bool among(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
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
	if (left < 2 || words[1][0] == '-' || among(flags, ARRAY_SIZE(flags), o->name))
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

	for (size_t i = n && is_program(words[0]); i < n; i += used) {
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
		if (!among(of_program, ARRAY_SIZE(of_program), o.name))
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
