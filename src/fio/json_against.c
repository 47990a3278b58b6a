#include "fio/json_against.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/json_modern.h"
#include "fio/json_number.h"
#include "model/size_mix.h"

static uint64_t count(const json_t *o, const char *key)
{
	uint64_t v;

	return json_number_count(o, key, &v) ? v : 0;
}

/* Is an option there that has no axis of ours, and not turned off? */
static bool has_other(const struct json_options *o, const char *name)
{
	const size_t n = strlen(name);

	for (size_t i = 0; i < o->other.len; i++)
		if (!strncmp(o->other.item[i], name, n) && o->other.item[i][n] == '=' &&
		    strcmp(o->other.item[i] + n, "=0") != 0)
			return true;
	return false;
}

static bool counts(const struct json_options *o)
{
	return o->known && !o->said && !o->native && o->job.numjobs != AXIS_UNSET &&
	       o->job.iodepth != AXIS_UNSET && o->job.bs != AXIS_UNSET;
}

static struct size_span sizes_of(const struct json_options *o)
{
	struct size_mix mix[SIZES_COUNT];
	const char *words = o->word[AXIS_bssplit];

	return size_span(&o->job, words && !size_mix_parse(words, mix, NULL) ? mix : NULL);
}

/* I/Os at the edges of what is counted, and the last one of each job, which may go beyond its size. */
static double tolerance(const struct json_options *o)
{
	return (double)sizes_of(o).max * (double)o->job.iodepth * (double)o->job.numjobs;
}

/* Sizes of I/Os that these options cannot have. */
static bool has_other_sizes(const struct json_options *o, const json_t *direction, struct text *why)
{
	const double ios = (double)count(direction, "total_ios"),
		     bytes = (double)count(direction, "io_bytes"),
		     slack = tolerance(o) + bytes / 200;
	const struct size_span span = sizes_of(o);
	const bool one_size = span.min == span.max && !count(direction, "short_ios");

	if (ios <= 0 || bytes <= 0 ||
	    (bytes <= ios * (double)span.max + slack &&
	     (!one_size || bytes >= ios * (double)span.min - slack)))
		return false;
	text_addf(why, "its I/Os have %.0f bytes on average, with bs=%" PRIu64, bytes / ios,
	          span.max);
	return true;
}

/* job_runtime is the sum over the jobs; with verify it has several phases. */
static bool has_more_jobs(const struct json_options *o, const json_t *job, struct text *why)
{
	const double longest = (double)json_largest(job, "runtime"),
		     sum = (double)count(job, "job_runtime"), n = (double)o->job.numjobs;

	if (longest <= 0 || has_other(o, "verify") || sum <= (n + 0.1) * longest + 2 * n)
		return false;
	text_addf(why, "its jobs ran for %.0f ms in all, which is more than numjobs=%.0f and %.0f ms",
	          sum, n, longest);
	return true;
}

bool json_sums_unlike(const struct json_options *o, const json_t *job, struct text *why)
{
	if (!counts(o) || count(job, "error") || count(job, "total_err"))
		return false;
	for (size_t i = 0; i < JSON_DIRECTIONS; i++)
		if (has_other_sizes(o, json_object_get(job, json_direction[i]), why))
			return true;
	return has_more_jobs(o, job, why);
}

bool json_passed_its_size(const struct json_options *o, const json_t *job)
{
	AUTO(text_fini) struct text why = { 0 };
	const uint64_t size = o->job.size;

	if (!counts(o) || size == AXIS_UNSET || size & SIZE_PERCENT ||
	    o->job.io_size != AXIS_UNSET || has_other(o, "loops") ||
	    json_sums_unlike(o, job, &why))
		return false;
	return (double)json_largest(job, "io_bytes") >
	       (double)size * (double)o->job.numjobs + tolerance(o);
}

/* Without latencies because of a bare flag, there are samples of its bandwidth. */
bool json_ended_in_ramp(const struct json_options *o, const json_t *job)
{
	return o->known && !o->no_latencies && o->job.ramp_time != AXIS_UNSET && o->job.ramp_time &&
	       json_largest(job, "io_bytes") && !json_has_latencies(job) &&
	       !json_largest(job, "bw_samples") &&
	       json_largest(job, "runtime") <= o->job.ramp_time / MSEC + 1000;
}
