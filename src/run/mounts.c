#include "run/mounts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "host/sysfs.h"

/* Copy one blank-separated word, with the kernel's \040-style escapes undone; returns what
 * follows it. */
static const char *word(const char *s, char *out, size_t size)
{
	size_t n = 0;

	for (; *s && *s != ' ' && *s != '\n'; s++) {
		char c = *s;

		if (c == '\\' && s[1] >= '0' && s[1] <= '3' && isdigit((unsigned char)s[2]) &&
		    isdigit((unsigned char)s[3])) {
			c = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 3;
		}
		if (n + 1 < size)
			out[n++] = c;
	}
	out[n] = '\0';
	return *s == ' ' ? s + 1 : s;
}

/* "rw,relatime" and "rw,discard" are one list for people: "rw,relatime,discard". */
static void join_options(char *out, size_t size, const char *mount, const char *super)
{
	size_t skip = strcspn(super, ",");
	bool same = skip == 2 && (!strncmp(super, "rw", 2) || !strncmp(super, "ro", 2));

	if (same)
		super += skip + (super[skip] == ',');
	(void)snprintf(out, size, "%.120s%s%.120s", mount, *super ? "," : "", super);
}

bool mount_parse(struct mount *m, const char *line)
{
	char mount_options[256], super_options[256], skip[PATH_MAX];
	const char *s = line, *dash;
	uint32_t major, minor;

	s = word(s, skip, sizeof(skip)); /* id */
	s = word(s, skip, sizeof(skip)); /* parent */
	if (parse_device(s, &major, &minor, &s) || *s++ != ' ')
		return false;
	*m = (struct mount){ .dev = makedev(major, minor) };
	s = word(s, skip, sizeof(skip)); /* root within the file system */
	s = word(s, m->point, sizeof(m->point));
	s = word(s, mount_options, sizeof(mount_options));
	dash = s[0] == '-' && s[1] == ' ' ? s : strstr(s, " - ");
	if (!dash)
		return false;
	s = dash + (dash[0] == ' ' ? 3 : 2);
	s = word(s, m->fs, sizeof(m->fs));
	s = word(s, m->source, sizeof(m->source));
	(void)word(s, super_options, sizeof(super_options));
	join_options(m->options, sizeof(m->options), mount_options, super_options);
	if (major)
		m->source_dev = m->dev;
	return true;
}

/* File systems such as btrfs have an anonymous number: their source path says which device. A
 * source elsewhere is none, and may be a file that hangs. */
static dev_t source_device(const char *source)
{
	struct stat st;

	if (strncmp(source, "/dev/", 5) != 0 || stat(source, &st) != 0 || !S_ISBLK(st.st_mode))
		return 0;
	return st.st_rdev;
}

int mounts_each_in(const char *path, int (*fn)(void *arg, const struct mount *m), void *arg)
{
	AUTO(fclosep) FILE *f = fopen(path, "re");
	AUTO(freep) char *line = NULL;
	AUTO(freep) struct mount *m = xcalloc(1, sizeof(*m));
	size_t cap = 0;
	int r = 0;

	if (!f)
		return -errno;
	while (!r && getline(&line, &cap, f) > 0) {
		if (!mount_parse(m, line))
			continue;
		if (!m->source_dev)
			m->source_dev = source_device(m->source);
		r = fn(arg, m);
	}
	return r;
}

int mounts_each(int (*fn)(void *arg, const struct mount *m), void *arg)
{
	return mounts_each_in("/proc/self/mountinfo", fn, arg);
}

/* What makes a view: namespace and root. */
struct view_key {
	uint64_t ns, root_dev, root_ino;
};

/* Never waits for a file system. */
static int look(const char *pid, const char *entry, struct statx *sx)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%.16s/%s", pid, entry);
	return statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_INO, sx);
}

static bool view_of(struct view_key *key, const char *pid)
{
	struct statx ns, dir;

	if (look(pid, "ns/mnt", &ns) || look(pid, "root", &dir))
		return false;
	*key = (struct view_key){ ns.stx_ino, makedev(dir.stx_dev_major, dir.stx_dev_minor),
		                  dir.stx_ino };
	return true;
}

struct views {
	struct view_key *key;
	size_t n;
};

static bool is_new(struct views *v, const struct view_key *key)
{
	for (size_t i = 0; i < v->n; i++)
		if (!memcmp(&v->key[i], key, sizeof(*key)))
			return false;
	v->key = xrealloc(v->key, v->n + 1, sizeof(*v->key));
	v->key[v->n++] = *key;
	return true;
}

unsigned mount_views_each(int (*fn)(void *arg, const struct mount_view *v), void *arg)
{
	AUTO(closedirp) DIR *d = opendir("/proc");
	struct views known = { 0 };
	struct view_key key;
	struct dirent *entry;
	unsigned n = 0;

	if (view_of(&key, "self"))
		(void)is_new(&known, &key);
	while (d && (entry = readdir(d))) {
		struct mount_view v = { .pid = (pid_t)strtol(entry->d_name, NULL, 10) };

		if (v.pid <= 0 || !view_of(&key, entry->d_name) || !is_new(&known, &key))
			continue;
		(void)sysfs_text(v.name, sizeof(v.name), "/proc/%d/comm", (int)v.pid);
		(void)snprintf(v.path, sizeof(v.path), "/proc/%d/mountinfo", (int)v.pid);
		n++;
		if (fn(arg, &v))
			break;
	}
	free(known.key);
	return n;
}

struct search {
	const char *path;
	dev_t dev;
	struct mount *best;
	size_t best_len;
	bool best_same;
};

static int better(void *arg, const struct mount *m)
{
	struct search *s = arg;
	size_t n = strlen(m->point);
	bool same = m->dev == s->dev;

	if (n == 1) /* "/" */
		n = 0;
	if (strncmp(s->path, m->point, n) != 0 || (s->path[n] && s->path[n] != '/'))
		return 0;
	if (*s->best->fs && (same < s->best_same || (same == s->best_same && n < s->best_len)))
		return 0;
	*s->best = *m; /* of equals the later: it lies on top */
	s->best_len = n;
	s->best_same = same;
	return 0;
}

int mount_of(struct mount *out, const char *path, dev_t dev)
{
	struct search s = { .path = path, .dev = dev, .best = out };

	*out = (struct mount){ 0 };
	(void)mounts_each(better, &s);
	return *out->fs ? 0 : -ENOENT;
}

int swaps_each(int (*fn)(void *arg, const char *path), void *arg)
{
	AUTO(fclosep) FILE *f = fopen("/proc/swaps", "re");
	AUTO(freep) char *line = NULL;
	char path[PATH_MAX];
	size_t cap = 0;
	int r = 0;

	if (!f)
		return errno == ENOENT ? 0 : -errno; /* a kernel without swap */
	while (!r && getline(&line, &cap, f) > 0) {
		(void)word(line, path, sizeof(path));
		if (path[0] == '/') /* not the heading */
			r = fn(arg, path);
	}
	return r;
}
