#include "fio/json_shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/json_latency.h"

json_t *json_shape_percentiles(const struct hist *h, const struct percentiles *list)
{
	json_t *o = json_object();

	for (size_t i = 0; i < list->n; i++) {
		uint32_t p = list->at[i];
		char key[24];

		if (!percentile_too_few(h->n, p))
			(void)json_object_set_new(o, percentile_print(key, sizeof(key), p, 6),
			                          json_integer(llround(percentile_ns(h, p))));
	}
	return o;
}

/* The midpoint of fio's bucket that holds v: below 128 each value has its own. */
static uint64_t midpoint(uint64_t v)
{
	unsigned shift;

	if (v < 128)
		return v;
	shift = 63u - (unsigned)__builtin_clzll(v) - 6;
	v = (v >> shift << shift) + (UINT64_C(1) << shift >> 1);
	return v < FIO_TOP_NS ? v : FIO_TOP_NS;
}

static void put_bin(json_t *o, uint64_t at, uint64_t n)
{
	char key[24];

	(void)snprintf(key, sizeof(key), "%" PRIu64, at);
	(void)json_object_set_new(o, key, json_integer((json_int_t)n));
}

json_t *json_shape_bins(const struct hist *h)
{
	json_t *o = json_object();
	uint64_t at = 0, n = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		uint64_t here = midpoint(hist_low(i));

		if (!h->bucket[i])
			continue;
		if (n && here != at) {
			put_bin(o, at, n);
			n = 0;
		}
		at = here;
		n += h->bucket[i];
	}
	if (h->overflow && at != FIO_TOP_NS && n) {
		put_bin(o, at, n);
		n = 0;
	}
	if (n + h->overflow)
		put_bin(o, h->overflow ? FIO_TOP_NS : at, n + h->overflow);
	return o;
}

/* I/Os of [from, to) ns; a bucket of ours lies where its middle does. */
static uint64_t between(const struct hist *h, double from, double to)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		double mid = ((double)hist_low(i) + (double)hist_high(i)) / 2;

		if (h->bucket[i] && mid >= from && mid < to)
			n += h->bucket[i];
	}
	return n;
}

static void put_share(json_t *o, const char *key, uint64_t n, uint64_t all)
{
	double share = all ? 100 * (double)n / (double)all : 0;

	(void)json_object_set_new(o, key, json_real(n && share < 0.01 ? 0.01 : share));
}

/* Keys are upper bounds in `unit`, the lower one is the key before. */
static void put_table(json_t *job, const char *name, double unit, const struct hist *h)
{
	static const unsigned bound[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 };
	bool ms = unit >= (double)MSEC;
	json_t *o = json_object();
	double from = unit <= 1 ? 0 : unit;

	for (size_t i = 0; i < ARRAY_SIZE(bound); i++) {
		char key[16];

		(void)snprintf(key, sizeof(key), "%u", bound[i]);
		put_share(o, key, between(h, from, bound[i] * unit), h->n);
		from = bound[i] * unit;
	}
	if (ms) {
		put_share(o, "2000", between(h, from, 2000 * unit), h->n);
		put_share(o, ">=2000", between(h, 2000 * unit, 1e300) + h->overflow, h->n);
	}
	(void)json_object_set_new(job, name, o);
}

void json_shape_shares(json_t *job, const struct hist *h)
{
	put_table(job, "latency_ns", 1, h);
	put_table(job, "latency_us", 1e3, h);
	put_table(job, "latency_ms", 1e6, h);
}
