/* run/guard_private.h: what guard.c, guard_file.c and signature.c share. */
#ifndef RUN_GUARD_PRIVATE_H
#define RUN_GUARD_PRIVATE_H

#include "base/units.h"
#include "run/target.h"
#include "run/users.h"

/* Looking through all processes is worth this long; a server that hangs may not keep it. */
#define PROCESSES_NS (2 * SEC)
/* How long a file of ours may stay open for writing by who cannot be known. */
#define OURS_NS (3 * SEC)
/* Said when it took longer. */
#define PROCESSES_UNKNOWN "not known: looking through the processes took too long"

/* One target, and what is known of it so far. */
struct guard {
	const struct target_info *t;
	const struct intent *want;
	const struct consent *consent;
	struct strlist *refusals, *decisions; /* decisions: NULL if not wanted */
	char name[PATH_MAX];                  /* as configured, safe for a terminal */
	int fd;                               /* block device: it, opened for reading ... */
	struct users *users;                  /* ... who uses it ... */
	bool used;                            /* ... and whether anything does */
	pid_t asking;      /* the process that asks: what it has open does not count */
	const char *found; /* by the check under way, instead of .allowed */
};

/* One thing that is looked at. It adds refusals, or none. */
struct check {
	const char *name;
	void (*fn)(struct guard *g);
	const char *allowed; /* said when it has none */
};
void guard_run(struct guard *g, const struct check *check, size_t n);

void guard_file(struct guard *g);
void guard_directory(struct guard *g);

/* The types of all file systems, partition tables, RAID and swap headers on the device, each
 * once. 0 or -errno. */
int signatures_find(int fd, struct strlist *types);
/* Is this type among those that may be overwritten? */
bool signature_given_up(const struct consent *c, const char *type);

#endif
