#include "fio/json_latency.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "fio/json_number.h"

#define FIO2_TOP_NS UINT64_C(16711680000) /* before fio 3 the buckets were of microseconds */

/* Were any samples taken? Without N, what is not 0 says so. */
static bool measured(const json_t *lat)
{
	if (json_object_get(lat, "N"))
		return json_term(lat, "N") > 0;
	return json_term(lat, "max") > 0 || json_term(lat, "mean") > 0;
}

/* The percentile of 10000 times p, within the six digits that fio prints. */
static struct metric_value percentile(json_t *object, double p)
{
	const char *key;
	json_t *v;
	double ns;

	json_object_foreach(object, key, v)
	{
		if (fabs(strtod(key, NULL) - p / 100) < 1e-7 &&
		    json_number_real(object, key, &ns))
			return json_number_of(ns);
	}
	return (struct metric_value){ 0 };
}

static int add_bin(struct hist *h, const char *key, const json_t *v)
{
	char *end;
	uint64_t ns = strtoull(key, &end, 10), n = 0;
	unsigned __int128 sum;

	if (!json_is_integer(v) || json_integer_value(v) < 0 || *end || ns >> HIST_TOP_BITS)
		return -EINVAL;
	n = (uint64_t)json_integer_value(v);
	if (!n)
		return 0;
	sum = (unsigned __int128)h->sum + (unsigned __int128)n * ns;
	if (sum > INT64_MAX || __builtin_add_overflow(h->n, n, &h->n) || h->n > INT64_MAX)
		return -ERANGE;
	h->sum = (uint64_t)sum;
	h->bucket[hist_index(ns)] += n;
	if (h->n == n || ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	return 0;
}

/* The exact numbers beside the bins, where both can be true. */
static void sharpen(struct hist *h, const json_t *lat)
{
	double min = json_term(lat, "min"), max = json_term(lat, "max"), sum;

	if (min < (double)h->min && hist_index((uint64_t)min) == hist_index(h->min))
		h->min = (uint64_t)min;
	if (max > (double)h->max && max < 0x1p41 &&
	    hist_index((uint64_t)max) == hist_index(h->max))
		h->max = (uint64_t)max;
	sum = json_term(lat, "mean") * (double)h->n;
	if (sum >= (double)h->n * (double)h->min && sum <= (double)h->n * (double)h->max &&
	    sum < 9e15)
		h->sum = (uint64_t)llround(sum);
}

static struct hist *from_bins(json_t *lat)
{
	json_t *bins = json_object_get(lat, "bins"), *v;
	AUTO(freep) struct hist *h = NULL;
	const char *key;

	if (!json_object_size(bins))
		return NULL;
	h = xcalloc(1, sizeof(*h));
	json_object_foreach(bins, key, v)
	{
		if (add_bin(h, key, v))
			return NULL;
	}
	if (!h->n || (json_object_get(lat, "N") && json_term(lat, "N") != (double)h->n))
		return NULL;
	sharpen(h, lat);
	return TAKE(h);
}

static const enum metric_id percentiles[] = { METRIC_lat_p50_us, METRIC_lat_p90_us,
	                                      METRIC_lat_p95_us, METRIC_lat_p99_us,
	                                      METRIC_lat_p99_9_us, METRIC_lat_p99_99_us };

static bool read_percentiles(struct metric_value m[METRIC_COUNT], json_t *lat,
                             const struct hist *h)
{
	json_t *object = json_object_get(lat, "percentile");
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++) {
		size_t p = metric_at(percentiles[i])->arg;
		struct metric_value *v = &m[percentiles[i]];

		*v = percentile(object, (double)p);
		if (!v->measured && h && !metric_too_few(h->n, p))
			*v = json_number_of(hist_percentile(h, (double)p / 100));
		any |= v->measured;
	}
	return any;
}

/* `lat_ns`, or `clat_ns`: the one whose distribution was asked for. */
static json_t *distribution(json_t *direction)
{
	static const char *const name[] = { "lat_ns", "clat_ns" };

	for (size_t i = 0; i < ARRAY_SIZE(name); i++) {
		json_t *lat = json_object_get(direction, name[i]);

		if (measured(lat) && (json_object_size(json_object_get(lat, "percentile")) ||
		                                   json_object_size(json_object_get(lat, "bins"))))
			return lat;
	}
	return NULL;
}

void json_latency_read(struct metric_value m[METRIC_COUNT], json_t *direction,
                       struct hist **hist, bool *completion)
{
	json_t *lat = json_object_get(direction, "lat_ns"), *shape = distribution(direction);

	*hist = NULL;
	if (measured(lat)) {
		m[METRIC_lat_min_us] = json_number_metric(METRIC_INTEGER, lat, "min");
		m[METRIC_lat_max_us] = json_number_metric(METRIC_INTEGER, lat, "max");
		m[METRIC_lat_mean_us] = json_number_metric(METRIC_REAL, lat, "mean");
		m[METRIC_lat_stddev_us] = json_number_metric(METRIC_REAL, lat, "stddev");
	}
	if (!shape)
		return;
	*hist = from_bins(shape);
	if (read_percentiles(m, shape, *hist) && shape != lat)
		*completion = true;
}

bool json_latency_saturated(const struct metric_value m[METRIC_COUNT])
{
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++) {
		const struct metric_value *v = &m[percentiles[i]];

		if (v->measured && (v->real == (double)FIO_TOP_NS || v->real == (double)FIO2_TOP_NS))
			return true;
	}
	return false;
}
