/* iosweep clean: remove what an abandoned sweep left behind: the files it made, never anything
 * else. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "config/config.h"
#include "run/target.h"
#include "sink/store.h"

struct leftovers {
	struct store_created *item; /* paths are ours */
	size_t len;
};

static int remember(void *arg, const struct store_created *c)
{
	struct leftovers *l = arg;

	l->item = xrealloc(l->item, l->len + 1, sizeof(*l->item));
	l->item[l->len] = *c;
	l->item[l->len++].path = xstrdup(c->path);
	return 0;
}

static void leftovers_fini(struct leftovers *l)
{
	for (size_t i = 0; i < l->len; i++)
		free(l->item[i].path);
	free(l->item);
}

/* The sweep is done and was to keep its files: they are no leftovers. */
static bool to_be_kept(struct store *s, const char *name)
{
	AUTO(strlist_fini) struct strlist problems = { 0 };
	AUTO(sweep_freep) struct sweep *sweep = NULL;
	const struct config_source src = { .path = name, .text = store_get(s, "config") };
	const char *state = store_get(s, "state");

	return state && !strcmp(state, "done") && src.text &&
	       !config_load(&sweep, &src, &problems) && sweep->keep;
}

/* As a sweep records it: nothing else was made by one. */
static bool is_resolved(const char *path)
{
	const char *slash = strrchr(path, '/');
	AUTO(freep) char *dir = xstrdup(path), *real = NULL;

	if (path[0] != '/' || !slash[1])
		return false;
	dir[slash == path ? 1 : slash - path] = '\0';
	real = realpath(dir, NULL);
	return real ? !strcmp(real, dir) : errno == ENOENT || errno == ENOTDIR;
}

static int remove_one(struct store *s, const struct store_created *c, struct err *e)
{
	struct target_made m = { .dev = c->dev,
		                 .ino = c->ino,
		                 .born_ns = c->born_ns,
		                 .least = c->least,
		                 .size = c->size };

	(void)snprintf(m.sweep, sizeof(m.sweep), "%s", store_get(s, "uuid"));
	if (!is_resolved(c->path))
		return err_set(e, -EINVAL, "no sweep records a file under such a name");
	return target_remove(c->path, &m, e);
}

/* How many had to be kept, or -errno of the store. */
static int clean_all(struct store *s, const struct leftovers *l, bool quiet, struct err *e)
{
	int kept = 0, r;

	for (size_t i = 0; i < l->len; i++) {
		struct err why = { 0 };
		char safe[PATH_MAX], reason[sizeof(why.text)];
		bool was_there = access(l->item[i].path, F_OK) == 0;

		text_printable(safe, sizeof(safe), l->item[i].path);
		if (remove_one(s, &l->item[i], &why)) {
			kept++;
			text_printable(reason, sizeof(reason), why.text);
			printf("kept %s: %s\n", safe, reason);
			continue;
		}
		if (!quiet)
			printf(was_there ? "removed %s\n" : "gone already: %s\n", safe);
		r = store_del_created(s, l->item[i].path, e);
		if (r)
			return r;
	}
	if (!l->len && !quiet)
		puts("nothing to remove: this sweep left no files");
	return kept;
}

int cmd_clean(const struct options *o)
{
	struct leftovers l = { 0 };
	struct store *s = NULL;
	struct err e = { 0 };
	int r = store_resume(&s, o->args[0], &e), kept = 0;

	if (r) {
		complain("clean: %s", e.text);
		return exit_of_resume(r);
	}
	r = store_each_created(s, remember, &l, &e);
	if (!r && l.len && to_be_kept(s, o->args[0])) {
		if (!o->quiet)
			printf(
			    "nothing to remove: this sweep is done, and its config keeps its "
			    "files (keep)\n");
	} else if (!r) {
		kept = clean_all(s, &l, o->quiet, &e);
		r = kept < 0 ? kept : 0;
	}
	leftovers_fini(&l);
	if (store_close(s, &e) || r) {
		complain("clean: %s", e.text);
		return EXIT_STORE;
	}
	return kept ? EXIT_ROWS : EXIT_OK;
}
