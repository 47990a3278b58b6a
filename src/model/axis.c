#include "model/axis.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <strings.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cpulist.h"
#include "base/text.h"
#include "base/units.h"
#include "model/direction.h"

const char *rw_name(uint64_t rw)
{
	static const char *const name[RW_COUNT] = {
		[RW_READ] = "read",   [RW_RANDREAD] = "randread", [RW_RW] = "rw",
		[RW_RANDRW] = "randrw", [RW_WRITE] = "write",     [RW_RANDWRITE] = "randwrite",
		[RW_TRIM] = "trim",   [RW_RANDTRIM] = "randtrim", [RW_TRIMWRITE] = "trimwrite",
		[RW_RANDTRIMWRITE] = "randtrimwrite",
	};

	return rw < RW_COUNT ? name[rw] : NULL;
}

const char *job_offset_name(uint64_t v)
{
	static const char *const name[JOB_OFFSET_COUNT] = { "split", "same" };

	return v < JOB_OFFSET_COUNT ? name[v] : NULL;
}

const char *profile_name(uint64_t v)
{
	static const char *const name[PROFILE_COUNT] = { "max", "fio" };

	return v < PROFILE_COUNT ? name[v] : NULL;
}

const char *cpus_policy_name(uint64_t v)
{
	static const char *const name[CPUS_POLICY_COUNT] = { "shared", "split" };

	return v < CPUS_POLICY_COUNT ? name[v] : NULL;
}

int cpus_canonical(const char *text, char *buf, size_t size, struct err *e)
{
	cpu_set_t set;

	if (cpulist_parse(text, &set))
		return err_set(e, -EINVAL,
		               "'%.80s': not a list of CPUs; allowed: numbers and ranges such as "
		               "\"0-3,5\", below %d",
		               text, CPU_SETSIZE);
	(void)cpulist_print(buf, size, &set);
	return 0;
}

int bytes_canonical(const char *text, char *buf, size_t size, struct err *e)
{
	uint8_t bytes[BYTES_MAX];
	int n = bytes_parse(text, bytes);

	if (n < 0)
		return err_set(e, n, "'%.80s': %s; allowed: 0x and hexadecimal digits, \"text\", a decimal "
		                     "number of at most 32 bits, or several of them without blanks, together at "
		                     "most %d bytes",
		               text, n == -ERANGE ? "out of range" : "not a pattern", BYTES_MAX);
	bytes_print(buf, size, bytes, (size_t)n);
	return 0;
}

const char *write_sync_name(uint64_t v)
{
	static const char *const name[WRITE_SYNC_COUNT] = { "none", "sync", "dsync" };

	return v < WRITE_SYNC_COUNT ? name[v] : NULL;
}

const char *nice_name(uint64_t v)
{
	static const char *const name[NICE_COUNT] = {
		"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
		"10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
		"-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9", "-10",
		"-11", "-12", "-13", "-14", "-15", "-16", "-17", "-18", "-19", "-20",
	};

	return v < NICE_COUNT ? name[v] : NULL;
}

const char *fadvise_hint_name(uint64_t v)
{
	static const char *const name[FADVISE_HINT_COUNT] = { "0", "1", "random", "sequential",
		                                              "noreuse" };

	return v < FADVISE_HINT_COUNT ? name[v] : NULL;
}

const char *rate_process_name(uint64_t v)
{
	static const char *const name[RATE_PROCESS_COUNT] = { "linear", "poisson" };

	return v < RATE_PROCESS_COUNT ? name[v] : NULL;
}

const struct axis axes[AXIS_COUNT] = {
#define AXIS(id, ...) [AXIS_##id] = { .name = #id, .off = offsetof(struct job, id), __VA_ARGS__ },
#include "model/axes.def"
};

const char *axis_stored_name(const struct axis *a)
{
	static const char *const in_ns[AXIS_COUNT] = {
#define AXIS(id, ...) [AXIS_##id] = #id "_ns",
#include "model/axes.def"
	};

	return a->kind == AXIS_TIME ? in_ns[a - axes] : a->name;
}

static bool is(const char *a, const char *b)
{
	return a && !strcmp(a, b);
}

const struct axis *axis_find(const char *key)
{
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++)
		if (is(a->name, key) || text_has_word(a->alias, key) || is(a->inverse, key) ||
		    is(a->complement, key))
			return a;
	return NULL;
}

const struct axis *axis_named(const char *name)
{
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++)
		if (is(a->name, name))
			return a;
	return NULL;
}

static int parse_enum(const struct axis *a, const char *text, uint64_t *value)
{
	char want[64];
	const char *name;

	for (uint64_t i = 0; (name = a->choice(i)); i++)
		if (!strcmp(name, text)) {
			*value = i;
			return 0;
		}
	/* "sync=psync": another spelling of a choice */
	for (const char *p = a->synonym; p && *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t n = strlen(text), len = strcspn(p, " ");

		if (!strncmp(p, text, n) && p[n] == '=') {
			(void)snprintf(want, sizeof(want), "%.*s", (int)(len - n - 1), p + n + 1);
			return parse_enum(a, want, value);
		}
	}
	return -EINVAL;
}

/* Up to RW_STEP_MAX either way, so that an offset and a step can be added. Not -1: it is AXIS_UNSET. */
static int parse_signed(const char *text, uint64_t *value)
{
	bool minus = *text == '-';
	int r = parse_size(text + minus, value);

	if (!r && (*value > (uint64_t)RW_STEP_MAX || (minus && *value == 1)))
		r = -ERANGE;
	if (!r && minus)
		*value = -*value;
	return r;
}

/* "read:4k", "randread:8". */
static int parse_rw(const struct axis *a, const char *text, uint64_t *value)
{
	const char *colon = strchr(text, ':');
	uint64_t step;
	char name[32];
	int r;

	if (!colon)
		return parse_enum(a, text, value);
	(void)snprintf(name, sizeof(name), "%.*s", (int)(colon - text), text);
	r = parse_enum(a, name, value);
	if (!r)
		r = parse_signed(colon + 1, &step);
	if (r)
		return r;
	if (!step || (rw_random(*value) && (int64_t)step < 0))
		return -ERANGE;
	*value = rw_with_step(*value, (int64_t)step);
	return 0;
}

static int parse_bool(const char *text, uint64_t *value)
{
	if (!strcmp(text, "1") || !strcmp(text, "true"))
		*value = 1;
	else if (!strcmp(text, "0") || !strcmp(text, "false"))
		*value = 0;
	else
		return -EINVAL;
	return 0;
}

/* "50%": 1..100. */
static int parse_percent_size(const char *text, uint64_t *value)
{
	size_t n = strlen(text);
	char digits[8];
	int r;

	if (n < 2 || n > sizeof(digits) || text[n - 1] != '%')
		return -EINVAL;
	memcpy(digits, text, n - 1);
	digits[n - 1] = '\0';
	r = parse_u64(digits, value);
	if (r)
		return r;
	if (*value < 1 || *value > 100)
		return -ERANGE;
	*value |= SIZE_PERCENT;
	return 0;
}

/* Where fio counts in something other than seconds. */
static int parse_time_of(const struct axis *a, const char *text, uint64_t *value)
{
	int r = parse_time(text, value);

	if (!r && a->plain_ns && strspn(text, "0123456789.") == strlen(text))
		*value = (uint64_t)((unsigned __int128)*value * a->plain_ns / SEC);
	return r;
}

static int parse_kind(const struct axis *a, const char *text, uint64_t *value)
{
	if (a->directions && strchr(text, ','))
		return direction_parse(a, text, value);
	switch (a->kind) {
	case AXIS_ENUM:
		return a == &axes[AXIS_rw] ? parse_rw(a, text, value)
		                           : parse_enum(a, text, value);
	case AXIS_SIZE_OR_PERCENT:
		if (strchr(text, '%'))
			return parse_percent_size(text, value);
		return parse_size(text, value);
	case AXIS_SIZE:
		return parse_size(text, value);
	case AXIS_BOOL:
		return parse_bool(text, value);
	case AXIS_TIME:
		return parse_time_of(a, text, value);
	case AXIS_INT:
	case AXIS_PERCENT:
		return parse_u64(text, value);
	case AXIS_SIGNED:
		return parse_signed(text, value);
	case AXIS_TEXT:
		break;
	}
	return -EINVAL;
}

static void allowed_one(const struct axis *a, char *buf, size_t size)
{
	size_t n = 0;
	char lo[32], hi[32];
	const char *name;

	buf[0] = '\0';
	switch (a->kind) {
	case AXIS_ENUM:
		if (a->words) {
			(void)snprintf(buf, size, "%s", a->words);
			return;
		}
		for (uint64_t i = 0; (name = a->choice(i)) && n < size; i++)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? ", " : "", name);
		return;
	case AXIS_BOOL:
		(void)snprintf(buf, size, "0, 1, true or false");
		return;
	case AXIS_SIZE:
	case AXIS_SIZE_OR_PERCENT:
		(void)snprintf(buf, size, "whole bytes with an optional suffix k, m, g, t (powers of 1024), at least %s%s%s%s",
			       print_size(lo, sizeof(lo), a->min), a->max < INT64_MAX ? ", at most " : "",
			       a->max < INT64_MAX ? print_size(hi, sizeof(hi), a->max) : "",
			       a->kind == AXIS_SIZE_OR_PERCENT ? "; or 1% to 100% of an existing target" : "");
		return;
	case AXIS_TIME:
		(void)snprintf(buf, size, "%s up to 366 days: %s, or with %sms, s, m (minutes), h, d",
			       a->min ? "more than 0," : "0 or more,",
			       a->plain_ns ? "microseconds" : "seconds", a->plain_ns ? "us, " : "");
		return;
	case AXIS_INT:
	case AXIS_PERCENT:
		(void)snprintf(buf, size, "%" PRIu64 "..%" PRIu64 "%s", a->min, a->max,
			       a->kind == AXIS_PERCENT ? " %" : "");
		return;
	case AXIS_SIGNED:
		(void)snprintf(buf, size, "whole bytes or I/Os, up to 8192t, with an optional - before and suffix k, m, g, t behind");
		return;
	case AXIS_TEXT:
		(void)snprintf(buf, size, "%s", a->words);
		return;
	}
}

void axis_allowed(const struct axis *a, char *buf, size_t size)
{
	size_t n;

	allowed_one(a, buf, size);
	n = strlen(buf);
	if (a->directions)
		(void)snprintf(buf + n, size - n,
			       "; or \"READ,WRITE\", or {\"read\": A, \"write\": B}%s",
			       a->max > INT32_MAX ? ", beyond 2g in whole k" : "");
}

int axis_parse(const struct axis *a, const char *key, const char *text, uint64_t *value, struct err *e)
{
	char allowed[256];
	uint64_t v = 0;
	int r = parse_kind(a, text, &v);
	bool apart = !r && strchr(text, ',') && direction_differs(a, v), /* each was looked at */
	    percent = a->kind == AXIS_SIZE_OR_PERCENT && (v & SIZE_PERCENT);

	if (!r && !percent && !apart && a->kind != AXIS_SIGNED && a->kind != AXIS_ENUM &&
	    (v < a->min || (v > a->max && a->max)))
		r = -ERANGE;
	if (r) {
		axis_allowed(a, allowed, sizeof(allowed));
		return err_set(e, r, "'%.80s': %s; allowed: %s", text,
			       r == -ERANGE ? "out of range" : "not a valid value", allowed);
	}
	if (is(a->inverse, key))
		v = !v;
	else if (is(a->complement, key))
		v = 100 - v;
	*value = v;
	return 0;
}

static uint64_t defaults[AXIS_COUNT];

static void parse_defaults(void)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (!axes[i].def || parse_kind(&axes[i], axes[i].def, &defaults[i]))
			defaults[i] = AXIS_UNSET;
}

/* Once: a plan asks for those of every axis of every combination. */
uint64_t axis_default(const struct axis *a)
{
	static once_flag parsed = ONCE_FLAG_INIT;

	call_once(&parsed, parse_defaults);
	return defaults[a - axes];
}

static uint64_t ramp_default(const struct job *job)
{
	uint64_t fifth = job->runtime / 5;

	if (!job->time_based || job->runtime == AXIS_UNSET)
		return 0;
	return fifth < 2 * SEC ? fifth : 2 * SEC;
}

uint64_t axis_default_in(const struct axis *a, const struct job *job)
{
	bool fio = job->profile == PROFILE_FIO;

	if (a == &axes[AXIS_ramp_time])
		return ramp_default(job);
	if (a == &axes[AXIS_job_offset])
		return fio ? JOB_OFFSET_SAME : JOB_OFFSET_SPLIT;
	if (a == &axes[AXIS_fixedbufs] || a == &axes[AXIS_registerfiles])
		return fio ? 0 : AXIS_UNSET;
	if (a == &axes[AXIS_thinktime_blocks])
		return job->thinktime_iotime ? 0 : 1;
	if (a == &axes[AXIS_iodepth_batch_submit])
		return fio ? 1 : 0;
	if (a == &axes[AXIS_iodepth_batch_complete_max])
		return !fio                            ? 0
		       : job->iodepth_batch_complete_min ? job->iodepth_batch_complete_min
		                                         : 1;
	return axis_default(a);
}

void job_take_apart(struct job *job)
{
	if (job->rw >= RW_COUNT && job->rw != AXIS_UNSET) {
		job->rw_step = rw_step_of(job->rw);
		job->rw = rw_of(job->rw);
	}
	if (job->bs & BS_MIX) {
		job->bssplit = job->bs & ~BS_MIX;
		job->bs = axis_default(&axes[AXIS_bs]);
	}
}

void job_defaults(struct job *job)
{
	static const enum axis_id follow[] = { AXIS_ramp_time, AXIS_job_offset,
		                               AXIS_fixedbufs, AXIS_registerfiles,
		                               AXIS_iodepth_batch_submit,
		                               AXIS_iodepth_batch_complete_max,
		                               AXIS_thinktime_blocks };

	for (size_t i = 0; i < ARRAY_SIZE(follow); i++) {
		uint64_t *slot = axis_slot(&axes[follow[i]], job);

		if (*slot == AXIS_UNSET)
			*slot = axis_default_in(&axes[follow[i]], job);
	}
}

typedef void print_axis(const struct axis *a, uint64_t value, char *buf, size_t size);

/* "READ,WRITE" */
static void print_directions(const struct axis *a, uint64_t value, print_axis *print, char *buf,
			     size_t size)
{
	char read[32], write[32];

	print(a, direction_of(a, value, OP_READ), read, sizeof(read));
	print(a, direction_of(a, value, OP_WRITE), write, sizeof(write));
	(void)snprintf(buf, size, "%s,%s", read, write);
}

void axis_print(const struct axis *a, uint64_t value, char *buf, size_t size)
{
	buf[0] = '\0';
	if (value == AXIS_UNSET || a->kind == AXIS_TEXT)
		return;
	if (a == &axes[AXIS_bs] && value & BS_MIX)
		(void)snprintf(buf, size, "bssplit[%" PRIu64 "]", value & ~BS_MIX);
	else if (direction_differs(a, value))
		print_directions(a, value, axis_print, buf, size);
	else if (a == &axes[AXIS_rw] && value >= RW_COUNT)
		(void)snprintf(buf, size, "%s:%" PRId64, rw_name(rw_of(value)),
		               (int64_t)rw_step_of(value));
	else if (a->kind == AXIS_ENUM)
		(void)snprintf(buf, size, "%s", a->choice(value));
	else if (a->kind == AXIS_TIME)
		(void)print_seconds(buf, size, value);
	else if (a->kind == AXIS_SIZE_OR_PERCENT && (value & SIZE_PERCENT))
		(void)snprintf(buf, size, "%" PRIu64 "%%", value & ~SIZE_PERCENT);
	else if (a->kind == AXIS_SIGNED)
		(void)snprintf(buf, size, "%" PRId64, (int64_t)value);
	else
		(void)snprintf(buf, size, "%" PRIu64, value);
}

void axis_print_human(const struct axis *a, uint64_t value, char *buf, size_t size)
{
	bool mix = a == &axes[AXIS_bs] && value & BS_MIX,
	     bytes = (a->kind == AXIS_SIZE && !mix) ||
	             (a->kind == AXIS_SIZE_OR_PERCENT && !(value & SIZE_PERCENT));
	char seconds[48];

	if (direction_differs(a, value))
		print_directions(a, value, axis_print_human, buf, size);
	else if (a->plain_ns && value != AXIS_UNSET) /* as it can be given again */
		(void)snprintf(buf, size, "%ss", print_seconds(seconds, sizeof(seconds), value));
	else if (bytes && value != AXIS_UNSET)
		(void)print_size(buf, size, value);
	else
		axis_print(a, value, buf, size);
}
