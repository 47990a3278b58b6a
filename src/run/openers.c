#include "run/openers.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "host/sysfs.h"

/* Fills what it is; false: neither block device nor regular file. */
static bool look_at(struct opener *o, int dir, const char *fd)
{
	struct statx sx;

	if (statx(dir, fd, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO, &sx))
		return false;
	if (!S_ISBLK(sx.stx_mode) && !S_ISREG(sx.stx_mode))
		return false;
	o->fd = (int)strtol(fd, NULL, 10);
	o->rdev = S_ISBLK(sx.stx_mode) ? makedev(sx.stx_rdev_major, sx.stx_rdev_minor) : 0;
	o->dev = makedev(sx.stx_dev_major, sx.stx_dev_minor);
	o->ino = sx.stx_ino;
	return true;
}

static void each_fd(struct opener *o, void (*fn)(void *arg, const struct opener *o), void *arg)
{
	char path[64], name[64] = "";
	struct dirent *entry;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)o->pid);
	AUTO(closedirp) DIR *d = opendir(path);

	if (!d)
		return;
	(void)sysfs_text(name, sizeof(name), "/proc/%d/comm", (int)o->pid);
	o->name = name;
	while ((entry = readdir(d)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    look_at(o, dirfd(d), entry->d_name))
			fn(arg, o);
	o->name = NULL;
}

void openers_each(pid_t but, void (*fn)(void *arg, const struct opener *o), void *arg)
{
	AUTO(closedirp) DIR *d = opendir("/proc");
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		struct opener o = { .pid = (pid_t)strtol(entry->d_name, NULL, 10) };

		if (o.pid > 0 && o.pid != getpid() && o.pid != but)
			each_fd(&o, fn, arg);
	}
}

/* From /proc/PID/fdinfo/FD, which has the flags of open() in octal. */
bool opener_writes(const struct opener *o)
{
	char path[64], text[1024];
	const char *flags;

	(void)snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)o->pid, o->fd);
	if (file_read(path, text, sizeof(text)) < 0)
		return false;
	flags = strstr(text, "flags:");
	return flags && (strtol(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) != O_RDONLY;
}
