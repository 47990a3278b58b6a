#include "fio/json_result.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/json_member.h"
#include "fio/json_own.h"
#include "fio/json_shape.h"
#include "model/imported.h"
#include "model/metrics.h"
#include "sink/interval.h"

uint64_t json_runtime_ms(const struct json_writing *w)
{
	return ((uint64_t)rows_named_int(w->run, "window_ns") + MSEC - 1) / MSEC;
}

/* Of a number that is not known: 0. */
static int64_t known(double v)
{
	return fabs(v) < 0x1p63 ? (int64_t)v : 0;
}

static json_t *no_latency(void)
{
	return json_pack("{s:i,s:i,s:f,s:f,s:i}", "min", 0, "max", 0, "mean", 0.0, "stddev",
	                 0.0, "N", 0);
}

/* result: a row of table result with its histogram; NULL: this op did nothing. */
static json_t *latency(const struct json_writing *w, struct rows *result, struct hist *h)
{
	json_t *o = no_latency();

	if (!result || rows_named_missing(result, "lat_mean_ns"))
		return o;
	member_count(o, "min", rows_named_int(result, "lat_min_ns"));
	member_count(o, "max", rows_named_int(result, "lat_max_ns"));
	member_real(o, "mean", rows_named_real(result, "lat_mean_ns"));
	member_real(o, "stddev", rows_named_real(result, "lat_stddev_ns"));
	member_count(o, "N", h->n ? (int64_t)h->n : rows_named_int(result, "ios"));
	if (h->n)
		member_set(o, "percentile", json_shape_percentiles(h, &w->percentiles));
	if (h->n && w->bins)
		member_set(o, "bins", json_shape_bins(h));
	return o;
}

static int set_bandwidths(struct json_writing *w, json_t *o, int64_t op, struct err *e)
{
	struct interval_bandwidth bw;
	int r = interval_bandwidth(&bw, w->store, rows_named_int(w->run, "run_id"), op, e);

	if (r)
		return r;
	member_count(o, "bw_min", bw.min);
	member_count(o, "bw_max", bw.max);
	member_real(o, "bw_agg", bw.samples ? 100 : 0);
	member_real(o, "bw_mean", bw.mean);
	member_real(o, "bw_dev", bw.stddev);
	member_count(o, "bw_samples", bw.samples);
	return 0;
}

/* How many slots iops_min and so on are of; with a single one there is no deviation. */
static int64_t count_slots(const struct json_writing *w, const struct rows *result)
{
	int64_t window = rows_named_int(w->run, "window_ns"),
		slot = rows_named_int(w->run, "slot_ns");

	if (window <= 0 || slot <= 0 || rows_named_missing(result, "iops_stddev"))
		return 1;
	return (int64_t)metric_whole_slots(
	    (uint64_t)window, metric_rate_slot_ns((uint64_t)window, (uint64_t)slot));
}

static void set_samples(const struct json_writing *w, json_t *o, const struct rows *result)
{
	bool any = result && !rows_named_missing(result, "iops_min");

	member_count(o, "iops_min",
	             any ? known(round(rows_named_real(result, "iops_min"))) : 0);
	member_count(o, "iops_max",
	             any ? known(round(rows_named_real(result, "iops_max"))) : 0);
	member_real(o, "iops_mean", any ? rows_named_real(result, "iops") : 0);
	member_real(o, "iops_stddev", any ? rows_named_real(result, "iops_stddev") : 0);
	member_count(o, "iops_samples", any ? count_slots(w, result) : 0);
}

static int set_direction(struct json_writing *w, const char *name, struct rows *result,
                         int64_t op, struct hist *h, struct err *e)
{
	json_t *o = json_object();
	int64_t bytes = result ? rows_named_int(result, "bytes") : 0,
		bw = result ? known(rows_named_real(result, "bw_bytes_s")) : 0;
	int rc;

	member_count(o, "io_bytes", bytes);
	member_count(o, "io_kbytes", bytes / 1024);
	member_count(o, "bw_bytes", bw);
	member_count(o, "bw", bw / 1024);
	member_real(o, "iops", result ? rows_named_real(result, "iops") : 0);
	member_count(o, "runtime", result ? (int64_t)json_runtime_ms(w) : 0);
	member_count(o, "total_ios", result ? rows_named_int(result, "ios") : 0);
	member_count(o, "short_ios", result ? rows_named_int(result, "short_ios") : 0);
	member_count(o, "drop_ios", 0);
	member_set(o, "slat_ns", no_latency());
	member_set(o, "clat_ns", latency(w, result, h));
	member_set(o, "lat_ns", latency(w, result, h));
	rc = set_bandwidths(w, o, op, e);
	set_samples(w, o, result);
	member_set(w->job, name, o);
	return rc;
}

static int unpack(struct hist *h, const struct rows *result, struct err *e)
{
	size_t size;
	const void *data = rows_blob(result, rows_find(result, "data"), &size);

	memset(h, 0, sizeof(*h));
	return data ? hist_unpack(h, data, size, e) : 0;
}

static void set_sync(struct json_writing *w, struct rows *result, struct hist *h)
{
	json_t *o = json_object();

	member_count(o, "total_ios", result ? rows_named_int(result, "ios") : 0);
	member_set(o, "lat_ns", latency(w, result, h));
	member_set(w->job, "sync", o);
}

int json_result_add(struct json_writing *w, int64_t op, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	int rc = rows_open(&r, w->store,
	                   "SELECT result.*, histogram.data FROM result LEFT JOIN histogram "
	                   "USING (run_id, op) WHERE run_id = ? AND op = ?",
	                   e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, rows_named_int(w->run, "run_id"));
	rows_bind_int(r, 2, op);
	rc = rows_next(r, e);
	if (rc < 0 || (rc && unpack(h, r, e)))
		return rc < 0 ? rc : -EBADMSG;
	if (rc)
		json_own_add_exact(json_object_get(w->job, "job options"), r,
		                   (enum json_own)op);
	if (op == OP_SYNC) {
		set_sync(w, rc ? r : NULL, h);
		return 0;
	}
	hist_merge(w->all, h);
	return set_direction(w, row_op_name((uint64_t)op), rc ? r : NULL, op, h, e);
}
