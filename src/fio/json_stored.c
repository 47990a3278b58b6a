#include "fio/json_stored.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/config.h"
#include "fio/job_stored.h"
#include "fio/json_exact.h"
#include "fio/json_modern.h"
#include "fio/json_own.h"
#include "fio/json_print.h"
#include "fio/json_shape.h"
#include "model/imported.h"

/* Whose form it is, and who made it. */
#define VERSION "fio-3.33-iosweep-" IOSWEEP_VERSION

#define SAID                                                                                     \
	"clat_ns is a copy of lat_ns, from submission to completion; slat_ns is not measured; "  \
	"bw_ and iops_ samples are of 1 s, below 10 s iops_ of 100 ms; iodepth_level is that "   \
	"of the mean depth; disk_util is of the window alone"

void json_stored_sql(struct text *sql, const char *view, const char *where)
{
	text_addf(
	    sql,
	    "SELECT combination.*, target.kind AS target_kind, run.id AS run_id, run.repeat, "
	    "run.status AS run_status, run.error_no, run.started_wall_ns, run.jobs, "
	    "run.device_queue_ns, document.header, imported.source, ");
	json_exact_columns(sql, METRIC_RUN, "run.");
	text_addf(
	    sql,
	    ", "
	    "(SELECT doubts FROM all_runs WHERE all_runs.run = run.id LIMIT 1) AS doubts, "
	    "(SELECT notes FROM all_runs WHERE all_runs.run = run.id LIMIT 1) AS notes, run.why "
	    "FROM run JOIN combination ON combination.id = run.combination_id "
	    "LEFT JOIN target ON target.filename = combination.filename "
	    "LEFT JOIN imported ON imported.run_id = run.id "
	    "LEFT JOIN document ON document.hash = imported.document "
	    "WHERE (imported.source IS NOT NULL OR run.status IN ('ok', 'failed')) "
	    "AND run.id IN (SELECT run FROM %s",
	    view);
	if (where)
		text_addf(sql, " WHERE (%s\n)", where);
	text_add(sql, ") ORDER BY run.id");
}

/* --- columns by name --- */

static bool there(const struct rows *r, const char *name)
{
	int c = rows_find(r, name);

	return c >= 0 && !rows_null(r, c);
}

static double real(const struct rows *r, const char *name)
{
	return there(r, name) ? rows_real(r, rows_find(r, name)) : 0;
}

static int64_t integer(const struct rows *r, const char *name)
{
	return there(r, name) ? rows_int(r, rows_find(r, name)) : 0;
}

static const char *text(const struct rows *r, const char *name)
{
	return there(r, name) ? rows_text(r, rows_find(r, name)) : "";
}

static void set(json_t *o, const char *key, json_t *v)
{
	(void)json_object_set_new(o, key, v);
}

static void set_count(json_t *o, const char *key, int64_t v)
{
	set(o, key, json_integer(v));
}

static void set_real(json_t *o, const char *key, double v)
{
	set(o, key, json_real(isfinite(v) ? v : 0));
}

static void set_text(json_t *o, const char *key, const char *s)
{
	AUTO(text_fini) struct text clean = { 0 };

	text_add_utf8(&clean, s);
	set(o, key, json_string(text_get(&clean)));
}

static void set_exact(json_t *options, const struct rows *r, enum metric_scope scope,
                      const char *of)
{
	AUTO(text_fini) struct text words = { 0 }, name = { 0 };

	json_exact_write(&words, r, scope);
	text_addf(&name, JSON_EXACT "%s", of);
	if (words.len)
		set_text(options, name.s, words.s);
}

/* --- one direction --- */

struct writing {
	struct store *store;
	struct rows *run; /* its row */
	bool bins;
	struct percentiles percentiles; /* that are printed ... */
	bool chosen;                    /* ... because the sweep says so */
	struct hist *all; /* reads, writes and trims together */
	json_t *job;
};

static uint64_t runtime_ms(const struct writing *w)
{
	return ((uint64_t)integer(w->run, "window_ns") + MSEC - 1) / MSEC;
}

static json_t *no_latency(void)
{
	return json_pack("{s:i,s:i,s:f,s:f,s:i}", "min", 0, "max", 0, "mean", 0.0, "stddev", 0.0,
	                 "N", 0);
}

/* result: a row of table result with its histogram; NULL: this op did nothing. */
static json_t *latency(const struct writing *w, struct rows *result, struct hist *h)
{
	json_t *o = no_latency();

	if (!result || !there(result, "lat_mean_ns"))
		return o;
	set_count(o, "min", integer(result, "lat_min_ns"));
	set_count(o, "max", integer(result, "lat_max_ns"));
	set_real(o, "mean", real(result, "lat_mean_ns"));
	set_real(o, "stddev", real(result, "lat_stddev_ns"));
	set_count(o, "N", h->n ? (int64_t)h->n : integer(result, "ios"));
	if (h->n)
		set(o, "percentile", json_shape_percentiles(h, &w->percentiles));
	if (h->n && w->bins)
		set(o, "bins", json_shape_bins(h));
	return o;
}

/* Means over the intervals, idle ones counted. */
static int set_bandwidths(struct writing *w, json_t *o, int64_t op, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	double low = (double)INFINITY, high = 0, mean = 0, m2 = 0;
	int64_t n = 0;
	int rc = rows_open(&r, w->store,
	                   "SELECT bytes / 1.024 / len_ms FROM interval WHERE run_id = ? AND op "
	                   "= ? AND len_ms > 0 ORDER BY t_ms",
	                   e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, integer(w->run, "run_id"));
	rows_bind_int(r, 2, op);
	while ((rc = rows_next(r, e)) == 1) {
		double v = rows_real(r, 0), delta = v - mean;

		n++;
		low = fmin(low, v);
		high = fmax(high, v);
		mean += delta / (double)n;
		m2 += delta * (v - mean);
	}
	set_count(o, "bw_min", n ? (int64_t)low : 0);
	set_count(o, "bw_max", (int64_t)high);
	set_real(o, "bw_agg", n ? 100 : 0);
	set_real(o, "bw_mean", mean);
	set_real(o, "bw_dev", n > 1 ? sqrt(m2 / (double)(n - 1)) : 0);
	set_count(o, "bw_samples", n);
	return rc;
}

static void set_samples(const struct writing *w, json_t *o, const struct rows *result)
{
	int64_t window = integer(w->run, "window_ns");
	uint64_t slot = (uint64_t)window < 10 * SEC ? SERIES_SLOT_NS : SEC;
	bool any = result && there(result, "iops_min");

	set_count(o, "iops_min", any ? llround(real(result, "iops_min")) : 0);
	set_count(o, "iops_max", any ? llround(real(result, "iops_max")) : 0);
	set_real(o, "iops_mean", any ? real(result, "iops") : 0);
	set_real(o, "iops_stddev", any ? real(result, "iops_stddev") : 0);
	set_count(o, "iops_samples",
	          !any                              ? 0
	          : there(result, "iops_stddev") ? (window + (int64_t)slot / 100) / (int64_t)slot
	                                            : 1);
}

static int set_direction(struct writing *w, const char *name, struct rows *result, int64_t op,
                         struct hist *h, struct err *e)
{
	json_t *o = json_object();
	int64_t bytes = result ? integer(result, "bytes") : 0,
		bw = result ? (int64_t)real(result, "bw_bytes_s") : 0;
	int rc;

	set_count(o, "io_bytes", bytes);
	set_count(o, "io_kbytes", bytes / 1024);
	set_count(o, "bw_bytes", bw);
	set_count(o, "bw", bw / 1024);
	set_real(o, "iops", result ? real(result, "iops") : 0);
	set_count(o, "runtime", result ? (int64_t)runtime_ms(w) : 0);
	set_count(o, "total_ios", result ? integer(result, "ios") : 0);
	set_count(o, "short_ios", result ? integer(result, "short_ios") : 0);
	set_count(o, "drop_ios", 0);
	set(o, "slat_ns", no_latency());
	set(o, "clat_ns", latency(w, result, h));
	set(o, "lat_ns", latency(w, result, h));
	rc = set_bandwidths(w, o, op, e);
	set_samples(w, o, result);
	set(w->job, name, o);
	return rc;
}

static int unpack(struct hist *h, const struct rows *result, struct err *e)
{
	size_t size;
	const void *data = rows_blob(result, rows_find(result, "data"), &size);

	memset(h, 0, sizeof(*h));
	return data ? hist_unpack(h, data, size, e) : 0;
}

static void set_sync(struct writing *w, struct rows *result, struct hist *h)
{
	json_t *o = json_object();

	set_count(o, "total_ios", result ? integer(result, "ios") : 0);
	set(o, "lat_ns", latency(w, result, h));
	set(w->job, "sync", o);
}

/* The result of one op, or nothing done. */
static int set_op(struct writing *w, int64_t op, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	int rc = rows_open(&r, w->store,
	                   "SELECT result.*, histogram.data FROM result LEFT JOIN histogram "
	                   "USING (run_id, op) WHERE run_id = ? AND op = ?",
	                   e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, integer(w->run, "run_id"));
	rows_bind_int(r, 2, op);
	rc = rows_next(r, e);
	if (rc < 0 || (rc && unpack(h, r, e)))
		return rc < 0 ? rc : -EBADMSG;
	if (rc)
		set_exact(json_object_get(w->job, "job options"), r, METRIC_OP,
		          row_op_name((uint64_t)op));
	if (op == OP_SYNC) {
		set_sync(w, rc ? r : NULL, h);
		return 0;
	}
	hist_merge(w->all, h);
	return set_direction(w, row_op_name((uint64_t)op), rc ? r : NULL, op, h, e);
}

/* --- the job --- */

/* "name=value" as a member. */
static void set_option(json_t *o, const char *option)
{
	const char *eq = strchr(option, '=');
	AUTO(text_fini) struct text name = { 0 };

	text_addn(&name, option, (size_t)(eq ? eq - option : (ptrdiff_t)strlen(option)));
	set_text(o, text_get(&name), eq ? eq + 1 : "");
}

/* Where fio has no such job: the axes by their own names. */
static void set_axes(json_t *o, const struct fio_run *run)
{
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		uint64_t v = axis_value(a, run->job);
		char value[64];

		axis_print(a, v, value, sizeof(value));
		if (v != AXIS_UNSET && (a->column || v != axis_default_in(a, run->job)))
			set_text(o, a->name,
			         a->kind == AXIS_TEXT ? axis_text(a, &run->text) : value);
	}
}

static void set_options(struct writing *w)
{
	AUTO(fio_written_fini) struct fio_written written = { 0 };
	json_t *o = json_object();
	struct fio_run run;
	struct job job;
	struct err e = { 0 };

	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++)
		*axis_slot(a, &job) = AXIS_UNSET;
	set_text(o, "name", text(w->run, "label"));
	if (!fio_stored_read(w->run, &run, &job, &e) &&
	    !fio_run_write(&run, w->chosen ? &w->percentiles : NULL, &written, &e)) {
		/* of several targets the last one stands there, as fio has it; the description has all */
		if (written.target.len)
			set_option(o, written.target.item[written.target.len - 1]);
		for (size_t i = 0; i < written.option.len; i++)
			set_option(o, written.option.item[i]);
	} else {
		set_axes(o, &run);
	}
	set_exact(o, w->run, METRIC_RUN, "run");
	json_own_add(o, w->run);
	set_text(o, "iosweep_note", SAID);
	set(w->job, "job options", o);
}

static void set_depths(struct writing *w)
{
	static const char *const key[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	json_t *o = json_object();
	double depth = real(w->run, "depth_mean");

	for (size_t i = 0; i < ARRAY_SIZE(key); i++) {
		double from = i ? (double)(1U << i) : 0,
		       to = i + 1 < ARRAY_SIZE(key) ? (double)(2U << i) : (double)INFINITY;

		set_real(o, key[i], depth > 0 && depth >= from && depth < to ? 100 : 0);
	}
	set(w->job, "iodepth_level", o);
}

static int64_t started_ms(const struct writing *w)
{
	return integer(w->run, "started_wall_ns") / (int64_t)MSEC;
}

static void set_head(struct writing *w)
{
	int64_t ramp = integer(w->run, "ramp_time_ns");

	set_text(w->job, "jobname", text(w->run, "label"));
	set_count(w->job, "groupid", 0);
	if (there(w->run, "started_wall_ns"))
		set_count(w->job, "job_start", started_ms(w) - ramp / (int64_t)MSEC);
	set_count(w->job, "error", integer(w->run, "error_no"));
	set_count(w->job, "eta", 2147483647);
	set_count(w->job, "elapsed",
	          (integer(w->run, "window_ns") + ramp + (int64_t)SEC - 1) / (int64_t)SEC);
}

static void set_tail(struct writing *w)
{
	int64_t jobs = integer(w->run, "jobs") > 0 ? integer(w->run, "jobs") : 1;

	set_count(w->job, "job_runtime", (int64_t)runtime_ms(w) * jobs);
	if (there(w->run, "cpu_user_pct")) {
		set_real(w->job, "usr_cpu", real(w->run, "cpu_user_pct") / (double)jobs);
		set_real(w->job, "sys_cpu", real(w->run, "cpu_sys_pct") / (double)jobs);
	}
	set_depths(w);
	json_shape_shares(w->job, w->all);
	set_count(w->job, "latency_depth", integer(w->run, "iodepth"));
	set_count(w->job, "latency_target", 0);
	set_real(w->job, "latency_percentile", 100);
	set_count(w->job, "latency_window", 0);
}

/* "Model (nvme0n1)": the name is the last word. */
static void set_disk_name(json_t *o, const char *device)
{
	const char *from = strrchr(device, '('), *to = from ? strchr(from, ')') : NULL;
	AUTO(text_fini) struct text name = { 0 };

	if (to)
		text_addn(&name, from + 1, (size_t)(to - from - 1));
	set_text(o, "name", to ? name.s : device);
}

static json_t *disks(const struct writing *w)
{
	json_t *o, *all;

	if (!there(w->run, "device_read_ios"))
		return NULL;
	o = json_object();
	set_disk_name(o, text(w->run, "device"));
	set_count(o, "read_ios", integer(w->run, "device_read_ios"));
	set_count(o, "write_ios", integer(w->run, "device_write_ios"));
	set_count(o, "read_sectors", integer(w->run, "device_read_bytes") / 512);
	set_count(o, "write_sectors", integer(w->run, "device_write_bytes") / 512);
	set_count(o, "in_queue", integer(w->run, "device_queue_ns") / (int64_t)MSEC);
	set_real(o, "util", real(w->run, "device_util_pct"));
	all = json_array();
	(void)json_array_append_new(all, o);
	return all;
}

/* When fio would have reported: at the end of the window. */
static void set_times(struct writing *w, json_t *root)
{
	int64_t ms = started_ms(w) + (int64_t)runtime_ms(w);
	time_t s = (time_t)(ms / 1000);
	char when[64] = "";
	struct tm tm;

	set_count(root, "timestamp", ms / 1000);
	set_count(root, "timestamp_ms", ms);
	if (gmtime_r(&s, &tm))
		(void)strftime(when, sizeof(when), "%a %b %e %H:%M:%S %Y", &tm);
	set_text(root, "time", when);
}

static int build(struct writing *w, json_t *root, struct err *e)
{
	json_t *jobs = json_array(), *util = disks(w);
	int rc = 0;

	set_text(root, "fio version", VERSION);
	set_times(w, root);
	w->job = json_object();
	(void)json_array_append_new(jobs, w->job);
	set(root, "jobs", jobs);
	set_head(w);
	set_options(w);
	for (int64_t op = 0; op < OP_COUNT && !rc; op++)
		rc = set_op(w, op, e);
	set_tail(w);
	if (util)
		set(root, "disk_util", util);
	return rc;
}

/* The document that it came in, with this job alone. */
static int rebuild(const struct writing *w, json_t *root, struct err *e)
{
	json_t *header = json_loads(text(w->run, "header"), 0, NULL),
	       *job = json_loads(text(w->run, "source"), 0, NULL), *jobs = json_array(),
	       *util = json_incref(json_object_get(header, "disk_util"));
	int r = json_is_object(header) && json_is_object(job) ? 0 : -EBADMSG;

	if (r)
		(void)err_set(e, r, "run %" PRId64 ": what was imported is no JSON any more",
		              integer(w->run, "run_id"));
	(void)json_object_del(header, "disk_util");
	(void)json_object_update(root, header);
	for (size_t i = 0; !w->bins && i < JSON_DIRECTIONS; i++) {
		json_t *d = json_object_get(job, json_direction[i]);

		(void)json_object_del(json_object_get(d, "clat_ns"), "bins");
		(void)json_object_del(json_object_get(d, "lat_ns"), "bins");
		(void)json_object_del(json_object_get(d, "slat_ns"), "bins");
	}
	(void)json_array_append_new(jobs, job);
	set(root, "jobs", jobs);
	if (util)
		set(root, "disk_util", util);
	json_decref(header);
	return r;
}

int json_stored_document(struct text *out, struct store *s, struct rows *r, bool bins,
                         struct err *e)
{
	AUTO(freep) struct hist *all = xcalloc(1, sizeof(*all));
	struct writing w = { .store = s, .run = r, .bins = bins, .all = all };
	json_t *root = json_object();
	int rc;

	w.chosen = config_percentiles(store_get(s, "config"), &w.percentiles);
	rc = there(r, "source") ? rebuild(&w, root, e) : build(&w, root, e);
	if (!rc)
		json_print(out, root);
	json_decref(root);
	return rc;
}

/* --- logs --- */

const char *json_log_name(unsigned log)
{
	static const char *const name[JSON_LOGS] = { "bw", "iops", "lat" };

	return log < JSON_LOGS ? name[log] : NULL;
}

int json_stored_log(struct text *out, struct store *s, int64_t run, enum json_log log,
                    struct err *e)
{
	static const char *const value[JSON_LOGS] = {
		[JSON_LOG_BW] = "bytes / 1.024 / len_ms", /* KiB/s */
		[JSON_LOG_IOPS] = "ios * 1000.0 / len_ms",
		[JSON_LOG_LAT] = "CASE WHEN ios > 0 THEN 1.0 * lat_sum_ns / ios END",
	};
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int rc;

	text_addf(&sql,
	          "SELECT cast(t_ms + round(len_ms) AS INTEGER), cast(round(%s) AS INTEGER), op "
	          "FROM interval WHERE run_id = ? AND op < 3 AND len_ms > 0 ORDER BY t_ms, op",
	          value[log]);
	rc = rows_open(&r, s, sql.s, e);
	if (rc)
		return rc;
	rows_bind_int(r, 1, run);
	while ((rc = rows_next(r, e)) == 1)
		if (!rows_null(r, 1))
			text_addf(out, "%" PRId64 ", %" PRId64 ", %" PRId64 ", 0, 0\n",
			          rows_int(r, 0), rows_int(r, 1), rows_int(r, 2));
	return rc;
}
