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
#include "fio/json_member.h"
#include "fio/json_modern.h"
#include "fio/json_own.h"
#include "fio/json_print.h"
#include "fio/json_result.h"
#include "fio/json_shape.h"
#include "model/imported.h"

/* Whose form it is, and who made it. */
#define VERSION "fio-3.33-iosweep-" IOSWEEP_VERSION

#define SAID                                                                                   \
	"clat_ns is a copy of lat_ns, from submission to completion; slat_ns is not "          \
	"measured; "                                                                           \
	"bw_ samples are of whole seconds with I/O, iops_ samples of all, below 10 s of "      \
	"100 ms; iodepth_level is that of the mean depth; disk_util is of the window alone"

void json_stored_sql(struct text *sql, const char *view, const char *where)
{
	text_addf(
	    sql,
	    "SELECT combination.*, target.kind AS target_kind, run.id AS run_id, run.repeat, "
	    "run.status AS run_status, run.error_no, run.started_wall_ns, run.jobs, "
	    "run.device_queue_ns, run.slot_ns, document.header, imported.source, ");
	json_exact_columns(sql, METRIC_RUN, "run.");
	text_addf(
	    sql, ", "
		 "(SELECT doubts FROM all_runs WHERE all_runs.run = run.id LIMIT 1) AS doubts, "
		 "(SELECT notes FROM all_runs WHERE all_runs.run = run.id LIMIT 1) AS notes, "
		 "run.why "
		 "FROM run JOIN combination ON combination.id = run.combination_id "
		 "LEFT JOIN target ON target.filename = combination.filename "
		 "LEFT JOIN imported ON imported.run_id = run.id "
		 "LEFT JOIN document ON document.hash = imported.document "
		 "WHERE (imported.source IS NOT NULL OR run.status IN ('ok', 'failed')) "
		 "AND run.id IN (");
	fio_stored_runs(sql, view, where);
	text_add(sql, ") ORDER BY run.id");
}

/* "name=value" as a member. */
static void set_option(json_t *o, const char *option)
{
	const char *eq = strchr(option, '=');
	AUTO(text_fini) struct text name = { 0 };

	text_addn(&name, option, (size_t)(eq ? eq - option : (ptrdiff_t)strlen(option)));
	member_text(o, text_get(&name), eq ? eq + 1 : "");
}

/* Where fio has no such job: the axes by their own names. */
static void set_axes(json_t *o, const struct fio_run *run)
{
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		uint64_t v = axis_value(a, run->job);
		char value[64];

		axis_print(a, v, value, sizeof(value));
		if (v != AXIS_UNSET && (a->column || v != axis_default_in(a, run->job)))
			member_text(o, a->name,
			            a->kind == AXIS_TEXT ? axis_text(a, &run->text) : value);
	}
}

static void set_options(struct json_writing *w)
{
	AUTO(fio_written_fini) struct fio_written written = { 0 };
	json_t *o = json_object();
	struct fio_run run;
	struct job job;
	struct err e = { 0 };

	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++)
		*axis_slot(a, &job) = AXIS_UNSET;
	member_text(o, "name", rows_named_text(w->run, "label"));
	if (!fio_stored_read(w->run, &run, &job, &e) &&
	    !fio_run_write(&run, w->chosen ? &w->percentiles : NULL, &written, &e)) {
		/* of several targets the last one stands there, as fio has it; the description
		 * has all */
		if (written.target.len)
			set_option(o, written.target.item[written.target.len - 1]);
		for (size_t i = 0; i < written.option.len; i++)
			set_option(o, written.option.item[i]);
	} else {
		set_axes(o, &run);
		json_own_add_configured(o, w->run);
	}
	json_own_add_exact(o, w->run, JSON_OWN_RUN);
	json_own_add(o, w->run);
	json_own_set(o, JSON_OWN_NOTE, SAID);
	member_set(w->job, "job options", o);
}

static void set_depths(struct json_writing *w)
{
	static const char *const key[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	json_t *o = json_object();
	double depth = rows_named_real(w->run, "depth_mean");

	for (size_t i = 0; i < ARRAY_SIZE(key); i++) {
		double from = i ? (double)(1U << i) : 0,
		       to = i + 1 < ARRAY_SIZE(key) ? (double)(2U << i) : (double)INFINITY;

		member_real(o, key[i], depth > 0 && depth >= from && depth < to ? 100 : 0);
	}
	member_set(w->job, "iodepth_level", o);
}

static int64_t started_ms(const struct json_writing *w)
{
	return rows_named_int(w->run, "started_wall_ns") / (int64_t)MSEC;
}

static void set_head(struct json_writing *w)
{
	int64_t ramp = rows_named_int(w->run, axis_stored_name(&axes[AXIS_ramp_time]));

	member_text(w->job, "jobname", rows_named_text(w->run, "label"));
	member_count(w->job, "groupid", 0);
	if (!rows_named_missing(w->run, "started_wall_ns"))
		member_count(w->job, "job_start", started_ms(w) - ramp / (int64_t)MSEC);
	member_count(w->job, "error", rows_named_int(w->run, "error_no"));
	member_count(w->job, "eta", 2147483647);
	member_count(w->job, "elapsed",
	             (rows_named_int(w->run, "window_ns") + ramp + (int64_t)SEC - 1) /
	                 (int64_t)SEC);
}

static void set_tail(struct json_writing *w)
{
	int64_t jobs = rows_named_int(w->run, "jobs") > 0 ? rows_named_int(w->run, "jobs") : 1;

	member_count(w->job, "job_runtime", (int64_t)json_runtime_ms(w) * jobs);
	if (!rows_named_missing(w->run, "cpu_user_pct")) {
		member_real(w->job, "usr_cpu",
		            rows_named_real(w->run, "cpu_user_pct") / (double)jobs);
		member_real(w->job, "sys_cpu",
		            rows_named_real(w->run, "cpu_sys_pct") / (double)jobs);
	}
	set_depths(w);
	json_shape_shares(w->job, w->all);
	member_count(w->job, "latency_depth", rows_named_int(w->run, "iodepth"));
	member_count(w->job, "latency_target", 0);
	member_real(w->job, "latency_percentile", 100);
	member_count(w->job, "latency_window", 0);
}

/* "Model (nvme0n1)": the name is the last word. */
static void set_disk_name(json_t *o, const char *device)
{
	const char *from = strrchr(device, '('), *to = from ? strchr(from, ')') : NULL;
	AUTO(text_fini) struct text name = { 0 };

	if (to)
		text_addn(&name, from + 1, (size_t)(to - from - 1));
	member_text(o, "name", to ? name.s : device);
}

static json_t *disks(const struct json_writing *w)
{
	json_t *o, *all;

	if (rows_named_missing(w->run, "device_read_ios"))
		return NULL;
	o = json_object();
	set_disk_name(o, rows_named_text(w->run, "device"));
	member_count(o, "read_ios", rows_named_int(w->run, "device_read_ios"));
	member_count(o, "write_ios", rows_named_int(w->run, "device_write_ios"));
	member_count(o, "read_sectors", rows_named_int(w->run, "device_read_bytes") / 512);
	member_count(o, "write_sectors", rows_named_int(w->run, "device_write_bytes") / 512);
	member_count(o, "in_queue", rows_named_int(w->run, "device_queue_ns") / (int64_t)MSEC);
	member_real(o, "util", rows_named_real(w->run, "device_util_pct"));
	all = json_array();
	(void)json_array_append_new(all, o);
	return all;
}

/* When fio would have reported: at the end of the window. */
static void set_times(struct json_writing *w, json_t *root)
{
	int64_t ms = started_ms(w) + (int64_t)json_runtime_ms(w);
	time_t s = (time_t)(ms / 1000);
	char when[64] = "";
	struct tm tm;

	member_count(root, "timestamp", ms / 1000);
	member_count(root, "timestamp_ms", ms);
	if (gmtime_r(&s, &tm))
		(void)strftime(when, sizeof(when), "%a %b %e %H:%M:%S %Y", &tm);
	member_text(root, "time", when);
}

static int build(struct json_writing *w, json_t *root, struct err *e)
{
	json_t *jobs = json_array(), *util = disks(w);
	int rc = 0;

	member_text(root, "fio version", VERSION);
	set_times(w, root);
	w->job = json_object();
	(void)json_array_append_new(jobs, w->job);
	member_set(root, "jobs", jobs);
	set_head(w);
	set_options(w);
	for (int64_t op = 0; op < OP_COUNT && !rc; op++)
		rc = json_result_add(w, op, e);
	set_tail(w);
	if (util)
		member_set(root, "disk_util", util);
	return rc;
}

/* The document that it came in, with this job alone. */
static int rebuild(const struct json_writing *w, json_t *root, struct err *e)
{
	json_t *header = json_loads(rows_named_text(w->run, "header"), 0, NULL),
	       *job = json_loads(rows_named_text(w->run, "source"), 0, NULL),
	       *jobs = json_array(), *util = json_incref(json_object_get(header, "disk_util"));
	int r = json_is_object(header) && json_is_object(job) ? 0 : -EBADMSG;

	if (r)
		(void)err_set(e, r, "run %" PRId64 ": what was imported is no JSON any more",
		              rows_named_int(w->run, "run_id"));
	(void)json_object_del(header, "disk_util");
	(void)json_object_update(root, header);
	for (size_t i = 0; !w->bins && i < JSON_DIRECTIONS; i++) {
		json_t *d = json_object_get(job, json_direction[i]);

		(void)json_object_del(json_object_get(d, "clat_ns"), "bins");
		(void)json_object_del(json_object_get(d, "lat_ns"), "bins");
		(void)json_object_del(json_object_get(d, "slat_ns"), "bins");
	}
	(void)json_array_append_new(jobs, job);
	member_set(root, "jobs", jobs);
	if (util)
		member_set(root, "disk_util", util);
	json_decref(header);
	return r;
}

int json_stored_document(struct text *out, struct store *s, struct rows *r, bool bins,
                         struct err *e)
{
	AUTO(freep) struct hist *all = xcalloc(1, sizeof(*all));
	struct json_writing w = { .store = s, .run = r, .bins = bins, .all = all };
	json_t *root = json_object();
	int rc;

	w.chosen = config_percentiles(store_get(s, "config"), &w.percentiles);
	rc = !rows_named_missing(r, "source") ? rebuild(&w, root, e) : build(&w, root, e);
	if (!rc)
		json_print(out, root);
	json_decref(root);
	return rc;
}
