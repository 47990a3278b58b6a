/* Files that must not be harmed: those of others, and those that are more than a file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "run/bounded.h"
#include "run/guard_private.h"

static bool may_overwrite(const struct guard *g)
{
	const struct strlist *l = g->consent->may_overwrite;
	char real[PATH_MAX];

	for (size_t i = 0; l && i < l->len; i++)
		if (realpath(l->item[i], real) && !strcmp(real, g->t->path))
			return true;
	return false;
}

static bool writes(const struct guard *g)
{
	return g->want->writes || g->want->fill;
}

static void check_size(struct guard *g)
{
	char have[32], need[32];

	if (!g->t->ours && g->want->size_bytes > g->t->size_bytes)
		strlist_addf(
		    g->refusals,
		    "%s: size %s is beyond its %s (%" PRIu64
		    " bytes), and a file that iosweep did not make "
		    "is never extended: use a smaller size, or a file that does not exist",
		    g->name, print_size(need, sizeof(need), g->want->size_bytes),
		    print_bytes(have, sizeof(have), g->t->size_bytes), g->t->size_bytes);
}

static void check_consent(struct guard *g)
{
	if (g->t->ours)
		g->found = "iosweep made it";
	else if (!may_overwrite(g))
		strlist_addf(g->refusals,
		             "%s: it exists, was not made by iosweep, and would be written to: "
		             "to allow it, name it "
		             "in \"may_overwrite\", or use a file that does not exist",
		             g->name);
}

/* Opened and closed at once: running programs, immutable files and read-only file systems say
 * so here. A file that may not be written to is not even opened. */
static void check_writable(struct guard *g)
{
	AUTO(closep) int fd = -1;

	if (!g->t->ours && !may_overwrite(g)) {
		g->found = "not tried";
		return;
	}
	fd = open(g->t->path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		strlist_addf(g->refusals, "%s: it cannot be opened for writing: %s", g->name,
		             err_name(errno));
}

static bool same_file(const struct guard *g, const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_dev == g->t->dev && st->st_ino == g->t->ino;
}

static void check_names(struct guard *g)
{
	struct stat st;

	if (lstat(g->t->path, &st) != 0 || !same_file(g, &st))
		strlist_addf(g->refusals,
		             "%s: it is another file than a moment ago: start again", g->name);
	else if (st.st_nlink > 1)
		strlist_addf(
		    g->refusals,
		    "%s: it has %ju names (hard links), so other names would change too: use "
		    "a file with one",
		    g->name, (uintmax_t)st.st_nlink);
}

static void check_uses(struct guard *g,
                       void (*fn)(const struct file_set *s, struct strlist *found))
{
	ino_t ino = g->t->ino;
	struct strlist uses = { 0 };

	fn(&(struct file_set){ .dev = g->t->dev, .ino = &ino, .n = 1 }, &uses);
	for (size_t i = 0; i < uses.len; i++)
		strlist_addf(g->refusals, "%s: %s", g->name, uses.item[i]);
	strlist_fini(&uses);
}

static void check_loops(struct guard *g)
{
	check_uses(g, files_loops);
}

static void check_swap(struct guard *g)
{
	check_uses(g, files_swap);
}

/* A lease for reading is granted only while nobody at all has the file open for writing:
 * processes that cannot be looked at and mappings count, too. For use in a child: whoever opens
 * the file meanwhile sends a signal to its holder. 1 written, 0 not, -errno unknown. */
static int is_written(const char *path)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0)
		return fcntl(fd, F_SETLEASE, F_UNLCK) ? -errno : 0;
	return errno == EAGAIN ? 1 : -errno;
}

static void find_writers(void *arg, struct strlist *out)
{
	const struct guard *g = arg;
	ino_t ino = g->t->ino;
	struct strlist kernel = { 0 };
	const struct file_set set = { .dev = g->t->dev, .ino = &ino, .n = 1 };

	if (is_written(g->t->path) == 0)
		return;
	files_writers(&set, g->asking, out);
	files_loops(&set, &kernel); /* they write, too, and have been named */
	files_swap(&set, &kernel);
	if (!out->len && !kernel.len && is_written(g->t->path) == 1)
		strlist_add(out, "it is open for writing by a process that cannot be seen from "
		                 "here: end that first");
	strlist_fini(&kernel);
}

static void ask_processes(struct guard *g, void (*fn)(void *arg, struct strlist *out))
{
	struct strlist uses = { 0 };

	if (bounded_lines(fn, g, &uses, OURS_NS + PROCESSES_NS))
		g->found = PROCESSES_UNKNOWN;
	for (size_t i = 0; i < uses.len; i++)
		strlist_addf(g->refusals, "%s: %s", g->name, uses.item[i]);
	strlist_fini(&uses);
}

/* A worker of ours that was killed keeps its file open until its last I/O came back, and is
 * seen in no list meanwhile: a file that we made is asked for again. */
static void wait_for_ours(const char *path)
{
	const uint64_t until = clock_mono_ns() + OURS_NS;

	while (is_written(path) == 1 && clock_mono_ns() < until)
		clock_sleep_until(clock_mono_ns() + 20 * MSEC);
}

static void find_writers_later(void *arg, struct strlist *out)
{
	const struct guard *g = arg;

	wait_for_ours(g->t->path);
	find_writers(arg, out);
}

static void check_writers(struct guard *g)
{
	ask_processes(g, g->t->ours ? find_writers_later : find_writers);
}

static const struct check read_checks[] = {
	{ "size", check_size, "it is large enough" },
};
static const struct check write_checks[] = {
	{ "consent", check_consent, "may_overwrite names it" },
	{ "writable", check_writable, "it can be written to" },
	{ "names", check_names, "the file that was looked at, with one name" },
	{ "loops", check_loops, "it backs no loop device" },
	{ "swap", check_swap, "no active swap" },
	{ "writers", check_writers, "no process that can be seen has it open for writing" },
};

void guard_file(struct guard *g)
{
	guard_run(g, read_checks, ARRAY_SIZE(read_checks));
	if (writes(g))
		guard_run(g, write_checks, ARRAY_SIZE(write_checks));
}

/* The files of this directory that the sweep would use. */
struct members {
	ino_t *ino; /* of those that are ours */
	size_t n;
	uint64_t foreign, linked;
	char first_foreign[PATH_MAX], first_linked[PATH_MAX]; /* safe for a terminal */
};

static void look_inside(const struct guard *g, struct members *m)
{
	char path[PATH_MAX + 32];
	struct stat st;

	for (uint64_t i = 0; i < g->want->files; i++) {
		target_file_path(path, sizeof(path), g->t->path, true, (unsigned)i);
		if (lstat(path, &st) != 0)
			continue;
		if (!g->t->ours && !target_is_ours(path)) {
			if (!m->foreign++)
				text_printable(m->first_foreign, sizeof(m->first_foreign),
				               path);
			continue;
		}
		if (st.st_nlink > 1 && !m->linked++)
			text_printable(m->first_linked, sizeof(m->first_linked), path);
		m->ino = xrealloc(m->ino, m->n + 1, sizeof(*m->ino));
		m->ino[m->n++] = st.st_ino;
	}
}

static void check_files(struct guard *g)
{
	AUTO(freep) struct members *m = xcalloc(1, sizeof(*m));
	struct strlist uses = { 0 };

	look_inside(g, m);
	if (m->foreign)
		strlist_addf(g->refusals,
		             "%s: %s exists and was not made by iosweep (%" PRIu64
		             " such file%s): move "
		             "it away, or use another directory",
		             g->name, m->first_foreign, m->foreign, m->foreign == 1 ? "" : "s");
	if (m->linked && writes(g))
		strlist_addf(
		    g->refusals,
		    "%s: %s has other names (hard links), which would change too (%" PRIu64
		    " such file%s): remove it, or use another directory",
		    g->name, m->first_linked, m->linked, m->linked == 1 ? "" : "s");
	if (m->n && writes(g)) {
		const struct file_set set = { .dev = g->t->dev, .ino = m->ino, .n = m->n };

		files_loops(&set, &uses);
		files_swap(&set, &uses);
	}
	for (size_t i = 0; i < uses.len; i++)
		strlist_addf(g->refusals, "%s: of a file in it: %s", g->name, uses.item[i]);
	strlist_fini(&uses);
	free(m->ino);
}

static void find_written_inside(void *arg, struct strlist *out)
{
	const struct guard *g = arg;
	char path[PATH_MAX + 32], safe[PATH_MAX];

	for (uint64_t i = 0; i < g->want->files && !out->len; i++) {
		target_file_path(path, sizeof(path), g->t->path, true, (unsigned)i);
		text_printable(safe, sizeof(safe), path);
		wait_for_ours(path); /* all are: see look_inside() */
		if (is_written(path) == 1)
			strlist_addf(
			    out, "%s is open for writing by another process: end that first",
			    safe);
	}
}

static void check_writers_inside(struct guard *g)
{
	if (writes(g))
		ask_processes(g, find_written_inside);
}

void guard_directory(struct guard *g)
{
	static const struct check checks[] = {
		{ "files", check_files,
		  "no file of others has the name of one that would be made" },
		{ "writers", check_writers_inside,
		  "nobody else writes to those that are there" },
	};

	guard_run(g, checks, ARRAY_SIZE(checks));
}
