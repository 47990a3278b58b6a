#include "fio/json_modern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/json_number.h"

const char *const json_direction[JSON_DIRECTIONS] = { "read", "write", "trim", "mixed" };

static json_t *thousandfold(const json_t *v)
{
	double real = json_number_thousand(json_number_value(v));
	json_int_t whole;

	if (json_is_integer(v) && !__builtin_mul_overflow(json_integer_value(v), 1000, &whole))
		return json_integer(whole);
	return isfinite(real) ? json_real(real) : json_null();
}

/* Microseconds to nanoseconds, also in the objects inside; N is a number of samples. */
static void to_nanoseconds(json_t *o)
{
	const char *key;
	json_t *v;

	json_object_foreach(o, key, v)
	{
		if (json_is_object(v) && strcmp(key, "bins") != 0)
			to_nanoseconds(v);
		else if (json_is_number(v) && strcmp(key, "N") != 0)
			(void)json_object_set_new(o, key, thousandfold(v));
	}
}

/* Unused places in the list of percentiles were printed as "0.00". */
static void drop_unused(json_t *lat)
{
	json_t *percentile = json_object_get(lat, "percentile");
	void *at;

	for (void *next = json_object_iter(percentile); (at = next);) {
		const char *key = json_object_iter_key(at);

		next = json_object_iter_next(percentile, at);
		if (strtod(key, NULL) <= 0)
			(void)json_object_del(percentile, key);
	}
}

static void modern_latency(json_t *direction, const char *old, const char *now)
{
	json_t *lat = json_object_get(direction, old);

	if (json_is_object(lat) && !json_object_get(direction, now)) {
		to_nanoseconds(lat);
		(void)json_object_set(direction, now, lat);
		(void)json_object_del(direction, old);
	}
	drop_unused(json_object_get(direction, now));
}

static void set_product(json_t *o, const char *to, const char *from, uint64_t factor)
{
	uint64_t v;

	if (json_number_count(o, from, &v) && !__builtin_mul_overflow(v, factor, &v) &&
	    v <= INT64_MAX)
		(void)json_object_set_new(o, to, json_integer((json_int_t)v));
}

static void modern_direction(json_t *d)
{
	if (!json_object_get(d, "io_kbytes")) { /* then io_bytes are KiB */
		json_t *kib = json_object_get(d, "io_bytes");

		(void)json_object_set(d, "io_kbytes", kib);
		set_product(d, "io_bytes", "io_kbytes", 1024);
	}
	if (!json_object_get(d, "bw_bytes"))
		set_product(d, "bw_bytes", "bw", 1024);
	modern_latency(d, "slat", "slat_ns");
	modern_latency(d, "clat", "clat_ns");
	modern_latency(d, "lat", "lat_ns");
}

void json_modern(json_t *job)
{
	json_t *sync = json_object_get(job, "sync");

	for (size_t i = 0; i < JSON_DIRECTIONS; i++)
		if (json_is_object(json_object_get(job, json_direction[i])))
			modern_direction(json_object_get(job, json_direction[i]));
	if (json_is_object(sync))
		modern_latency(sync, "lat", "lat_ns");
}

uint64_t json_largest(const json_t *job, const char *key)
{
	uint64_t most = 0;

	for (size_t i = 0; i < JSON_DIRECTIONS; i++) {
		uint64_t v;

		if (json_number_count(json_object_get(job, json_direction[i]), key, &v) &&
		    v > most)
			most = v;
	}
	return most;
}

bool json_has_latencies(const json_t *job)
{
	static const char *const name[] = { "lat_ns", "clat_ns", "lat", "clat" };

	for (size_t i = 0; i < JSON_DIRECTIONS; i++) {
		const json_t *direction = json_object_get(job, json_direction[i]);

		for (size_t k = 0; k < ARRAY_SIZE(name); k++) {
			double mean;

			if (json_number_real(json_object_get(direction, name[k]), "mean",
			                     &mean) &&
			    mean > 0)
				return true;
		}
	}
	return false;
}
