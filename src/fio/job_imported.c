#include "fio/job_imported.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job_said.h"
#include "fio/json_own.h"

json_t *fio_imported_options(const char *header, const char *source)
{
	json_t *all = json_object(), *document = header ? json_loads(header, 0, NULL) : NULL,
	       *job = source ? json_loads(source, 0, NULL) : NULL;

	(void)json_object_update(all, json_object_get(document, "global options"));
	(void)json_object_update(all, json_object_get(job, "job options"));
	json_decref(document);
	json_decref(job);
	return all;
}

bool fio_imported_said(const json_t *options)
{
	return fio_said(json_string_value(json_object_get(options, "description")));
}

/* Said in another way by the section itself: its name, and that it waits for all before. */
static bool of_section(const char *name)
{
	static const char *const of[] = { "name", "stonewall", "wait_for_previous", "wait_for",
		                          "new_group" };

	for (size_t i = 0; i < ARRAY_SIZE(of); i++)
		if (!strcmp(name, of[i]))
			return true;
	return false;
}

static bool of_target(const char *name)
{
	return !strcmp(name, "filename") || !strcmp(name, "directory");
}

static bool is_there(const struct fio_written *w, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < w->option.len; i++)
		if (!strncmp(w->option.item[i], name, n) && w->option.item[i][n] == '=')
			return true;
	return w->target.len && of_target(name);
}

/* Not "[x]", "include x" or another line than an option. */
static bool is_option(const char *name)
{
	return *name && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "0123456789_-") == strlen(name);
}

/* Some versions print "100%%" for 100 %. */
static void add(struct fio_written *w, const char *name, const char *value)
{
	size_t n = strlen(value);

	if (n > 1 && !strcmp(value + n - 2, "%%"))
		n--;
	if (n)
		strlist_addf(&w->option, "%s=%.*s", name, (int)n, value);
	else
		strlist_add(&w->option, name);
}

int fio_imported_add(struct fio_written *w, json_t *options, struct err *e)
{
	const char *name;
	json_t *value;

	if (json_own_get(options, JSON_OWN_CLONE))
		strlist_add(&w->comment, "one of the clones of this job, each of which fio "
		                         "printed alone");
	json_object_foreach(options, name, value)
	{
		const char *text = json_string_value(value);

		if (!text || of_section(name) || is_there(w, name) ||
		    json_own_is(name))
			continue;
		if (!is_option(name))
			return err_set(e, -ENOTSUP, "'%.80s' is no option of fio", name);
		add(w, name, text);
	}
	return 0;
}

void fio_imported_time_based(struct fio_written *w)
{
	if (is_there(w, "time_based"))
		return;
	strlist_add(&w->comment, "time_based: taken to be so, for documents leave flags without "
	                         "a value out");
	strlist_add(&w->option, "time_based=1");
}
