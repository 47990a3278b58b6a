/* run/mounts.h: what this process sees mounted, and active swap. Names may lie (symbolic links,
 * second nodes): mounts are known by device numbers. */
#ifndef RUN_MOUNTS_H
#define RUN_MOUNTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct mount {
	dev_t dev; /* the number in mountinfo: 0:x for file systems without a device of their
	              own */
	dev_t source_dev; /* block device: dev, or what `source` names; 0: none */
	char point[PATH_MAX], source[PATH_MAX];
	char fs[32];
	char options[256]; /* the mount's and the file system's */
};

/* Parse one line of /proc/self/mountinfo; false when it is none. source_dev is left 0 unless
 * dev has a major. */
bool mount_parse(struct mount *m, const char *line);
/* Call fn for every mount that this process sees until it returns non-zero; returns that, or 0,
 * or -errno. */
int mounts_each(int (*fn)(void *arg, const struct mount *m), void *arg);
/* The same for the mountinfo file of another process. */
int mounts_each_in(const char *path, int (*fn)(void *arg, const struct mount *m), void *arg);

/* Another view of what is mounted than this process has: a mount namespace or a root of its
 * own.
 */
struct mount_view {
	pid_t pid;     /* one process that has it ... */
	char name[64]; /* ... and its name, fit for a terminal */
	char path[64]; /* its mountinfo */
};
/* Call fn for every such view once, as far as processes may be looked at, until it returns
 * non-zero; returns how many there are. */
unsigned mount_views_each(int (*fn)(void *arg, const struct mount_view *v), void *arg);
/* The mount that holds `path` (absolute, resolved) whose stat gave `dev`. 0 or -ENOENT. */
int mount_of(struct mount *out, const char *path, dev_t dev);
/* Call fn with the path of every active swap file or device until it returns non-zero; as
 * mounts_each(). */
int swaps_each(int (*fn)(void *arg, const char *path), void *arg);

#endif
