#include "run/users.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "host/sysfs.h"
#include "run/loops.h"
#include "run/mounts.h"
#include "run/openers.h"

/* A device whose use counts, and what it is to the target: "it", "its partition vdb1". */
struct member {
	dev_t dev;
	char what[128];
};

struct users {
	struct member *item;
	size_t len;
	struct loop_device *loop; /* all in use on this machine */
	size_t loops;
};

static const struct member *member_of(const struct users *u, dev_t dev)
{
	for (size_t i = 0; dev && i < u->len; i++)
		if (u->item[i].dev == dev)
			return &u->item[i];
	return NULL;
}

__attribute__((format(printf, 3, 4))) static bool add_member(struct users *u, dev_t dev,
                                                             const char *fmt, ...)
{
	va_list ap;

	if (!dev || member_of(u, dev))
		return false;
	u->item = xrealloc(u->item, u->len + 1, sizeof(*u->item));
	u->item[u->len] = (struct member){ .dev = dev };
	va_start(ap, fmt);
	(void)vsnprintf(u->item[u->len].what, sizeof(u->item[u->len].what), fmt, ap);
	va_end(ap);
	u->len++;
	return true;
}

/* The partitions of a whole disk, or the disk of a partition. `whose`: "its", "loop1's". */
static void add_relatives(struct users *u, dev_t dev, const char *whose)
{
	char dir[64], name[64];
	AUTO(closedirp) DIR *d = NULL;
	struct dirent *entry;
	dev_t disk;

	(void)snprintf(dir, sizeof(dir), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (sysfs_is_partition(major(dev), minor(dev))) {
		disk = sysfs_dev("%s/../dev", dir);
		add_member(u, disk, "%s whole disk %s", whose,
		           sysfs_name(name, sizeof(name), major(disk), minor(disk)));
		return;
	}
	d = opendir(dir);
	while (d && (entry = readdir(d))) {
		char text[32];

		if (entry->d_name[0] != '.' &&
		    !sysfs_text(text, sizeof(text), "%s/%s/partition", dir, entry->d_name))
			add_member(u, sysfs_dev("%s/%s/dev", dir, entry->d_name),
			           "%s partition %.40s", whose, entry->d_name);
	}
}

static void add_loop(void *arg, const struct loop_device *l)
{
	struct users *u = arg;

	u->loop = xrealloc(u->loop, u->loops + 1, sizeof(*u->loop));
	u->loop[u->loops++] = *l;
}

/* A loop device writes through to what backs it: a device below, or a file that other loop
 * devices share. */
static void add_backing(struct users *u, const struct loop_device *self)
{
	char name[64], whose[72];

	if (self->device) {
		sysfs_name(name, sizeof(name), major(self->device), minor(self->device));
		(void)snprintf(whose, sizeof(whose), "%s's", name);
		if (add_member(u, self->device, "%s, which backs it,", name))
			add_relatives(u, self->device, whose);
		return;
	}
	for (size_t i = 0; i < u->loops; i++) {
		const struct loop_device *l = &u->loop[i];

		if (l->device || !loops_same_file(l, self))
			continue;
		(void)snprintf(whose, sizeof(whose), "%s's", l->name);
		if (add_member(u, l->dev, "%s, over the same file,", l->name))
			add_relatives(u, l->dev, whose);
	}
}

struct users *users_new(dev_t dev)
{
	struct users *u = xcalloc(1, sizeof(*u));

	add_member(u, dev, "it");
	add_relatives(u, dev, "its");
	loops_each(0, add_loop, u);
	for (size_t m = 0; m < u->len; m++) /* grows meanwhile: loops may lie on loops */
		for (size_t i = 0; i < u->loops; i++)
			if (u->loop[i].dev == u->item[m].dev)
				add_backing(u, &u->loop[i]);
	return u;
}

void users_free(struct users *u)
{
	if (!u)
		return;
	free(u->item);
	free(u->loop);
	free(u);
}

/* Mounts that are seen, from here and from elsewhere. */
struct mounted {
	const struct users *u;
	struct strlist *found;
	struct strlist seen;           /* the same mount is seen from several namespaces */
	const struct mount_view *view; /* NULL: ours */
};

static int check_mount(void *arg, const struct mount *m)
{
	struct mounted *s = arg;
	const struct member *who = member_of(s->u, m->source_dev);
	char point[PATH_MAX];
	AUTO(text_fini) struct text line = { 0 };

	if (!who)
		return 0;
	text_printable(point, sizeof(point), m->point);
	text_addf(&line, "%s is mounted at %s", who->what, point);
	if (strlist_has(&s->seen, text_get(&line)))
		return 0;
	strlist_add(&s->seen, text_get(&line));
	if (s->view)
		strlist_addf(s->found, "%s as %s (process %d) sees it: unmount it there first",
		             text_get(&line), s->view->name, (int)s->view->pid);
	else
		strlist_addf(s->found, "%s: unmount it first", text_get(&line));
	return 0;
}

static int check_view(void *arg, const struct mount_view *view)
{
	struct mounted *s = arg;

	s->view = view;
	(void)mounts_each_in(view->path, check_mount, s);
	return 0;
}

void users_mounts(const struct users *u, struct strlist *found)
{
	struct mounted s = { .u = u, .found = found };

	(void)mounts_each(check_mount, &s);
	mount_views_each(check_view, &s);
	strlist_fini(&s.seen);
}

struct search {
	const struct users *u;
	const struct file_set *files;
	struct strlist *found;
};

static int check_swap(void *arg, const char *path)
{
	const struct search *s = arg;
	const struct member *who;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISBLK(st.st_mode))
		return 0;
	who = member_of(s->u, st.st_rdev);
	if (who)
		strlist_addf(s->found, "%s is active swap: swapoff it first", who->what);
	return 0;
}

void users_swap(const struct users *u, struct strlist *found)
{
	struct search s = { .u = u, .found = found };

	(void)swaps_each(check_swap, &s);
}

static void check_holders(const struct member *who, struct strlist *found)
{
	char dir[96], title[128];
	struct dirent *entry;

	(void)snprintf(dir, sizeof(dir), "/sys/dev/block/%u:%u/holders", major(who->dev),
	               minor(who->dev));
	AUTO(closedirp) DIR *d = opendir(dir);

	while (d && (entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		if (sysfs_text(title, sizeof(title), "%s/%s/dm/name", dir, entry->d_name))
			title[0] = '\0';
		strlist_addf(found, "%s is part of %s%s%s%s: take that apart first", who->what,
		             entry->d_name, *title ? " (" : "", title, *title ? ")" : "");
	}
}

void users_holders(const struct users *u, struct strlist *found)
{
	for (size_t i = 0; i < u->len; i++)
		check_holders(&u->item[i], found);
}

void users_loops(const struct users *u, struct strlist *found)
{
	for (size_t i = 0; i < u->loops; i++) {
		const struct loop_device *l = &u->loop[i];
		const struct member *who = member_of(u, l->device);

		if (who && !member_of(u, l->dev))
			strlist_addf(found,
			             "%s backs the loop device %s: detach that first (losetup "
			             "-d /dev/%s)",
			             who->what, l->name, l->name);
	}
}

/* The loop device among them that lies over this file. */
static const struct member *member_over(const struct users *u, dev_t dev, ino_t ino)
{
	for (size_t i = 0; i < u->loops; i++)
		if (u->loop[i].file_ino == ino && u->loop[i].file_dev == dev &&
		    member_of(u, u->loop[i].dev))
			return member_of(u, u->loop[i].dev);
	return NULL;
}

static void check_writer(void *arg, const struct opener *o)
{
	const struct search *s = arg;
	const struct member *who =
	    o->rdev ? member_of(s->u, o->rdev) : member_over(s->u, o->dev, o->ino);

	if (!who || !opener_writes(o))
		return;
	if (!o->rdev)
		strlist_addf(s->found,
		             "the file below %s is open for writing by %s (process %d): end "
		             "that first",
		             who->what, o->name, (int)o->pid);
	else
		strlist_addf(s->found,
		             "%s is open for writing by %s (process %d): end that first",
		             who->what, o->name, (int)o->pid);
}

void users_writers(const struct users *u, pid_t but, struct strlist *found)
{
	struct search s = { .u = u, .found = found };

	openers_each(but, check_writer, &s);
}

static bool in_set(const struct file_set *s, dev_t dev, ino_t ino)
{
	if (dev != s->dev || !ino)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (s->ino[i] == ino)
			return true;
	return false;
}

static void file_loop(void *arg, const struct loop_device *l)
{
	const struct search *s = arg;

	if (in_set(s->files, l->file_dev, l->file_ino))
		strlist_addf(
		    s->found,
		    "it backs the loop device %s: detach that first (losetup -d /dev/%s)",
		    l->name, l->name);
}

void files_loops(const struct file_set *files, struct strlist *found)
{
	struct search s = { .files = files, .found = found };

	loops_each(files->dev, file_loop, &s);
}

static int file_swap(void *arg, const char *path)
{
	const struct search *s = arg;
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode) && in_set(s->files, st.st_dev, st.st_ino))
		strlist_addf(s->found, "it is active swap: swapoff it first");
	return 0;
}

void files_swap(const struct file_set *files, struct strlist *found)
{
	struct search s = { .files = files, .found = found };

	(void)swaps_each(file_swap, &s);
}

static void file_writer(void *arg, const struct opener *o)
{
	const struct search *s = arg;

	if (!o->rdev && in_set(s->files, o->dev, o->ino) && opener_writes(o))
		strlist_addf(s->found,
		             "it is open for writing by %s (process %d): end that first",
		             o->name, (int)o->pid);
}

void files_writers(const struct file_set *files, pid_t but, struct strlist *found)
{
	struct search s = { .files = files, .found = found };

	openers_each(but, file_writer, &s);
}
