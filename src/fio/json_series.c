#include "fio/json_series.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/json_modern.h"
#include "fio/json_number.h"
#include "fio/json_options.h"

static bool same(const json_t *a, const json_t *b, const char *key)
{
	const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

	return x && y ? json_equal(x, y) : !x && !y;
}

static json_t *jobs_of(const json_t *doc)
{
	json_t *clients = json_object_get(doc, "client_stats");

	return clients ? clients : json_object_get(doc, "jobs");
}

static bool is_same_job(const json_t *a, const json_t *b)
{
	static const char *const key[] = { "jobname", "groupid", "hostname", "job options" };
	size_t i = 0;

	while (i < ARRAY_SIZE(key) && same(a, b, key[i]))
		i++;
	return i == ARRAY_SIZE(key);
}

/* From one printing to the next, at most, in ms. */
static bool read_gap(const json_t *earlier, const json_t *later, uint64_t *ms)
{
	uint64_t from, to;

	if (json_number_count(earlier, "timestamp_ms", &from) &&
	    json_number_count(later, "timestamp_ms", &to) && from <= to) {
		*ms = to - from;
		return true;
	}
	if (!json_number_count(earlier, "timestamp", &from) ||
	    !json_number_count(later, "timestamp", &to) || from > to || to > UINT32_MAX)
		return false;
	*ms = (to - from) * 1000 + 999;
	return true;
}

static uint64_t ramp_ms(const json_t *doc, json_t *job)
{
	struct json_options o;
	uint64_t ramp;

	json_options_read(&o, json_object_get(doc, "global options"),
	                  json_object_get(job, "job options"));
	ramp = o.known ? o.job.ramp_time / MSEC : 0;
	json_options_fini(&o);
	return ramp;
}

static bool same_numbers(const json_t *a, const json_t *b)
{
	size_t i = 0;

	while (i < JSON_DIRECTIONS && same(a, b, json_direction[i]))
		i++;
	return i == JSON_DIRECTIONS;
}

enum proof { AGAINST, NEITHER, IN_FAVOUR };

/* A run of its own began after the earlier document was printed: it is no older than the gap. */
static enum proof look_at(const json_t *before, json_t *job, const json_t *later, uint64_t gap)
{
	const bool measured = json_has_latencies(job);

	if (!json_largest(before, "io_bytes"))
		return NEITHER; /* had not begun */
	if (json_largest(job, "runtime") + (measured ? ramp_ms(later, job) : 0) > gap)
		return IN_FAVOUR;
	if (same_numbers(before, job)) /* had ended */
		return measured ? IN_FAVOUR : NEITHER;
	return AGAINST;
}

bool json_series_goes_on(const json_t *earlier, const json_t *later)
{
	json_t *before = jobs_of(earlier), *now = jobs_of(later), *job;
	bool proven = false;
	uint64_t gap;
	size_t i;

	if (json_array_size(before) != json_array_size(now) ||
	    !same(earlier, later, "fio version") || !same(earlier, later, "global options") ||
	    !read_gap(earlier, later, &gap))
		return false;
	json_array_foreach(now, i, job)
	{
		const json_t *was = json_array_get(before, i);
		enum proof found =
		    is_same_job(was, job) ? look_at(was, job, later, gap) : AGAINST;

		if (found == AGAINST)
			return false;
		proven |= found == IN_FAVOUR;
	}
	return proven;
}
