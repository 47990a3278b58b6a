#include "run/loops.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "host/sysfs.h"
#include "run/bounded.h"
#include "run/mounts.h"

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

void loops_each(dev_t near, void (*fn)(void *arg, const struct loop_device *l), void *arg)
{
	AUTO(closedirp) DIR *d = opendir("/sys/block");
	AUTO(freep) struct loop_device *l = xcalloc(1, sizeof(*l));
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		*l = (struct loop_device){ 0 };
		(void)snprintf(l->name, sizeof(l->name), "%.31s", entry->d_name);
		if (strncmp(l->name, "loop", 4) != 0 || read_backing(l) < 0)
			continue;
		l->dev = sysfs_dev("/sys/block/%s/dev", l->name);
		if (!l->dev)
			continue;
		find_loop_backing(l, near);
		fn(arg, l);
	}
}

bool loops_same_file(const struct loop_device *a, const struct loop_device *b)
{
	if (!a->file_ino || !b->file_ino)
		return !strcmp(a->backing, b->backing);
	return a->file_dev == b->file_dev && a->file_ino == b->file_ino;
}
