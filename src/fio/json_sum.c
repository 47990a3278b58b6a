#include "fio/json_sum.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/json_modern.h"
#include "fio/json_number.h"

static void add_count(json_t *sum, const json_t *other, const char *key)
{
	uint64_t a = 0, b = 0, total;
	bool any = json_number_count(sum, key, &a);

	if (!json_number_count(other, key, &b) && !any)
		return;
	if (__builtin_add_overflow(a, b, &total) || total > INT64_MAX)
		(void)json_object_del(sum, key);
	else
		(void)json_object_set_new(sum, key, json_integer((json_int_t)total));
}

static void set_real(json_t *o, const char *key, double v)
{
	if (isfinite(v))
		(void)json_object_set_new(o, key, json_real(v));
}

static void keep_extreme(json_t *sum, const json_t *other, const char *key, bool largest)
{
	const json_t *v = json_object_get(other, key);

	if (json_is_number(v) && (json_term(other, key) > json_term(sum, key)) == largest)
		(void)json_object_set_new(sum, key, json_deep_copy(v));
}

static void add_bins(json_t *sum, json_t *other)
{
	json_t *bins = json_object_get(sum, "bins");
	json_t *more = json_object_get(other, "bins");
	const char *key;
	json_t *v;

	(void)json_object_del(sum, "percentile");
	if (!json_is_object(bins) || !json_is_object(more)) {
		(void)json_object_del(sum, "bins");
		return;
	}
	json_object_foreach(more, key, v)
	{
		add_count(bins, more, key);
	}
}

/* Samples of a latency. Old versions do not print N: then it is the number of I/Os. */
static double samples(const json_t *lat, const json_t *direction)
{
	const char *key = json_object_get(lat, "N") ? "N" : "total_ios";

	return json_term(json_object_get(lat, "N") ? lat : direction, key);
}

struct pool {
	double na, nb;
};

/* Mean and squares of two sets of samples from those of each: the pairwise step of Chan, Golub
 * and LeVeque, "Algorithms for computing the sample variance" (The American Statistician 37,
 * 1983); no square of a sum, so it does not cancel. A deviation is of a sample: by n - 1. */
static void add_latency(json_t *sum, json_t *other, struct pool n)
{
	double all = n.na + n.nb, ma = json_term(sum, "mean"), mb = json_term(other, "mean"),
	       sa = json_term(sum, "stddev"), sb = json_term(other, "stddev"),
	       delta = mb - ma, squares;

	if (n.nb <= 0)
		return;
	if (n.na <= 0) {
		(void)json_object_update(sum, other);
		return;
	}
	squares = sa * sa * (n.na - 1) + sb * sb * (n.nb - 1) + delta * delta * n.na * n.nb / all;
	keep_extreme(sum, other, "min", false);
	keep_extreme(sum, other, "max", true);
	set_real(sum, "mean", ma + delta * n.nb / all);
	set_real(sum, "stddev", all > 1 ? sqrt(fmax(0, squares) / (all - 1)) : 0);
	add_count(sum, other, "N");
	add_bins(sum, other);
}

/* Samples, but nobody says how many: not to be pooled. */
static bool unknown(const json_t *lat, double n)
{
	return n <= 0 && json_term(lat, "mean") > 0;
}

static void add_latencies(json_t *sum, json_t *other)
{
	static const char *const name[] = { "slat_ns", "clat_ns", "lat_ns" };

	for (size_t i = 0; i < ARRAY_SIZE(name); i++) {
		json_t *a = json_object_get(sum, name[i]);
		json_t *b = json_object_get(other, name[i]);
		struct pool n = { samples(a, sum), samples(b, other) };

		if (!json_is_object(a) || !json_is_object(b))
			continue;
		if (unknown(a, n.na) || unknown(b, n.nb))
			(void)json_object_del(sum, name[i]);
		else
			add_latency(a, b, n);
	}
}

static void drop(json_t *o, const char *const *key, size_t n)
{
	for (size_t i = 0; i < n; i++)
		(void)json_object_del(o, key[i]);
}

/* The rates of the sum; of jobs that say no whole milliseconds there are none. */
static void set_rates(json_t *d)
{
	static const char *const rates[] = { "iops", "bw_bytes", "bw" };
	uint64_t ms = 0, bytes = 0;
	unsigned __int128 bw;

	drop(d, rates, ARRAY_SIZE(rates)); /* those of one job */
	if (!json_number_count(d, "runtime", &ms) || !ms)
		return;
	if (json_object_get(d, "total_ios"))
		set_real(d, "iops", json_term(d, "total_ios") * 1000 / (double)ms);
	if (!json_number_count(d, "io_bytes", &bytes))
		return;
	bw = (unsigned __int128)bytes * 1000 / ms;
	if (bw > INT64_MAX)
		return;
	(void)json_object_set_new(d, "bw_bytes", json_integer((json_int_t)bw));
	(void)json_object_set_new(d, "bw", json_integer((json_int_t)(bw / 1024)));
}

static void add_direction(json_t *sum, json_t *other)
{
	static const char *const counts[] = { "io_bytes", "io_kbytes", "total_ios", "short_ios",
		                              "drop_ios" };
	static const char *const sampled[] = { "bw_min",   "bw_max",     "bw_agg",   "bw_mean",
		                               "bw_dev",   "bw_samples", "iops_min", "iops_max",
		                               "iops_mean", "iops_stddev", "iops_samples", "prios" };

	add_latencies(sum, other); /* by the old numbers of I/Os */
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		add_count(sum, other, counts[i]);
	keep_extreme(sum, other, "runtime", true);
	set_rates(sum);
	drop(sum, sampled, ARRAY_SIZE(sampled));
}

/* Shares of each job's own time. */
static void add_cpu(json_t *sum, const json_t *job)
{
	static const char *const name[] = { "usr_cpu", "sys_cpu" };
	double a = json_term(sum, "job_runtime"), b = json_term(job, "job_runtime");

	for (size_t i = 0; i < ARRAY_SIZE(name); i++)
		if (a + b > 0)
			set_real(sum, name[i],
			         (json_term(sum, name[i]) * a + json_term(job, name[i]) * b) / (a + b));
		else
			(void)json_object_del(sum, name[i]);
}

void json_sum(json_t *sum, json_t *job)
{
	static const char *const counts[] = { "ctx", "majf", "minf", "job_runtime",
		                              "total_err" };
	static const char *const alone[] = { "iodepth_level", "iodepth_submit",
		                             "iodepth_complete", "latency_ns", "latency_us",
		                             "latency_ms", "steadystate" };
	json_t *sync = json_object_get(sum, "sync");

	for (size_t i = 0; i < JSON_DIRECTIONS; i++) {
		json_t *a = json_object_get(sum, json_direction[i]);
		json_t *b = json_object_get(job, json_direction[i]);

		if (json_is_object(a) && json_is_object(b))
			add_direction(a, b);
	}
	if (json_is_object(sync)) {
		add_latencies(sync, json_object_get(job, "sync"));
		add_count(sync, json_object_get(job, "sync"), "total_ios");
	}
	add_cpu(sum, job);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		add_count(sum, job, counts[i]);
	if (json_term(sum, "error") == 0 && json_term(job, "error") > 0)
		(void)json_object_set(sum, "error", json_object_get(job, "error"));
	drop(sum, alone, ARRAY_SIZE(alone));
}
