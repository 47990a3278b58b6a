/* model/world.h: what this machine and its targets are, found once before planning. Plain values; the plan
 * decides from these alone, so that it stays pure and testable. */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/axis.h"

enum target_kind {
	TARGET_MISSING,   /* does not exist, could be created: its directory exists */
	TARGET_FILE,      /* regular file */
	TARGET_BLOCK,     /* block device */
	TARGET_DIRECTORY, /* one file per job inside */
	TARGET_UNUSABLE,  /* see problem */
	TARGET_NOT_NEEDED, /* only the null engine uses it */
	TARGET_SIMULATED,  /* its file describes a device; it has size_bytes, and is never opened for I/O */
	TARGET_SET         /* several at once: members; it has filename, device, fs, rotational and unwritten of them */
};

const char *target_kind_name(enum target_kind kind); /* "block device" */

#define FREE_UNKNOWN ((uint64_t)INT64_MAX) /* a file system that counts no blocks: anything may fit */

struct target_info {
	char filename[PATH_MAX]; /* as configured */
	char path[PATH_MAX];     /* absolute, symlinks resolved (the parent's, for a missing file) */
	enum target_kind kind;
	int problem_errno;       /* TARGET_UNUSABLE: why, positive errno ... */
	char problem[256];       /* ... and in words, e.g. "no such directory: /mnt/x" */
	bool ours;               /* made by this program: marker found */
	bool unmarkable;         /* its file system holds no markers: only the DB can know it for ours */
	bool writable;           /* this user may write to it */
	uint64_t size_bytes;     /* file or device; 0 for missing and directories */
	uint64_t free_bytes;     /* of its file system, for this user; or FREE_UNKNOWN */
	uint64_t ours_bytes;     /* already allocated there in files that this program made */
	uint32_t offset_align;   /* needed with direct=1, bytes; 0: O_DIRECT does not work here */
	uint32_t memory_align;
	uint64_t dev, ino;       /* st_dev of the file system, st_ino; identity of a file */
	uint64_t born_ns;        /* of a file: when it came to be; 0: unknown */
	uint32_t major, minor;   /* the block device itself, or the one under the file system; 0:0 if none */
	uint64_t diskseq;        /* block device: counts every disk the kernel has seen, never the same for two; 0: unknown */
	char boot[40];           /* block device: the start of the machine since which the two above mean it */
	char backing[PATH_MAX];  /* loop device: the file behind it, with its inode number; "" otherwise */
	char device[128];        /* model and name for people, e.g. "Samsung SSD 990 PRO (nvme0n1)" */
	char serial[128], wwn[128];
	char fs[32];             /* "ext4", "tmpfs"; "" for a block device */
	char mount_point[PATH_MAX], mount_options[256];
	bool rotational;
	bool polls;              /* its queue can be polled for completions (queue/io_poll) */
	bool trims;              /* block device: takes them (queue/discard_max_bytes) */
	bool uncached;           /* takes I/O that leaves nothing in the page cache (RWF_DONTCACHE) */
	int zero_pct;            /* block device: share of sampled 4k reads that were all zero; -1: not sampled */
	bool unwritten;          /* reads would meet holes, unwritten extents or zeros (>= 5 %) */
	unsigned members;        /* TARGET_SET: how many ... */
	size_t member[TARGETS_MAX]; /* ... and which of world.target */
};

/* The targets that a filename value stands for: a set's members, else itself alone. */
static inline unsigned target_members(const struct target_info *t)
{
	return t->kind == TARGET_SET ? t->members : 1;
}

/* The same device or file, perhaps under another name. */
bool target_same(const struct target_info *a, const struct target_info *b);
/* What a set shows of its members, of which there are set->members: what is on the way to all of them. */
void target_join(struct target_info *set, const struct target_info *const *member);

struct engine_status {
	bool usable;
	int error;         /* positive errno when not */
	char reason[256];  /* the true reason when not */
};

struct limits {
	uint64_t memory_total, memory_available; /* bytes */
	uint64_t aio_max_nr, aio_nr;
	uint64_t memlock;          /* bytes that may be locked; UINT64_MAX unlimited, or privileged */
	uint64_t threads_max;      /* more threads this user and machine may start */
	uint64_t nofile;
	int nice_least;            /* lowest value of the axis nice that may be had; 0 or less */
	bool uring_trims;          /* the kernel's io_uring does trims */
	bool realtime_io;          /* prioclass 1 may be had */
	unsigned cpus;             /* usable by this process ... */
	cpu_set_t cpu_set;         /* ... and which */
	unsigned page_size;
};

struct world {
	struct target_info *target; /* parallel to sweep.target */
	size_t targets;
	struct engine_status engine[ENGINE_COUNT];
	struct limits limits;
};

/* Member k < target_members() of filename value `target`, as an index into w->target. */
static inline size_t world_member(const struct world *w, size_t target, unsigned k)
{
	const struct target_info *t = &w->target[target];

	return t->kind == TARGET_SET ? t->member[k] : target;
}

#endif
