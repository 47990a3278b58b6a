/* What must not be harmed. Every refusal says what was found and what the user could do; all of
 * them are collected. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "host/sysfs.h"
#include "run/bounded.h"
#include "run/guard_private.h"
#include "run/identity.h"

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

void guard_run(struct guard *g, const struct check *check, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t before = g->refusals->len;

		g->found = check[i].allowed;
		check[i].fn(g);
		if (!g->decisions)
			continue;
		if (g->refusals->len == before)
			strlist_addf(g->decisions, "%s: %s: allowed: %s", g->name,
			             check[i].name, g->found);
		for (size_t r = before; r < g->refusals->len; r++)
			strlist_addf(g->decisions, "%s: %s: refused: %s", g->name,
			             check[i].name, g->refusals->item[r] + strlen(g->name) + 2);
	}
}

static void check_device(struct guard *g)
{
	struct stat st;

	if (fstat(g->fd, &st) ||
	    !device_is(g->fd, &st, makedev(g->t->major, g->t->minor), g->t->diskseq))
		strlist_addf(g->refusals,
		             "%s: it is another device than a moment ago: start again",
		             g->name);
	else if (device_resized(g->fd, g->t->size_bytes))
		strlist_addf(g->refusals,
		             "%s: its size is not what it was a moment ago: start again",
		             g->name);
}

static void check_consent(struct guard *g)
{
	if (!destroy_names(g->consent, makedev(g->t->major, g->t->minor)))
		strlist_addf(g->refusals,
		             "%s: all data on this device would be lost: to allow it, add "
		             "--destroy %s",
		             g->name, g->name);
}

static void check_writable(struct guard *g)
{
	if (!g->t->writable)
		strlist_addf(g->refusals,
		             "%s: it is read-only, or this user may not write to it", g->name);
}

/* Where the kernel's lists cannot be read, nothing is known, which is not the same as nothing.
 */
static void check_lists(struct guard *g)
{
	char device[64];
	const char *const list[] = { "/proc/self/mountinfo", device };

	(void)snprintf(device, sizeof(device), "/sys/dev/block/%u:%u", g->t->major,
	               g->t->minor);
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if (access(list[i], R_OK))
			strlist_addf(
			    g->refusals,
			    "%s: what uses it cannot be known: %s: %s: mount /proc and "
			    "/sys first",
			    g->name, list[i], err_name(errno));
}

static void add_uses(struct guard *g, const struct strlist *uses)
{
	for (size_t i = 0; i < uses->len; i++)
		strlist_addf(g->refusals, "%s: %s; no option overrides this", g->name,
		             uses->item[i]);
}

/* How the kernel uses it. */
static void check_uses(struct guard *g,
                       void (*fn)(const struct users *u, struct strlist *found))
{
	struct strlist uses = { 0 };

	fn(g->users, &uses);
	add_uses(g, &uses);
	g->used = g->used || uses.len;
	strlist_fini(&uses);
}

static void check_mounts(struct guard *g)
{
	check_uses(g, users_mounts);
}

static void check_swap(struct guard *g)
{
	check_uses(g, users_swap);
}

static void check_holders(struct guard *g)
{
	check_uses(g, users_holders);
}

static void check_loops(struct guard *g)
{
	check_uses(g, users_loops);
}

static void find_writers(void *arg, struct strlist *out)
{
	const struct guard *g = arg;

	users_writers(g->users, g->asking, out);
}

static void check_writers(struct guard *g)
{
	struct strlist uses = { 0 };

	if (bounded_lines(find_writers, g, &uses, PROCESSES_NS))
		g->found = PROCESSES_UNKNOWN;
	add_uses(g, &uses);
	strlist_fini(&uses);
}

static void check_signatures(struct guard *g)
{
	struct strlist types = { 0 };

	if (signatures_find(g->fd, &types))
		strlist_addf(g->refusals,
		             "%s: it could not be read to look for file systems on it",
		             g->name);
	if (types.len)
		g->found = "all that are there are given up by --overwrite-signature";
	for (size_t i = 0; i < types.len; i++)
		if (!signature_given_up(g->consent, types.item[i]))
			strlist_addf(g->refusals,
			             "%s: there is a signature of type %s on it: if that data "
			             "may be lost, add "
			             "--overwrite-signature=%s",
			             g->name, types.item[i], types.item[i]);
	strlist_fini(&types);
}

/* Whoever holds it may be named already. */
static void check_exclusive(struct guard *g)
{
	AUTO(closep) int fd = -1;

	if (g->want->held) {
		g->found = "this sweep holds it";
		return;
	}
	fd = open(g->t->path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		return;
	g->found = "held by what is refused above";
	if (errno != EBUSY)
		strlist_addf(g->refusals, "%s: it cannot be opened exclusively: %s", g->name,
		             err_name(errno));
	else if (!g->used)
		strlist_addf(g->refusals,
		             "%s: the kernel or another program holds it exclusively (%s): end "
		             "that use first; no option overrides this",
		             g->name, err_name(EBUSY));
}

static const struct check block_checks[] = {
	{ "identity", check_device, "the device that was looked at: number, size, sequence" },
	{ "consent", check_consent, "--destroy names it" },
	{ "writable", check_writable, "it can be written to" },
	{ "lists", check_lists, "the kernel says what is in use" },
	{ "mounts", check_mounts, "mounted nowhere, nor its partitions or its disk" },
	{ "swap", check_swap, "no active swap" },
	{ "holders", check_holders, "part of no other device" },
	{ "loops", check_loops, "it backs no loop device" },
	{ "writers", check_writers, "no process that can be seen has it open for writing" },
	{ "signatures", check_signatures, "none on it" },
	{ "exclusive", check_exclusive, "nobody else holds it" },
};

static void guard_block(struct guard *g)
{
	AUTO(closep) int fd = open(g->t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		strlist_addf(g->refusals, "%s: it cannot be opened to see what is on it: %s",
		             g->name, err_name(errno));
		return;
	}
	g->fd = fd;
	g->users = users_new(makedev(g->t->major, g->t->minor));
	guard_run(g, block_checks, ARRAY_SIZE(block_checks));
	users_free(g->users);
}

static void check_nothing(struct guard *g)
{
	(void)g;
}

/* What needs no look: it is said, so that the record has no hole. */
static void allowed(struct guard *g, const char *name, const char *why)
{
	guard_run(g, &(struct check){ name, check_nothing, why }, 1);
}

void guard_decide(const struct target_info *t, const struct intent *want,
                  const struct consent *c, struct strlist *refusals, struct strlist *decisions)
{
	struct guard g = { .t = t,
		           .want = want,
		           .consent = c,
		           .refusals = refusals,
		           .decisions = decisions,
		           .asking = getpid(),
		           .fd = -1 };

	text_printable(g.name, sizeof(g.name), t->filename);
	switch (t->kind) {
	case TARGET_BLOCK:
		if (want->writes || want->fill)
			guard_block(&g);
		else
			allowed(&g, "read-only", "it is opened for reading only");
		break;
	case TARGET_FILE:
		guard_file(&g);
		break;
	case TARGET_DIRECTORY:
		guard_directory(&g);
		break;
	case TARGET_MISSING:
		allowed(&g, "missing",
		        "nothing is there: it is made, and only if that is still so");
		break;
	case TARGET_UNUSABLE:
	case TARGET_NOT_NEEDED:
	case TARGET_SIMULATED:
	case TARGET_SET: /* each of its members is asked about */
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
