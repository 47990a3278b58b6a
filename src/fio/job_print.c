#include "fio/job_print.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/shell.h"
#include "fio/job.h"

/* In a job file; it takes the rest for another line. */
#define LINE_MAX_OF_FIO 8191

void fio_written_fini(struct fio_written *w)
{
	strlist_fini(&w->target);
	strlist_fini(&w->option);
	strlist_fini(&w->comment);
}

static char in_name(char c)
{
	return isalnum((unsigned char)c) || strchr("._-+,", c) ? c : '_';
}

void fio_run_name(char *buf, size_t size, const char *label)
{
	size_t n = 0;

	for (; *label && n + 1 < size; label++, n++)
		buf[n] = in_name(*label);
	buf[n] = '\0';
}

/* Of which target: the first has the name as it is, but for one that fio keeps to itself. */
static void add_name(struct text *out, const char *label, size_t target)
{
	if (fio_is_global(label))
		text_add(out, "_");
	for (; *label; label++)
		text_addf(out, "%c", in_name(*label));
	if (target)
		text_addf(out, "-%zu", target + 1);
}

static size_t jobs_of(const struct fio_written *w)
{
	return w->target.len ? w->target.len : 1;
}

/* Can these be lines of a job file? */
static int check_lines(const struct strlist *l, struct err *e)
{
	for (size_t i = 0; i < l->len; i++) {
		const char *line = l->item[i];

		if (strpbrk(line, ";#"))
			return err_set(e, -ENOTSUP,
			               "'%.200s': ; and # begin a comment in a job file", line);
		if (!text_plain(line))
			return err_set(e, -ENOTSUP,
			               "'%.200s': a job file has plain text alone", line);
		if (strlen(line) > LINE_MAX_OF_FIO)
			return err_set(e, -ENOTSUP,
			               "'%.40s...': fio reads no line of more than %d bytes", line,
			               LINE_MAX_OF_FIO);
	}
	return 0;
}

static void add_lines(struct text *out, const char *before, const struct strlist *l)
{
	for (size_t i = 0; i < l->len; i++)
		text_addf(out, "%s%s\n", before, l->item[i]);
}

int fio_run_sections(struct text *out, const char *label, const struct fio_written *w,
                     bool waits, struct err *e)
{
	if (check_lines(&w->target, e) || check_lines(&w->option, e))
		return -ENOTSUP;
	for (size_t i = 0; i < jobs_of(w); i++) {
		text_add(out, "[");
		add_name(out, label, i);
		text_add(out, "]\n");
		if (!i)
			add_lines(out, "; ", &w->comment);
		if (!i && waits)
			text_add(out, "stonewall=1\n");
		if (i < w->target.len)
			text_addf(out, "%s\n", w->target.item[i]);
		add_lines(out, "", &w->option);
	}
	return 0;
}

static void add_argument(struct text *out, const char *option)
{
	AUTO(text_fini) struct text t = { 0 };

	text_addf(&t, "--%s", option);
	text_add(out, " ");
	add_shell_word(out, text_get(&t));
}

void fio_run_arguments(struct text *out, const char *label, const struct fio_written *w)
{
	for (size_t i = 0; i < jobs_of(w); i++) {
		text_add(out, " --name=");
		add_name(out, label, i);
		if (i < w->target.len)
			add_argument(out, w->target.item[i]);
		for (size_t k = 0; k < w->option.len; k++)
			add_argument(out, w->option.item[k]);
	}
}
