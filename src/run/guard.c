/* What must not be harmed. Every refusal says what was found and what the user could do; all of
 * them are collected. */
#include <blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "host/sysfs.h"
#include "run/target.h"
#include "run/users.h"

struct guard {
	const struct target_info *t;
	const struct consent *consent;
	struct strlist *refusals;
	char name[PATH_MAX]; /* as configured, safe for a terminal */
};

/* The device number that a --destroy argument means: a path, also a link, or "M:m". 0: no block
 * device. */
static dev_t named_device(const char *arg)
{
	uint32_t major, minor;
	struct stat st;

	if (!parse_device(arg, &major, &minor, NULL))
		return makedev(major, minor);
	return stat(arg, &st) == 0 && S_ISBLK(st.st_mode) ? st.st_rdev : 0;
}

static bool destroy_names(const struct consent *c, dev_t dev)
{
	for (size_t i = 0; c->destroy && i < c->destroy->len; i++)
		if (named_device(c->destroy->item[i]) == dev)
			return true;
	return false;
}

static bool may_overwrite(const struct guard *g)
{
	const struct strlist *l = g->consent->may_overwrite;
	char real[PATH_MAX];

	for (size_t i = 0; l && i < l->len; i++)
		if (realpath(l->item[i], real) && !strcmp(real, g->t->path))
			return true;
	return false;
}

/* The types of all file systems, partition tables, RAID and swap headers on the device, each
 * once. */
static int find_signatures(int fd, struct strlist *types)
{
	blkid_probe pr = blkid_new_probe();
	const char *type;
	int r = -1;

	if (!pr)
		return -ENOMEM;
	if (blkid_probe_set_device(pr, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(pr, 1);
		blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_BADCSUM);
		blkid_probe_enable_partitions(pr, 1);
		blkid_probe_set_partitions_flags(pr, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
		while ((r = blkid_do_probe(pr)) == 0) {
			if (blkid_probe_lookup_value(pr, "TYPE", &type, NULL) != 0 &&
			    blkid_probe_lookup_value(pr, "PTTYPE", &type, NULL) != 0)
				continue;
			if (!strlist_has(types, type))
				strlist_add(types, type);
		}
	}
	blkid_free_probe(pr);
	return r == 1 ? 0 : -EIO; /* 1: nothing more */
}

/* The protective MBR is part of every GPT: giving up the one gives up the other. */
static bool signature_given_up(const struct consent *c, const char *type)
{
	const struct strlist *l = c->overwrite_signature;

	return l && (strlist_has(l, type) || (!strcmp(type, "PMBR") && strlist_has(l, "gpt")));
}

static void check_signatures(const struct guard *g, int fd)
{
	struct strlist types = { 0 };

	if (find_signatures(fd, &types))
		strlist_addf(g->refusals,
		             "%s: it could not be read to look for file systems on it",
		             g->name);
	for (size_t i = 0; i < types.len; i++)
		if (!signature_given_up(g->consent, types.item[i]))
			strlist_addf(g->refusals,
			             "%s: there is a signature of type %s on it: if that data "
			             "may be lost, add "
			             "--overwrite-signature=%s",
			             g->name, types.item[i], types.item[i]);
	strlist_fini(&types);
}

void guard_signatures(const struct target_info *t, const struct consent *c,
                      struct strlist *types)
{
	AUTO(closep) int fd = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct strlist found = { 0 };

	if (fd >= 0)
		(void)find_signatures(fd, &found);
	for (size_t i = 0; i < found.len; i++) {
		bool part = !strcmp(found.item[i], "PMBR") && strlist_has(&found, "gpt");

		if (!part && !signature_given_up(c, found.item[i]) &&
		    !strlist_has(types, found.item[i]))
			strlist_add(types, found.item[i]);
	}
	strlist_fini(&found);
}

static void check_exclusive(const struct guard *g, bool users_known)
{
	AUTO(closep) int fd = open(g->t->path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && !(errno == EBUSY && users_known))
		strlist_addf(g->refusals,
		             errno == EBUSY ? "%s: the kernel or another program holds it "
		                              "exclusively (%s): end that "
		                              "use first; no option overrides this"
		                            : "%s: it cannot be opened exclusively: %s",
		             g->name, err_name(errno));
}

static void check_block(const struct guard *g)
{
	AUTO(closep) int fd = open(g->t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	dev_t dev = makedev(g->t->major, g->t->minor);
	struct strlist users = { 0 };
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		strlist_addf(g->refusals, "%s: it cannot be opened to see what is on it: %s",
		             g->name, err_name(errno));
		return;
	}
	if (!S_ISBLK(st.st_mode) || st.st_rdev != dev) {
		strlist_addf(g->refusals,
		             "%s: it is another device than a moment ago: start again",
		             g->name);
		return;
	}
	if (!destroy_names(g->consent, dev))
		strlist_addf(
		    g->refusals,
		    "%s: all data on this device would be lost: to allow it, add --destroy %s",
		    g->name, g->name);
	if (!g->t->writable)
		strlist_addf(g->refusals,
		             "%s: it is read-only, or this user may not write to it", g->name);
	device_users(dev, &users);
	for (size_t i = 0; i < users.len; i++)
		strlist_addf(g->refusals, "%s: %s; no option overrides this", g->name,
		             users.item[i]);
	check_signatures(g, fd);
	check_exclusive(g, users.len > 0);
	strlist_fini(&users);
}

/* Whoever owns it: no file is written to while it serves as a device, or under a second name.
 */
static void check_file_use(const struct guard *g)
{
	struct strlist users = { 0 };
	struct stat st;

	if (lstat(g->t->path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_dev != g->t->dev ||
	    st.st_ino != g->t->ino) {
		strlist_addf(g->refusals,
		             "%s: it is another file than a moment ago: start again", g->name);
		return;
	}
	if (st.st_nlink > 1)
		strlist_addf(
		    g->refusals,
		    "%s: it has %ju names (hard links), so other names would change too: use "
		    "a file with one",
		    g->name, (uintmax_t)st.st_nlink);
	file_users(st.st_dev, st.st_ino, &users);
	for (size_t i = 0; i < users.len; i++)
		strlist_addf(g->refusals, "%s: %s", g->name, users.item[i]);
	strlist_fini(&users);
}

static void check_file(const struct guard *g, const struct intent *want, bool writes)
{
	char have[32], need[32];

	if (!g->t->ours && want->size_bytes > g->t->size_bytes)
		strlist_addf(
		    g->refusals,
		    "%s: size %s is beyond its %s (%" PRIu64
		    " bytes), and a file that iosweep did not make "
		    "is never extended: use a smaller size, or a file that does not exist",
		    g->name, print_size(need, sizeof(need), want->size_bytes),
		    print_bytes(have, sizeof(have), g->t->size_bytes), g->t->size_bytes);
	if (!writes)
		return;
	if (!g->t->ours && !may_overwrite(g))
		strlist_addf(g->refusals,
		             "%s: it exists, was not made by iosweep, and would be written to: "
		             "to allow it, name it "
		             "in \"may_overwrite\", or use a file that does not exist",
		             g->name);
	check_file_use(g);
}

static void check_directory(const struct guard *g, uint64_t files)
{
	char path[PATH_MAX + 32], safe[PATH_MAX];
	uint64_t foreign = 0;
	struct stat st;

	for (uint64_t i = 0; i < files; i++) {
		target_file_path(path, sizeof(path), g->t->path, true, (unsigned)i);
		if (lstat(path, &st) != 0 || g->t->ours || target_is_ours(path))
			continue;
		if (!foreign++)
			text_printable(safe, sizeof(safe), path);
	}
	if (foreign)
		strlist_addf(g->refusals,
		             "%s: %s exists and was not made by iosweep (%" PRIu64
		             " such file%s): move "
		             "it away, or use another directory",
		             g->name, safe, foreign, foreign == 1 ? "" : "s");
}

void guard_check(const struct target_info *t, const struct intent *want,
                 const struct consent *c, struct strlist *refusals)
{
	struct guard g = { .t = t, .consent = c, .refusals = refusals };
	bool writes = want->writes || want->fill;

	text_printable(g.name, sizeof(g.name), t->filename);
	switch (t->kind) {
	case TARGET_BLOCK:
		if (writes)
			check_block(&g);
		break;
	case TARGET_FILE:
		check_file(&g, want, writes);
		break;
	case TARGET_DIRECTORY:
		check_directory(&g, want->files);
		break;
	case TARGET_MISSING: /* made with O_EXCL: nothing is there to be harmed */
	case TARGET_UNUSABLE:
	case TARGET_NOT_NEEDED:
	case TARGET_SIMULATED:
		break;
	}
}

void guard_check_destroy(const struct world *w, const struct consent *c, struct strlist *errors)
{
	for (size_t i = 0; c->destroy && i < c->destroy->len; i++) {
		const char *arg = c->destroy->item[i];
		dev_t dev = named_device(arg);
		bool found = false;
		char safe[PATH_MAX];

		for (size_t t = 0; t < w->targets && !found; t++)
			found = dev && (dev == makedev(w->target[t].major, w->target[t].minor)
			                    ? w->target[t].kind == TARGET_BLOCK
			                    : w->target[t].problem_errno == ETIMEDOUT &&
			                          !strcmp(w->target[t].filename, arg));
		text_printable(safe, sizeof(safe), arg);
		if (!found)
			strlist_addf(errors, "--destroy %s: %s", safe,
			             dev ? "no target of this sweep is that device"
			                 : "no such block device");
	}
}
