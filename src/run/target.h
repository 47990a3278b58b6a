/* run/target.h: targets: look at them, refuse the unsafe, hold, create, remove. Nothing here writes data. */
#ifndef RUN_TARGET_H
#define RUN_TARGET_H

#include "base/err.h"
#include "base/text.h"
#include "model/world.h"
#include "run/bounded.h"

/* Look at a target; never writes, never fails: what is wrong is in t->problem. */
void target_inspect(struct target_info *t, const char *filename);
/* Block devices and existing files: sample or map for unwritten data; sets zero_pct and unwritten.
 * size_bytes: how much of a file will be read (FIEMAP over it). */
void target_check_written(struct target_info *t, uint64_t size_bytes, uint64_t seed);
/* The two above in a child process, and target_inspect() with one read of what is there: they come back within limit_ns
 * whatever the target does. A target that does not answer is TARGET_UNUSABLE with ETIMEDOUT, or not checked. */
void target_look(struct target_info *t, const char *filename, uint64_t limit_ns);
void target_look_written(struct target_info *t, uint64_t size_bytes, uint64_t seed, uint64_t limit_ns);
/* Does it answer? One read of it in a child process, which stays with the question for as long as it takes: 0 or
 * -errno. Afterwards, waiting at most so long: has the read come back, with data or an error? */
int target_ask(struct bounded *b, const struct target_info *t);
bool target_answered(struct bounded *b, uint64_t limit_ns);
/* Does direct I/O start without blocking (RWF_NOWAIT)? Where it does not, io_uring hands every I/O to a kernel
 * thread. 1 yes, 0 no, -1 unknown. Only reads. */
int target_nowait(const struct target_info *t);
int target_look_nowait(const struct target_info *t, uint64_t limit_ns); /* in a child, as above; -1 also without an answer */

struct consent {
	const struct strlist *destroy;             /* --destroy DEVICE */
	const struct strlist *overwrite_signature; /* --overwrite-signature=TYPE */
	const struct strlist *may_overwrite;       /* config: existing files */
};

struct intent {
	bool reads, writes, fill;
	uint64_t size_bytes; /* region that must exist, per file */
	uint64_t files;      /* directories: how many */
	bool held;           /* block devices: this sweep has it exclusively already */
};

/* Add one line per reason why `t` must not be used as intended: what was found and what the user could do; and, unless
 * decisions is NULL, one for every single check: "NAME: CHECK: allowed: why" or "... refused: why". */
void guard_decide(const struct target_info *t, const struct intent *want, const struct consent *c,
                  struct strlist *refusals, struct strlist *decisions);
/* Add the types of all signatures on a block device that would be lost and are not given up, each once. */
void guard_signatures(const struct target_info *t, const struct consent *c, struct strlist *types);
/* --destroy arguments that name no block device of the sweep: one line each. */
void guard_check_destroy(const struct world *w, const struct consent *c, struct strlist *errors);
/* The three above in a child process, back within limit_ns whatever the target does: one that does not answer is
 * refused. decisions: as above. */
void guard_ask(const struct target_info *t, const struct intent *want, const struct consent *c, uint64_t limit_ns,
               struct strlist *refusals, struct strlist *decisions);
void guard_ask_signatures(const struct target_info *t, const struct consent *c, uint64_t limit_ns, struct strlist *types);
void guard_ask_destroy(const struct world *w, const struct consent *c, uint64_t limit_ns, struct strlist *errors);

/* Held for the whole sweep: block devices that will be written O_EXCL; every target flock'ed against a second sweep. */
struct hold {
	int *fd;
	size_t len;
};
/* Opened in a child process, so that it comes back within limit_ns: -ETIMEDOUT. -EBUSY: someone else uses it.
 * -ESTALE: it is not what was looked at (sentence in e); a file made since is held by its own dev and ino. */
int target_hold(struct hold *h, const struct target_info *t, bool writes, uint64_t limit_ns, struct err *e);
void hold_release(struct hold *h);

/* Bytes that must still be written on the target's file system before it can be used: what is missing, holed or
 * unwritten of files that are ours to make. 0 for devices and for files of others; a `fill` is not counted. */
uint64_t target_layout_bytes(const struct target_info *t, const struct intent *want);
/* The same in a child process; a target that does not answer within limit_ns counts whole. */
uint64_t target_look_layout(const struct target_info *t, const struct intent *want, uint64_t limit_ns);

/* What is known of a file that we made. */
struct target_made {
	uint64_t dev, ino;    /* 0: nothing known */
	uint64_t born_ns;     /* 0: unknown */
	uint64_t least, size; /* bytes that it may have: as laid out, less while that was under way; size 0: not known */
	bool held;            /* by this process, since it was made: no other file can have its inode number */
	char sweep[40];       /* uuid of the sweep that made it; "": not known */
};

/* Create a missing file (O_CREAT|O_EXCL|O_NOFOLLOW, mode 0600) with the marker; `path` of file number `job` in a
 * directory is target_file_path(). Existing ours are left: known by the marker or, where the file system has no
 * attributes, by what the caller passes in. Fills dev, ino and born_ns. -EEXIST: it is there and not ours. */
int target_create(const char *path, struct target_made *m, struct err *e);
void target_file_path(char *buf, size_t size, const char *path, bool directory, unsigned job);
/* Remove a file that we made: not while another sweep holds it (-EBUSY), and only if all that is known of it still
 * matches; without a marker only if that is enough to tell it from a file that got its inode number. 0 also when it is
 * gone already. */
int target_remove(const char *path, const struct target_made *m, struct err *e);
/* A file of ours is about to have `least` to `most` bytes. Nothing happens to a file that carries no marker of ours. 0
 * or -errno. */
int target_mark_sizes(int fd, uint64_t least, uint64_t most);
/* When it came to be; 0: its file system does not say. */
uint64_t target_born_ns(const char *path);
/* Does this file carry our marker, or can its file system hold none? */
enum target_mark { TARGET_UNMARKED, TARGET_MARKED, TARGET_UNMARKABLE };
enum target_mark target_mark(const char *path);
enum target_mark target_mark_fd(int fd);
/* Does this file carry our marker? */
bool target_is_ours(const char *path);

#endif
