#include "run/users.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "host/sysfs.h"
#include "run/bounded.h"
#include "run/mounts.h"

/* A device whose use counts, and what it is to the target: "it", "its partition vdb1". */
struct member {
	dev_t dev;
	char what[128];
};

struct family {
	struct member *item;
	size_t len;
	struct strlist *found;
};

struct loop_device {
	dev_t dev;
	char name[32];
	dev_t file_dev, device; /* what backs it: a file (with ino) or a device (not 0) */
	ino_t file_ino;         /* 0: unknown */
	char backing[PATH_MAX];
};

/* The number in a sysfs `dev` file. 0: there is none. */
__attribute__((format(printf, 1, 2))) static dev_t dev_in(const char *fmt, ...)
{
	char path[PATH_MAX], line[32];
	uint32_t major, minor;
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (sysfs_text(line, sizeof(line), "%s", path) ||
	    parse_device(line, &major, &minor, NULL))
		return 0;
	return makedev(major, minor);
}

static const struct member *member_of(const struct family *f, dev_t dev)
{
	for (size_t i = 0; dev && i < f->len; i++)
		if (f->item[i].dev == dev)
			return &f->item[i];
	return NULL;
}

/* What the loop device itself says. For use in a bounded call: the file system of its file is
 * asked. */
static void ask_loop(void *data)
{
	struct loop_device *l = data;
	char node[64];
	struct loop_info64 info;
	struct stat st;

	(void)snprintf(node, sizeof(node), "/dev/%s", l->name);
	AUTO(closep) int fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != l->dev ||
	    ioctl(fd, LOOP_GET_STATUS64, &info))
		return;
	l->file_dev = (dev_t)info.lo_device;
	l->file_ino = info.lo_inode;
	l->device = (dev_t)info.lo_rdevice;
}

/* File systems that a program or another machine serves: any look at a file may wait for it. */
static bool is_served(const char *fs)
{
	static const char *const served[] = {
		"fuse", "nfs", "cifs", "smb", "9p", "ceph", "afs"
	};

	for (size_t i = 0; i < ARRAY_SIZE(served); i++)
		if (!strncmp(fs, served[i], strlen(served[i])))
			return true;
	return false;
}

/* Which file or device it is, without waiting for any but the target's own file system (`near`;
 * 0: none). A file that is served elsewhere stays unknown, but for its path. */
static void find_loop_backing(struct loop_device *l, dev_t near)
{
	AUTO(freep) struct mount *m = xcalloc(1, sizeof(*m));
	struct stat st;

	if (!mount_of(m, l->backing, 0) && is_served(m->fs) && m->dev != near)
		return;
	if (!stat(l->backing, &st)) {
		l->file_dev = st.st_dev;
		l->file_ino = st.st_ino;
		l->device = S_ISBLK(st.st_mode) ? st.st_rdev : 0;
		return;
	}
	/* its name is gone, or belongs to another root */
	(void)bounded_call(ask_loop, l, sizeof(*l), SEC);
}

static int read_backing(struct loop_device *l)
{
	char path[64];
	size_t n;
	int r;

	(void)snprintf(path, sizeof(path), "/sys/block/%s/loop/backing_file", l->name);
	r = file_read(path, l->backing, sizeof(l->backing));
	n = r > 0 ? (size_t)r : 0;
	if (n && l->backing[n - 1] == '\n')
		l->backing[n - 1] = '\0';
	return r;
}

/* Call fn for every loop device in use. */
static void loops_each(dev_t near, void (*fn)(void *arg, const struct loop_device *l),
                       void *arg)
{
	AUTO(closedirp) DIR *d = opendir("/sys/block");
	AUTO(freep) struct loop_device *l = xcalloc(1, sizeof(*l));
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		*l = (struct loop_device){ 0 };
		(void)snprintf(l->name, sizeof(l->name), "%.31s", entry->d_name);
		if (strncmp(l->name, "loop", 4) != 0 || read_backing(l) < 0)
			continue;
		l->dev = dev_in("/sys/block/%s/dev", l->name);
		if (!l->dev)
			continue;
		find_loop_backing(l, near);
		fn(arg, l);
	}
}

__attribute__((format(printf, 3, 4))) static bool add_member(struct family *f, dev_t dev,
                                                             const char *fmt, ...)
{
	va_list ap;

	if (!dev || member_of(f, dev))
		return false;
	f->item = xrealloc(f->item, f->len + 1, sizeof(*f->item));
	f->item[f->len] = (struct member){ .dev = dev };
	va_start(ap, fmt);
	(void)vsnprintf(f->item[f->len].what, sizeof(f->item[f->len].what), fmt, ap);
	va_end(ap);
	f->len++;
	return true;
}

/* The partitions of a whole disk, or the disk of a partition. `whose`: "its", "loop1's". */
static void add_relatives(struct family *f, dev_t dev, const char *whose)
{
	char dir[64], name[64];
	AUTO(closedirp) DIR *d = NULL;
	struct dirent *entry;
	dev_t disk;

	(void)snprintf(dir, sizeof(dir), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (sysfs_is_partition(major(dev), minor(dev))) {
		disk = dev_in("%s/../dev", dir);
		add_member(f, disk, "%s whole disk %s", whose,
		           sysfs_name(name, sizeof(name), major(disk), minor(disk)));
		return;
	}
	d = opendir(dir);
	while (d && (entry = readdir(d))) {
		char text[32];

		if (entry->d_name[0] != '.' &&
		    !sysfs_text(text, sizeof(text), "%s/%s/partition", dir, entry->d_name))
			add_member(f, dev_in("%s/%s/dev", dir, entry->d_name),
			           "%s partition %.40s", whose, entry->d_name);
	}
}

struct beside {
	struct family *f;
	struct loop_device self;
};

static void find_self(void *arg, const struct loop_device *l)
{
	struct beside *b = arg;

	if (member_of(b->f, l->dev) && !b->self.dev)
		b->self = *l;
}

static bool same_file(const struct loop_device *a, const struct loop_device *b)
{
	if (!a->file_ino || !b->file_ino)
		return !strcmp(a->backing, b->backing);
	return a->file_dev == b->file_dev && a->file_ino == b->file_ino;
}

static void add_beside(void *arg, const struct loop_device *l)
{
	struct beside *b = arg;
	char whose[64];

	if (!same_file(l, &b->self))
		return;
	(void)snprintf(whose, sizeof(whose), "%s's", l->name);
	if (add_member(b->f, l->dev, "%s, over the same file,", l->name))
		add_relatives(b->f, l->dev, whose);
}

/* A loop device writes through to what backs it: a device below, or a file that other loop
 * devices share. */
static void add_backing(struct family *f)
{
	struct beside b = { .f = f };
	char name[64], whose[72];

	loops_each(0, find_self, &b);
	if (!b.self.dev)
		return;
	if (!b.self.device) {
		loops_each(0, add_beside, &b);
		return;
	}
	sysfs_name(name, sizeof(name), major(b.self.device), minor(b.self.device));
	(void)snprintf(whose, sizeof(whose), "%s's", name);
	if (add_member(f, b.self.device, "%s, which backs it,", name))
		add_relatives(f, b.self.device, whose);
}

static int check_mount(void *arg, const struct mount *m)
{
	const struct family *f = arg;
	const struct member *who = member_of(f, m->source_dev);
	char point[PATH_MAX];

	text_printable(point, sizeof(point), m->point);
	if (who)
		strlist_addf(f->found, "%s is mounted at %s: unmount it first", who->what,
		             point);
	return 0;
}

static int check_swap(void *arg, const char *path)
{
	const struct family *f = arg;
	const struct member *who;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISBLK(st.st_mode))
		return 0;
	who = member_of(f, st.st_rdev);
	if (who)
		strlist_addf(f->found, "%s is active swap: swapoff it first", who->what);
	return 0;
}

static void check_holders(const struct family *f, const struct member *who)
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
		strlist_addf(f->found, "%s is part of %s%s%s%s: take that apart first",
		             who->what, entry->d_name, *title ? " (" : "", title,
		             *title ? ")" : "");
	}
}

static void check_loop(void *arg, const struct loop_device *l)
{
	const struct family *f = arg;
	const struct member *who = member_of(f, l->device);

	if (who && !member_of(f, l->dev))
		strlist_addf(
		    f->found,
		    "%s backs the loop device %s: detach that first (losetup -d /dev/%s)",
		    who->what, l->name, l->name);
}

void device_users(dev_t dev, struct strlist *found)
{
	struct family f = { .found = found };

	add_member(&f, dev, "it");
	add_relatives(&f, dev, "its");
	add_backing(&f);
	(void)mounts_each(check_mount, &f);
	(void)swaps_each(check_swap, &f);
	for (size_t i = 0; i < f.len; i++)
		check_holders(&f, &f.item[i]);
	loops_each(0, check_loop, &f);
	free(f.item);
}

struct file_search {
	dev_t dev;
	ino_t ino;
	struct strlist *found;
};

static void file_loop(void *arg, const struct loop_device *l)
{
	const struct file_search *s = arg;

	if (l->file_ino && l->file_dev == s->dev && l->file_ino == s->ino)
		strlist_addf(
		    s->found,
		    "it backs the loop device %s: detach that first (losetup -d /dev/%s)",
		    l->name, l->name);
}

static int file_swap(void *arg, const char *path)
{
	const struct file_search *s = arg;
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode) && st.st_dev == s->dev &&
	    st.st_ino == s->ino)
		strlist_addf(s->found, "it is active swap: swapoff it first");
	return 0;
}

void file_users(dev_t dev, ino_t ino, struct strlist *found)
{
	struct file_search s = { .dev = dev, .ino = ino, .found = found };

	loops_each(dev, file_loop, &s);
	(void)swaps_each(file_swap, &s);
}
