/* model/axis.h: the axis table, and struct job, one combination: one uint64_t per axis. */
#ifndef MODEL_AXIS_H
#define MODEL_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "model/distribution.h"
#include "model/size_mix.h"

enum axis_kind {
	AXIS_TEXT,            /* index into the list of its texts: sweep_texts() */
	AXIS_ENUM,            /* index of .choice */
	AXIS_SIZE,            /* bytes */
	AXIS_INT,             /* plain integer */
	AXIS_BOOL,            /* 0 or 1 */
	AXIS_SIZE_OR_PERCENT, /* bytes, or SIZE_PERCENT | percent */
	AXIS_PERCENT,         /* 0..100 */
	AXIS_TIME,            /* ns */
	AXIS_SIGNED,          /* bytes or a plain integer, of either sign: as int64_t */
};

/* A value of bs that is sizes per direction: which text of bssplit they are. */
#define BS_MIX (UINT64_C(1) << 63)
/* A value of rw with a step, rw=read:4k: the step above the pattern. As configured only: job_take_apart(). */
#define RW_STEP_SHIFT 8
#define RW_STEP_MAX   (INT64_C(1) << 53)

static inline uint64_t rw_with_step(uint64_t rw, int64_t step)
{
	return (uint64_t)step << RW_STEP_SHIFT | rw;
}
static inline uint64_t rw_of(uint64_t value)
{
	return value & ((UINT64_C(1) << RW_STEP_SHIFT) - 1);
}
static inline uint64_t rw_step_of(uint64_t value)
{
	return (uint64_t)((int64_t)value >> RW_STEP_SHIFT);
}

/* A value that was not given and has no constant default: size (whole target), ramp_time, runtime, io_size,
 * ioengine, what follows from profile, cpus_allowed. */
#define AXIS_UNSET UINT64_MAX
#define TARGETS_MAX    32  /* files and devices that one combination may work on at once */
#define AXIS_BATCH_MAX 256 /* I/Os that go with one call, however deep the queue */
#define SIZE_PERCENT (UINT64_C(1) << 63)
#define MAX_TIME_NS (UINT64_C(366) * 86400 * UINT64_C(1000000000))

enum rw { /* spread's block order */
	RW_READ,
	RW_RANDREAD,
	RW_RW,
	RW_RANDRW,
	RW_WRITE,
	RW_RANDWRITE,
	RW_TRIM,
	RW_RANDTRIM,
	RW_TRIMWRITE, /* each block is trimmed, then written */
	RW_RANDTRIMWRITE,
	RW_COUNT
};
enum job_offset { JOB_OFFSET_SPLIT, JOB_OFFSET_SAME, JOB_OFFSET_COUNT };
enum profile { PROFILE_MAX, PROFILE_FIO, PROFILE_COUNT };
enum cpus_policy { CPUS_SHARED, CPUS_SPLIT, CPUS_POLICY_COUNT };
enum write_sync { WRITE_SYNC_NONE, WRITE_SYNC, WRITE_DSYNC, WRITE_SYNC_COUNT };
enum prioclass { PRIOCLASS_NONE, PRIOCLASS_REALTIME, PRIOCLASS_BEST_EFFORT, PRIOCLASS_IDLE };
enum { NICE_POSITIVE = 20, NICE_COUNT = 40 }; /* 0..19, then -1..-20 */
enum fadvise_hint {
	FADVISE_NOTHING,
	FADVISE_BY_RW,
	FADVISE_RANDOM,
	FADVISE_SEQUENTIAL,
	FADVISE_NOREUSE,
	FADVISE_HINT_COUNT
};
enum rate_process { RATE_LINEAR, RATE_POISSON, RATE_PROCESS_COUNT };

const char *rw_name(uint64_t rw);         /* NULL past the end */
const char *job_offset_name(uint64_t v);  /* NULL past the end */
const char *profile_name(uint64_t v);     /* NULL past the end */
const char *cpus_policy_name(uint64_t v); /* NULL past the end */
const char *write_sync_name(uint64_t v);   /* NULL past the end */
const char *nice_name(uint64_t v);         /* NULL past the end */
const char *fadvise_hint_name(uint64_t v); /* NULL past the end */

const char *rate_process_name(uint64_t v); /* NULL past the end */

/* .canonical of the text axes */
int cpus_canonical(const char *text, char *buf, size_t size, struct err *e);
int bytes_canonical(const char *text, char *buf, size_t size, struct err *e);

static inline int nice_value(uint64_t v) /* of the axis nice */
{
	return v < NICE_POSITIVE ? (int)v : NICE_POSITIVE - 1 - (int)v;
}
static inline bool rw_trims(uint64_t rw)
{
	return rw >= RW_TRIM && rw <= RW_RANDTRIMWRITE;
}
static inline bool rw_trims_first(uint64_t rw)
{
	return rw == RW_TRIMWRITE || rw == RW_RANDTRIMWRITE;
}
static inline bool rw_reads(uint64_t rw)
{
	return rw <= RW_RANDRW;
}
/* It changes what is on the target: what every guard asks. A trim does. */
static inline bool rw_writes(uint64_t rw)
{
	return rw != RW_READ && rw != RW_RANDREAD;
}
/* It transfers data to the target. */
static inline bool rw_writes_data(uint64_t rw)
{
	return rw_writes(rw) && rw != RW_TRIM && rw != RW_RANDTRIM;
}
static inline bool rw_mixed(uint64_t rw)
{
	return rw == RW_RW || rw == RW_RANDRW;
}
/* Buffers of each I/O in flight: mixed patterns write from another than they read into; a trim has none. */
static inline unsigned rw_buffers(uint64_t rw)
{
	if (rw_mixed(rw))
		return 2;
	return rw_reads(rw) || rw_writes_data(rw);
}
static inline bool rw_random(uint64_t rw)
{
	return rw == RW_RANDREAD || rw == RW_RANDWRITE || rw == RW_RANDRW || rw == RW_RANDTRIM ||
	       rw == RW_RANDTRIMWRITE;
}

enum axis_id {
#define AXIS(id, ...) AXIS_##id,
#include "model/axes.def"
	AXIS_COUNT
};

/* One combination. As decoded by the plan it is "raw" (may hold AXIS_UNSET and percent sizes);
 * job_resolve() (plan) makes the values that run and are stored. */
struct job {
#define AXIS(id, ...) uint64_t id;
#include "model/axes.def"
};

/* Does the pattern read, write or trim, with this rwmixread? */
static inline bool job_does(const struct job *job, enum op op)
{
	if (op == OP_TRIM)
		return rw_trims(job->rw);
	if (rw_mixed(job->rw))
		return job->rwmixread != (op == OP_READ ? 0 : 100);
	return op == OP_READ ? rw_reads(job->rw) : rw_writes_data(job->rw);
}

/* Are there I/Os with the sizes of this direction, SIZES_READ and so on? What is written after a
 * trim has the size of the trim. */
static inline bool job_uses(const struct job *job, unsigned direction)
{
	if (direction == SIZES_READ)
		return rw_reads(job->rw);
	return direction == SIZES_TRIM ? rw_trims(job->rw)
	                               : rw_writes(job->rw) && !rw_trims(job->rw);
}

/* Its I/Os start by a schedule, in one direction at least. */
static inline bool job_rated(const struct job *job)
{
	return job->rate || job->rate_iops;
}

/* It does not start an I/O whenever there is room. */
static inline bool job_paced(const struct job *job)
{
	return job_rated(job) || job->thinktime;
}

struct axis {
	const char *name;       /* fio's option name = config key = column name */
	const char *alias;      /* space-separated further config keys, or NULL */
	const char *inverse;    /* key that means "not" (buffered), or NULL */
	const char *complement; /* key that means "100 minus" (rwmixwrite), or NULL */
	const char *synonym;    /* "other=value" spellings of an enum value, space-separated, or NULL */
	const char *def;        /* default as text; NULL: AXIS_UNSET, explained by def_text */
	const char *def_text;
	const char *unit, *help;
	const char *words;      /* what an AXIS_TEXT takes, or an AXIS_ENUM of many choices; the former has ... */
	/* ... and the one way to write each of its values, as it is stored: -EINVAL or -ERANGE with what is
	 * wrong and allowed in e, or -E2BIG. NULL: filename, which config/ reads. */
	int (*canonical)(const char *text, char *buf, size_t size, struct err *e);
	const char *(*choice)(uint64_t value);
	uint64_t min, max;
	unsigned needs;         /* enum engine_cap: without it the engine cannot do any value but 0 and the default */
	size_t off;             /* in struct job */
	enum axis_kind kind;
	uint64_t plain_ns;      /* AXIS_TIME: a number without a unit is so many ns; 0: seconds */
	bool required, column, setting, always_in_key;
	bool directions;        /* reads and writes may have one each: model/direction.h */
	bool no_commas; /* a text that never holds one: commas divide a list, as with other kinds */
};

extern const struct axis axes[AXIS_COUNT];

static inline uint64_t *axis_slot(const struct axis *a, struct job *job)
{
	return (uint64_t *)(void *)((char *)job + a->off);
}
static inline uint64_t axis_value(const struct axis *a, const struct job *job)
{
	return *(const uint64_t *)(const void *)((const char *)job + a->off);
}

/* The axis with this name or alias (also inverse and complement keys), or NULL. */
const struct axis *axis_find(const char *key);
/* The axis with this very name, as columns have it, or NULL. */
const struct axis *axis_named(const char *name);

/* Its column in table combination: a time is in ns there. Views and exports have the name. */
const char *axis_stored_name(const struct axis *a);

/* Parse one value in the words of the axis; -EINVAL / -ERANGE with what is allowed in e. Not for
 * AXIS_TEXT. key is the spelling the user chose: `buffered` and `rwmixwrite` are turned round here. */
int axis_parse(const struct axis *a, const char *key, const char *text, uint64_t *value, struct err *e);

/* What is allowed, for messages and help: "1..65535", "io_uring, libaio, psync, null", "0..100 %". */
void axis_allowed(const struct axis *a, char *buf, size_t size);

/* Default value, AXIS_UNSET when there is no constant one. */
uint64_t axis_default(const struct axis *a);
/* The same beside the other values of a job: ramp_time and what follows from profile are known then. */
uint64_t axis_default_in(const struct axis *a, const struct job *job);
/* Values that stand for two axes, sizes per direction and rw with a step, to those two. */
void job_take_apart(struct job *job);
/* Fill in what was left open and follows from the other values of the job alone. */
void job_defaults(struct job *job);

#define AXIS_TEXT_MAX 4096 /* of a canonical text, with its end */

/* The texts that the text axes of one job stand for; NULL: the default, or an axis of another kind. */
struct job_text {
	const char *of[AXIS_COUNT];
};
/* "": not given. */
static inline const char *axis_text(const struct axis *a, const struct job_text *t)
{
	return t->of[a - axes] ? t->of[a - axes] : a->def ? a->def : "";
}

/* Is this filename a list of targets that are worked on at once? Its text is compact JSON: ["/dev/a","/dev/b"]. */
static inline bool filename_is_list(const char *filename)
{
	return filename[0] == '[' && filename[1] == '"';
}

/* Print in base units as in the canonical key, SQL and CSV: bytes, seconds ("0.5"), names; a percent size
 * as "50%"; "READ,WRITE" where they differ. AXIS_TEXT prints nothing here. AXIS_UNSET prints "". */
void axis_print(const struct axis *a, uint64_t value, char *buf, size_t size);
/* Print for people: sizes as "4k". */
void axis_print_human(const struct axis *a, uint64_t value, char *buf, size_t size);

#endif
