#include "plan/rules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "plan/rule.h"

#define JOB_BYTES        (64 * KIB) /* of a thread with its statistics and its ring */
#define OWN_BYTES        (16 * MIB) /* of the program itself, while it runs */
#define CORE_DEPTH_LIMIT 65535U     /* slots of one job */
#define CORE_JOBS_LIMIT  65535U     /* on all targets */
#define FILES_RESERVED   20U /* descriptors of a process for everything but targets and rings */

uint64_t region_end(const struct job *job)
{
	uint64_t shift = mul(job->numjobs - 1, job->offset_increment), end;

	if (__builtin_add_overflow(shift, job->offset, &shift) ||
	    __builtin_add_overflow(job->size, shift, &end))
		return UINT64_MAX;
	return end;
}

/* --- size --- */

static bool percent_of_nothing(const struct rule_case *c)
{
	return c->target->kind != TARGET_UNUSABLE && c->job->size != AXIS_UNSET &&
	       !size_known(c->job);
}

static void say_percent(const struct rule_case *c, char *buf, size_t n)
{
	const char *why = c->target->kind == TARGET_DIRECTORY
	                      ? "is a directory: its files have no size yet"
	                  : c->target->kind == TARGET_MISSING ? "does not exist"
	                                                      : "has no size";

	(void)snprintf(buf, n, "size %" PRIu64 "%% of %s, which %s; give size in bytes",
	               c->job->size & ~SIZE_PERCENT, c->filename, why);
}

static bool size_missing(const struct rule_case *c)
{
	return c->job->size == AXIS_UNSET &&
	       (!job_has_target(c->job) || c->target->kind != TARGET_UNUSABLE);
}

static void say_size_missing(const struct rule_case *c, char *buf, size_t n)
{
	if (!job_has_target(c->job))
		(void)snprintf(buf, n,
		               "ioengine %s needs a size: it has no target to take it from",
		               engine(c)->name);
	else if (c->target->kind == TARGET_DIRECTORY)
		(void)snprintf(buf, n,
		               "size is needed for the files to be made in directory %s",
		               c->filename);
	else
		(void)snprintf(buf, n, "%s does not exist: size is needed to create it",
		               c->filename);
}

static bool size_over_device(const struct rule_case *c)
{
	bool device = (uses_target(c) && c->target->kind == TARGET_BLOCK) ||
	              c->target->kind == TARGET_SIMULATED;

	return device && size_known(c->job) && c->job->size > c->target->size_bytes;
}

static void say_size_over_device(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "size %s is larger than %s, which has %" PRIu64 " bytes",
	               size_text(c->job->size).s, c->filename, c->target->size_bytes);
}

static bool bs_over_size(const struct rule_case *c)
{
	return size_known(c->job) && c->job->bs > c->job->size;
}

static void say_bs_over_size(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "bs %s is larger than size %s (%" PRIu64 " > %" PRIu64 " bytes)",
	               size_text(c->job->bs).s, size_text(c->job->size).s, c->job->bs,
	               c->job->size);
}

static bool bs_over_io_size(const struct rule_case *c)
{
	return c->job->io_size < c->job->bs; /* AXIS_UNSET is larger than any */
}

static void say_bs_over_io_size(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(
	    buf, n, "bs %s is larger than io_size %s (%" PRIu64 " > %" PRIu64 " bytes)",
	    size_text(c->job->bs).s, size_text(c->job->io_size).s, c->job->bs, c->job->io_size);
}

/* --- trims --- */

static bool trims_a_file(const struct rule_case *c)
{
	return rw_trims(c->job->rw) && uses_target(c) && c->target->kind != TARGET_BLOCK;
}

static void say_trims_a_file(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "rw %s discards blocks of a block device, and %s is %s", rw_name(c->job->rw),
	               c->filename,
	               c->target->kind == TARGET_DIRECTORY ? "a directory" : "a file");
}

static bool cannot_trim(const struct rule_case *c)
{
	return rw_trims(c->job->rw) && uses_target(c) && !c->target->trims;
}

static void say_cannot_trim(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "rw %s: %s takes no trims (queue/discard_max_bytes is 0)",
	               rw_name(c->job->rw), *c->target->device ? c->target->device : c->filename);
}

/* --- direct I/O --- */

static bool direct_unsupported(const struct rule_case *c)
{
	return uses_target(c) && c->job->direct && !c->target->offset_align;
}

static void say_direct_unsupported(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "direct=1 does not work on %s (%s); use direct=0",
	               *c->target->fs ? c->target->fs : "this device", c->filename);
}

static bool bs_misaligned(const struct rule_case *c)
{
	return misaligned(c, sizes_grain(c));
}

static void say_bs_misaligned(const struct rule_case *c, char *buf, size_t n)
{
	const char *mix = sweep_text(c->sweep, &axes[AXIS_bssplit], c->job->bssplit);
	char bs[32];

	(void)snprintf(bs, sizeof(bs), "%" PRIu64, c->job->bs);
	(void)snprintf(
	    buf, n,
	    "%s %.60s is not a multiple of %u, which %s on %s; use %s%s",
	    mix ? "bssplit: a size of" : "bs", mix ? mix : bs, c->target->offset_align,
	    alignment_needed_by(c), c->filename,
	    rw_trims(c->job->rw) ? "" : "direct=0 or ", mix ? "multiples" : "a multiple");
}

/* --- engines and limits of the machine --- */

static bool engine_unusable(const struct rule_case *c)
{
	return !c->world->engine[c->job->ioengine].usable;
}

static void say_engine_unusable(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "ioengine %s cannot be used here: %s", engine(c)->name,
	               c->world->engine[c->job->ioengine].reason);
}

static bool depth_over_engine(const struct rule_case *c)
{
	return engine(c)->depth_limit && c->job->iodepth > engine(c)->depth_limit;
}

static void say_depth_over_engine(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "iodepth %" PRIu64 " is above the kernel's limit of %u for %s",
	               c->job->iodepth, engine(c)->depth_limit, engine(c)->name);
}

static bool aio_over_limit(const struct rule_case *c)
{
	const struct limits *l = &c->world->limits;
	uint64_t left = l->aio_max_nr > l->aio_nr ? l->aio_max_nr - l->aio_nr : 0;

	return c->job->ioengine == ENGINE_LIBAIO &&
	       mul(all_jobs(c), c->job->iodepth) > left;
}

static void say_aio_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	const struct limits *l = &c->world->limits;

	(void)snprintf(buf, n,
	               "libaio needs %" PRIu64 " events (%s x iodepth %" PRIu64
	               "), but aio-nr is %" PRIu64 " of aio-max-nr %" PRIu64
	               "; raise the sysctl fs.aio-max-nr",
	               mul(all_jobs(c), c->job->iodepth), jobs_text(c).s, c->job->iodepth,
	               l->aio_nr, l->aio_max_nr);
}

static bool depth_over_core(const struct rule_case *c)
{
	return c->job->iodepth > CORE_DEPTH_LIMIT;
}

static void say_depth_over_core(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "iodepth %" PRIu64 " is above %u, the most one job can keep in flight",
	               c->job->iodepth, CORE_DEPTH_LIMIT);
}

static bool jobs_over_core(const struct rule_case *c)
{
	return all_jobs(c) > CORE_JOBS_LIMIT;
}

static void say_jobs_over_core(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "%s are more than %u jobs, the most of one run",
	               jobs_text(c).s, CORE_JOBS_LIMIT);
}

static uint64_t memory_bytes(const struct rule_case *c)
{
	uint64_t own = mul(all_jobs(c), JOB_BYTES) + OWN_BYTES, sum;

	return __builtin_add_overflow(buffer_bytes(c), own, &sum) ? UINT64_MAX : sum;
}

static bool memory_over_limit(const struct rule_case *c)
{
	return memory_bytes(c) > c->world->limits.memory_available;
}

static void say_memory_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "%s x iodepth %" PRIu64
	               " x bs %s%s need %s of memory, but only %s are available",
	               jobs_text(c).s, c->job->iodepth, size_text(c->job->bs).s,
	               rw_mixed(c->job->rw) ? " x 2 (reads and writes)" : "",
	               bytes_text(memory_bytes(c)).s,
	               bytes_text(c->world->limits.memory_available).s);
}

/* Bytes that the files of this row take; only what does not exist yet or is ours may grow. */
static uint64_t space_needed(const struct rule_case *c)
{
	uint64_t files = c->target->kind == TARGET_DIRECTORY ? c->job->numjobs : 1;

	return mul(files, region_end(c->job));
}

static bool space_short(const struct rule_case *c)
{
	const struct target_info *t = c->target;

	if (!job_has_target(c->job) || (t->kind == TARGET_FILE && !t->ours) ||
	    (t->kind != TARGET_MISSING && t->kind != TARGET_FILE &&
	     t->kind != TARGET_DIRECTORY))
		return false;
	return space_needed(c) > t->free_bytes + t->ours_bytes;
}

static void say_space_short(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "%.100s: needs %s, but only %s are free there",
	               c->target->filename, bytes_text(space_needed(c)).s,
	               bytes_text(c->target->free_bytes + c->target->ours_bytes).s);
}

static bool threads_over_limit(const struct rule_case *c)
{
	return all_jobs(c) > c->world->limits.threads_max;
}

static void say_threads_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "%s needs as many threads, but only %" PRIu64
	               " more may be started",
	               jobs_text(c).s, c->world->limits.threads_max);
}

/* Every job opens the target for itself, and a ring. */
static uint64_t files_needed(const struct rule_case *c)
{
	uint64_t rings = c->job->ioengine == ENGINE_IO_URING ? all_jobs(c) : 0;
	uint64_t files = job_has_target(c->job) ? all_jobs(c) : 0;

	return rings + files + FILES_RESERVED;
}

static bool files_over_limit(const struct rule_case *c)
{
	return files_needed(c) > c->world->limits.nofile;
}

static void say_files_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "%s with %s needs %" PRIu64
	               " open files, but the limit is %" PRIu64 " (ulimit -n)",
	               jobs_text(c).s, engine(c)->name, files_needed(c),
	               c->world->limits.nofile);
}

/* The one before it that is the same, in a set; NULL: there is none. */
static const struct target_info *same_before(const struct rule_case *c)
{
	for (unsigned k = 0; k < c->targets; k++) {
		size_t i = world_member(c->world, c->job->filename, k);

		if (&c->world->target[i] == c->target)
			break;
		if (target_same(&c->world->target[i], c->target))
			return &c->world->target[i];
	}
	return NULL;
}

static bool target_twice(const struct rule_case *c)
{
	return uses_target(c) && same_before(c);
}

static void say_target_twice(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "%.100s and %.100s are the same: once is enough among targets at once",
	               same_before(c)->filename, c->filename);
}

static bool target_unusable(const struct rule_case *c)
{
	return job_has_target(c->job) && c->target->kind == TARGET_UNUSABLE;
}

static bool no_such_device(const struct rule_case *c)
{
	return target_unusable(c) &&
	       (c->target->problem_errno == ENODEV || c->target->problem_errno == ENXIO);
}

static bool no_such_file(const struct rule_case *c)
{
	return target_unusable(c) &&
	       (c->target->problem_errno == ENOENT || c->target->problem_errno == ENOTDIR);
}

static void say_target_unusable(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "%s", c->target->problem);
}

/* The target comes last, so that a row of an absent target that would be skipped anyway is not
 * counted as one that only waits for it. */
static const struct rule rules[] = {
	/* clang-format off */
	{ "size in percent of nothing",            false, 0,      percent_of_nothing, say_percent },
	{ "size missing",                          false, 0,      size_missing,       say_size_missing },
	{ "size larger than the device",           false, 0,      size_over_device,   say_size_over_device },
	{ "bs larger than size",                   false, 0,      bs_over_size,       say_bs_over_size },
	{ "bs larger than io_size",                false, 0,      bs_over_io_size,    say_bs_over_io_size },
	{ "trim of a file",                        false, ENOTTY, trims_a_file,       say_trims_a_file },
	{ "device takes no trims",                 true,  EOPNOTSUPP, cannot_trim,    say_cannot_trim },
	{ "direct not supported",                  true,  EINVAL, direct_unsupported, say_direct_unsupported },
	{ "bs not a multiple of the alignment",    false, EINVAL, bs_misaligned,      say_bs_misaligned },
	{ "engine unusable",                       true,  0,      engine_unusable,    say_engine_unusable },
	{ "iodepth above the engine's limit",      true,  EINVAL, depth_over_engine,  say_depth_over_engine },
	{ "aio-max-nr",                            true,  EAGAIN, aio_over_limit,     say_aio_over_limit },
	{ "iodepth above the limit",               false, EINVAL, depth_over_core,    say_depth_over_core },
	{ "numjobs above the limit",               false, EINVAL, jobs_over_core,     say_jobs_over_core },
	{ "memory",                                true,  ENOMEM, memory_over_limit,  say_memory_over_limit },
	{ "space",                                 true,  ENOSPC, space_short,        say_space_short },
	{ "threads",                               true,  EAGAIN, threads_over_limit, say_threads_over_limit },
	{ "the same target twice at once",         false, EINVAL, target_twice,       say_target_twice },
	{ "open files",                            true,  EMFILE, files_over_limit,   say_files_over_limit },
	{ "no such device",                        true,  0,      no_such_device,     say_target_unusable },
	{ "no such file or directory",             true,  0,      no_such_file,       say_target_unusable },
	{ "target unusable",                       true,  0,      target_unusable,    say_target_unusable },
	/* clang-format on */
};

/* Those of the engines come first: they need nothing but the config. */
static const struct rule *rule_at(int rule)
{
	int walk = (int)rule_engine_count, first = walk + (int)rule_walk_count;

	if (rule < walk)
		return &rule_engine[rule];
	return rule < first ? &rule_walk[rule - walk] : &rules[rule - first];
}

int rule_find(const struct rule_case *c)
{
	for (int i = 0; i < rule_count(); i++)
		if (rule_at(i)->broken(c))
			return i;
	return RULE_NONE;
}

int rule_count(void)
{
	return (int)(rule_engine_count + rule_walk_count + ARRAY_SIZE(rules));
}

const char *rule_reason(int rule)
{
	return rule_at(rule)->reason;
}

bool rule_by_machine(int rule)
{
	return rule_at(rule)->by_machine;
}

bool rule_target_absent(int rule)
{
	return rule_at(rule)->broken == no_such_device || rule_at(rule)->broken == no_such_file;
}

void rule_explain(int rule, const struct rule_case *c, struct plan_skip *skip)
{
	*skip = (struct plan_skip){ 0 };
	if (rule == RULE_NONE)
		return;
	skip->skipped = true;
	skip->by_machine = rule_at(rule)->by_machine;
	skip->reason = rule_at(rule)->reason;
	skip->error = rule_at(rule)->error;
	if (rule_at(rule)->broken == engine_unusable)
		skip->error = c->world->engine[c->job->ioengine].error;
	else if (rule_at(rule)->say == say_target_unusable)
		skip->error = c->target->problem_errno;
	skip->target_absent = rule_target_absent(rule);
	rule_at(rule)->say(c, skip->text, sizeof(skip->text));
}
