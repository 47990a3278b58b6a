#include "plan/rules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/cpulist.h"
#include "base/units.h"
#include "plan/effective.h"

#define CORE_DEPTH_LIMIT 65535U /* slots of one job */
#define FILES_RESERVED   64U    /* descriptors for everything but targets and rings */

struct human {
	char s[40];
};

static struct human size_text(uint64_t bytes)
{
	struct human h;

	(void)print_size(h.s, sizeof(h.s), bytes);
	return h;
}

static struct human bytes_text(uint64_t bytes)
{
	struct human h;

	(void)print_bytes(h.s, sizeof(h.s), bytes);
	return h;
}

static uint64_t mul(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

uint64_t region_end(const struct job *job)
{
	uint64_t shift = mul(job->numjobs - 1, job->offset_increment), end;

	return __builtin_add_overflow(job->size, shift, &end) ? UINT64_MAX : end;
}

static const struct engine_ops *engine(const struct rule_case *c)
{
	return engine_ops(c->job->ioengine);
}

static bool uses_target(const struct rule_case *c)
{
	return job_has_target(c->job) && c->target->kind != TARGET_UNUSABLE;
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
	return uses_target(c) && c->target->kind == TARGET_BLOCK && size_known(c->job) &&
	       c->job->size > c->target->size_bytes;
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

/* A file of ours may grow; what belongs to someone else ends where it ends. */
static bool offset_over_target(const struct rule_case *c)
{
	bool fixed = c->target->kind == TARGET_BLOCK ||
	             (c->target->kind == TARGET_FILE && !c->target->ours);

	return uses_target(c) && fixed && c->job->offset_increment &&
	       c->job->size <= c->target->size_bytes &&
	       region_end(c->job) > c->target->size_bytes;
}

static void say_offset_over_target(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "job %" PRIu64 " would end at %" PRIu64 " (size %s + %" PRIu64
	               " x offset_increment %s), but %s has %" PRIu64 " bytes",
	               c->job->numjobs, region_end(c->job), size_text(c->job->size).s,
	               c->job->numjobs - 1, size_text(c->job->offset_increment).s, c->filename,
	               c->target->size_bytes);
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

static bool misaligned(const struct rule_case *c, uint64_t value)
{
	return uses_target(c) && c->job->direct && c->target->offset_align &&
	       value % c->target->offset_align;
}

static bool bs_misaligned(const struct rule_case *c)
{
	return misaligned(c, c->job->bs);
}

static void say_bs_misaligned(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(
	    buf, n,
	    "bs %" PRIu64
	    " is not a multiple of %u, which direct=1 needs on %s; use direct=0 or a multiple",
	    c->job->bs, c->target->offset_align, c->filename);
}

static bool offset_misaligned(const struct rule_case *c)
{
	return misaligned(c, c->job->offset_increment);
}

static void say_offset_misaligned(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "offset_increment %" PRIu64
	               " is not a multiple of %u, which direct=1 needs on %s",
	               c->job->offset_increment, c->target->offset_align, c->filename);
}

/* --- what only some engines can do --- */

/* The first axis that asks the engine for what it does not have; NULL: none. */
static const struct axis *lacking(const struct rule_case *c)
{
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		uint64_t v = axis_value(a, c->job);

		if (a->needs && v && v != AXIS_UNSET && !(engine(c)->caps & a->needs))
			return a;
	}
	return NULL;
}

static bool engine_lacks(const struct rule_case *c)
{
	return lacking(c) != NULL;
}

static void say_engine_lacks(const struct rule_case *c, char *buf, size_t n)
{
	const struct axis *a = lacking(c);
	const struct engine_ops *ops;
	size_t len = (size_t)snprintf(buf, n, "%s=1 means nothing to ioengine %s; it needs",
	                              a->name, engine(c)->name);
	const char *sep = " ";

	for (uint64_t id = 0; (ops = engine_ops(id)) && len < n; id++)
		if (ops->caps & a->needs) {
			len += (size_t)snprintf(buf + len, n - len, "%s%s", sep, ops->name);
			sep = " or ";
		}
}

static bool cache_and_direct(const struct rule_case *c)
{
	return engine(c)->caps & ENGINE_PAGE_CACHE && c->job->direct;
}

static void say_cache_and_direct(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n, "ioengine %s goes through the page cache; it needs direct=0",
	               engine(c)->name);
}

static bool polls_buffered(const struct rule_case *c)
{
	return c->job->hipri && !c->job->direct;
}

static void say_polls_buffered(const struct rule_case *c, char *buf, size_t n)
{
	(void)c;
	(void)snprintf(buf, n, "hipri=1 polls the device, which the page cache keeps away: it "
	                       "needs direct=1");
}

static bool polls_and_syncs(const struct rule_case *c)
{
	return c->job->hipri && c->job->ioengine == ENGINE_IO_URING &&
	       (c->job->fsync || c->job->end_fsync);
}

static void say_polls_and_syncs(const struct rule_case *c, char *buf, size_t n)
{
	(void)c;
	(void)snprintf(buf, n, "hipri=1 makes a ring that only reads and writes: no fsync, no "
	                       "end_fsync with io_uring");
}

static bool no_polling(const struct rule_case *c)
{
	return c->job->hipri && uses_target(c) && !c->target->polls;
}

static void say_no_polling(const struct rule_case *c, char *buf, size_t n)
{
	if (!c->target->major && !c->target->minor)
		(void)snprintf(buf, n, "hipri=1: there is no block device to poll under %.120s",
		               c->filename);
	else
		(void)snprintf(buf, n,
		               "hipri=1: the queue of %.100s does not poll (queue/io_poll is 0; "
		               "NVMe needs nvme.poll_queues)",
		               *c->target->device ? c->target->device : c->filename);
}

static bool batch_reversed(const struct rule_case *c)
{
	return c->job->iodepth_batch_complete_max &&
	       c->job->iodepth_batch_complete_max < c->job->iodepth_batch_complete_min;
}

static void say_batch_reversed(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "iodepth_batch_complete_min %" PRIu64
	               " is above iodepth_batch_complete_max %" PRIu64,
	               c->job->iodepth_batch_complete_min, c->job->iodepth_batch_complete_max);
}

/* --- engines and limits of the machine --- */

/* The CPUs asked for that this process may not use. */
static int cpus_beyond(const struct rule_case *c, cpu_set_t *beyond)
{
	CPU_ZERO(beyond);
	if (!c->cpus_allowed || cpulist_parse(c->cpus_allowed, beyond))
		return 0;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &c->world->limits.cpu_set))
			CPU_CLR(cpu, beyond);
	return CPU_COUNT(beyond);
}

static bool cpus_missing(const struct rule_case *c)
{
	cpu_set_t beyond;

	return cpus_beyond(c, &beyond) > 0;
}

static void say_cpus_missing(const struct rule_case *c, char *buf, size_t n)
{
	char missing[80], usable[80];
	cpu_set_t beyond;

	(void)cpus_beyond(c, &beyond);
	(void)snprintf(buf, n, "cpus_allowed %.60s: CPU %s cannot be used here, only %s",
	               c->cpus_allowed, cpulist_print(missing, sizeof(missing), &beyond),
	               cpulist_print(usable, sizeof(usable), &c->world->limits.cpu_set));
}

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
	       mul(c->job->numjobs, c->job->iodepth) > left;
}

static void say_aio_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	const struct limits *l = &c->world->limits;

	(void)snprintf(buf, n,
	               "libaio needs %" PRIu64 " events (numjobs %" PRIu64 " x iodepth %" PRIu64
	               "), but aio-nr is %" PRIu64 " of aio-max-nr %" PRIu64
	               "; raise the sysctl fs.aio-max-nr",
	               mul(c->job->numjobs, c->job->iodepth), c->job->numjobs, c->job->iodepth,
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

static uint64_t buffer_bytes(const struct job *job)
{
	return mul(mul(job->numjobs, job->iodepth), job->bs);
}

static bool memory_over_limit(const struct rule_case *c)
{
	return buffer_bytes(c->job) > c->world->limits.memory_available;
}

static void say_memory_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "buffers of numjobs %" PRIu64 " x iodepth %" PRIu64
	               " x bs %s need %s, but only %s are available",
	               c->job->numjobs, c->job->iodepth, size_text(c->job->bs).s,
	               bytes_text(buffer_bytes(c->job)).s,
	               bytes_text(c->world->limits.memory_available).s);
}

static bool memlock_short(const struct rule_case *c)
{
	return c->job->fixedbufs == 1 && buffer_bytes(c->job) > c->world->limits.memlock;
}

static void say_memlock_short(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "fixedbufs=1 locks the buffers of numjobs %" PRIu64 " x iodepth %" PRIu64
	               " x bs %s, %s, but only %s may be locked (ulimit -l)",
	               c->job->numjobs, c->job->iodepth, size_text(c->job->bs).s,
	               bytes_text(buffer_bytes(c->job)).s,
	               bytes_text(c->world->limits.memlock).s);
}

/* Bytes that the files of this row take; only what does not exist yet or is ours may grow. */
static uint64_t space_needed(const struct rule_case *c)
{
	uint64_t files = c->target->kind == TARGET_DIRECTORY ? c->job->numjobs : 1;

	return mul(files,
	           c->target->kind == TARGET_DIRECTORY ? c->job->size : region_end(c->job));
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
	return c->job->numjobs > c->world->limits.threads_max;
}

static void say_threads_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "numjobs %" PRIu64 " needs as many threads, but only %" PRIu64
	               " more may be started",
	               c->job->numjobs, c->world->limits.threads_max);
}

/* A ring per job, and in a directory a file per job. */
static uint64_t files_needed(const struct rule_case *c)
{
	uint64_t rings = c->job->ioengine == ENGINE_IO_URING ? c->job->numjobs : 0;
	uint64_t files =
	    c->target->kind == TARGET_DIRECTORY && job_has_target(c->job) ? c->job->numjobs : 1;

	return rings + files + FILES_RESERVED;
}

static bool files_over_limit(const struct rule_case *c)
{
	return files_needed(c) > c->world->limits.nofile;
}

static void say_files_over_limit(const struct rule_case *c, char *buf, size_t n)
{
	(void)snprintf(buf, n,
	               "numjobs %" PRIu64 " with %s needs %" PRIu64
	               " open files, but the limit is %" PRIu64 " (ulimit -n)",
	               c->job->numjobs, engine(c)->name, files_needed(c),
	               c->world->limits.nofile);
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
static const struct rule {
	const char *reason;
	bool by_machine;
	int error; /* positive errno, 0: none */
	bool (*broken)(const struct rule_case *c);
	void (*say)(const struct rule_case *c, char *buf, size_t n);
} rules[] = {
	/* clang-format off */
	{ "size in percent of nothing",            false, 0,      percent_of_nothing, say_percent },
	{ "size missing",                          false, 0,      size_missing,       say_size_missing },
	{ "size larger than the device",           false, 0,      size_over_device,   say_size_over_device },
	{ "bs larger than size",                   false, 0,      bs_over_size,       say_bs_over_size },
	{ "bs larger than io_size",                false, 0,      bs_over_io_size,    say_bs_over_io_size },
	{ "offset_increment beyond the target",    false, 0,      offset_over_target, say_offset_over_target },
	{ "engine has no such option",             false, EINVAL, engine_lacks,       say_engine_lacks },
	{ "engine goes through the page cache",    false, EINVAL, cache_and_direct,   say_cache_and_direct },
	{ "hipri without direct",                  false, EINVAL, polls_buffered,     say_polls_buffered },
	{ "hipri with fsync",                      false, EINVAL, polls_and_syncs,    say_polls_and_syncs },
	{ "batch min above max",                   false, EINVAL, batch_reversed,     say_batch_reversed },
	{ "direct not supported",                  true,  EINVAL, direct_unsupported, say_direct_unsupported },
	{ "bs not a multiple of the alignment",    false, EINVAL, bs_misaligned,      say_bs_misaligned },
	{ "offset_increment not a multiple of the alignment", false, EINVAL, offset_misaligned, say_offset_misaligned },
	{ "engine unusable",                       true,  0,      engine_unusable,    say_engine_unusable },
	{ "hipri without a polled queue",          true,  EOPNOTSUPP, no_polling,     say_no_polling },
	{ "cpus_allowed",                          true,  EINVAL, cpus_missing,       say_cpus_missing },
	{ "iodepth above the engine's limit",      true,  EINVAL, depth_over_engine,  say_depth_over_engine },
	{ "aio-max-nr",                            true,  EAGAIN, aio_over_limit,     say_aio_over_limit },
	{ "iodepth above the limit",               false, EINVAL, depth_over_core,    say_depth_over_core },
	{ "memory",                                true,  ENOMEM, memory_over_limit,  say_memory_over_limit },
	{ "memlock",                               true,  ENOMEM, memlock_short,      say_memlock_short },
	{ "space",                                 true,  ENOSPC, space_short,        say_space_short },
	{ "threads",                               true,  EAGAIN, threads_over_limit, say_threads_over_limit },
	{ "open files",                            true,  EMFILE, files_over_limit,   say_files_over_limit },
	{ "no such device",                        true,  0,      no_such_device,     say_target_unusable },
	{ "no such file or directory",             true,  0,      no_such_file,       say_target_unusable },
	{ "target unusable",                       true,  0,      target_unusable,    say_target_unusable },
	/* clang-format on */
};

int rule_find(const struct rule_case *c)
{
	for (int i = 0; i < rule_count(); i++)
		if (rules[i].broken(c))
			return i;
	return RULE_NONE;
}

int rule_count(void)
{
	return (int)ARRAY_SIZE(rules);
}

const char *rule_reason(int rule)
{
	return rules[rule].reason;
}

bool rule_by_machine(int rule)
{
	return rules[rule].by_machine;
}

bool rule_target_absent(int rule)
{
	return rules[rule].broken == no_such_device || rules[rule].broken == no_such_file;
}

void rule_explain(int rule, const struct rule_case *c, struct plan_skip *skip)
{
	*skip = (struct plan_skip){ 0 };
	if (rule == RULE_NONE)
		return;
	skip->skipped = true;
	skip->by_machine = rules[rule].by_machine;
	skip->reason = rules[rule].reason;
	skip->error = rules[rule].error;
	if (rules[rule].broken == engine_unusable)
		skip->error = c->world->engine[c->job->ioengine].error;
	else if (rules[rule].say == say_target_unusable)
		skip->error = c->target->problem_errno;
	skip->target_absent = rule_target_absent(rule);
	rules[rule].say(c, skip->text, sizeof(skip->text));
}
