#include "fio/json_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/json_against.h"
#include "fio/json_exact.h"
#include "fio/json_identity.h"
#include "fio/json_latency.h"
#include "fio/json_modern.h"
#include "fio/json_number.h"

static uint64_t count(const json_t *o, const char *key)
{
	uint64_t v;

	return json_number_count(o, key, &v) ? v : 0;
}

/* I/Os are counted when they are issued: one that failed at once has moved nothing. Where the
 * bytes cannot be read, what else there is stays. */
static bool any_work(const json_t *direction)
{
	uint64_t bytes;
	double iops;

	if (json_number_count(direction, "io_bytes", &bytes))
		return bytes > 0;
	return json_number_real(direction, "iops", &iops) && iops > 0;
}

/* A sum over clones of their own extremes is no extreme of the whole. */
static void read_samples(struct metric_value m[METRIC_COUNT], const json_t *direction)
{
	if (!count(direction, "iops_samples"))
		return;
	m[METRIC_iops_min] = json_number_metric(METRIC_REAL, direction, "iops_min");
	m[METRIC_iops_max] = json_number_metric(METRIC_REAL, direction, "iops_max");
	if (count(direction, "iops_samples") > 1)
		m[METRIC_iops_stddev] =
		    json_number_metric(METRIC_REAL, direction, "iops_stddev");
}

static void read_direction(struct json_run *run, json_t *direction, uint64_t op)
{
	struct metric_value *m = run->imported.op[op];
	bool completion = false;

	run->imported.ops |= 1U << op;
	m[METRIC_ios] = json_number_metric(METRIC_INTEGER, direction, "total_ios");
	m[METRIC_bytes] = json_number_metric(METRIC_INTEGER, direction, "io_bytes");
	m[METRIC_iops] = json_number_metric(METRIC_REAL, direction, "iops");
	m[METRIC_bw_mib_s] = json_number_metric(METRIC_REAL, direction, "bw_bytes");
	m[METRIC_short_ios] = json_number_metric(METRIC_INTEGER, direction, "short_ios");
	if (run->options.job.numjobs == 1)
		read_samples(m, direction);
	json_latency_read(m, direction, &run->hist[op], &completion);
	run->imported.lat[op] = run->hist[op];
	if (completion)
		run->flags |= FLAG_BIT(clat_percentiles);
}

/* Some versions count the syncs as 0 beside their latencies. */
static void read_sync(struct json_run *run, json_t *sync)
{
	struct metric_value *m = run->imported.op[OP_SYNC];
	json_t *lat = json_object_get(sync, "lat_ns");
	uint64_t n = count(sync, "total_ios");
	bool completion;

	if (!n)
		n = count(lat, "N");
	if (!n)
		return;
	run->imported.ops |= 1U << OP_SYNC;
	m[METRIC_ios] = json_number_integer(n);
	m[METRIC_bytes] = json_number_integer(0);
	m[METRIC_bw_mib_s] = json_number_of(0);
	json_latency_read(m, sync, &run->hist[OP_SYNC], &completion);
	run->imported.lat[OP_SYNC] = run->hist[OP_SYNC];
}

static void read_ops(struct json_run *run, json_t *job)
{
	static const uint64_t op[JSON_DIRECTIONS] = { OP_READ, OP_WRITE, OP_TRIM, OP_MIXED };

	for (size_t i = 0; i < JSON_DIRECTIONS; i++) {
		json_t *direction = json_object_get(job, json_direction[i]);

		if (any_work(direction))
			read_direction(run, direction, op[i]);
	}
	read_sync(run, json_object_get(job, "sync"));
}

/* --- of the run --- */

/* The directions that move data, each I/O in one of them: "mixed" beside the others (fio's
 * unified_rw_reporting=both) counts theirs again. */
static unsigned directions(unsigned ops)
{
	unsigned own = ops & ~(1U << OP_SYNC | 1U << OP_MIXED);

	return own ? own : ops & 1U << OP_MIXED;
}

/* Of all directions that move data; not measured when one of them is not. */
static struct metric_value total(const struct json_run *run, enum metric_id id)
{
	struct metric_value sum = { 0 };
	unsigned moved = directions(run->imported.ops);

	for (uint64_t op = 0; op < ROW_OPS; op++) {
		const struct metric_value *v = &run->imported.op[op][id];

		if (!(moved & 1U << op))
			continue;
		if (!v->measured)
			return (struct metric_value){ 0 };
		sum.measured = true;
		sum.real += v->real;
		sum.integer += v->integer;
	}
	return sum;
}

/* fio's usr_cpu and sys_cpu are shares of job_runtime, the time of all jobs of the group one after
 * another; ours are of one CPU over the window: times job_runtime / window, CPUs that were there to
 * be kept busy. Old versions do not print job_runtime: then it is taken for numjobs windows. */
static bool cpu_factor(const struct json_run *run, const json_t *job, double *factor)
{
	uint64_t own = count(job, "job_runtime"), window = json_largest(job, "runtime");

	if (own && window)
		*factor = (double)own / (double)window;
	else if (run->options.job.numjobs != AXIS_UNSET)
		*factor = (double)run->options.job.numjobs;
	else
		return false;
	return window != 0;
}

static void read_cpu(struct json_run *run, const json_t *job)
{
	struct metric_value user = json_number_metric(METRIC_REAL, job, "usr_cpu"),
			    sys = json_number_metric(METRIC_REAL, job, "sys_cpu"),
			    ios = total(run, METRIC_ios), *m = run->imported.run;
	double factor, window_ns = (double)m[METRIC_window_s].integer;

	if (!user.measured || !sys.measured || !cpu_factor(run, job, &factor))
		return;
	m[METRIC_cpu_user_pct] = json_number_of(user.real * factor);
	m[METRIC_cpu_sys_pct] = json_number_of(sys.real * factor);
	if (ios.measured && ios.integer)
		m[METRIC_cpu_us_per_io] = json_number_of((user.real + sys.real) * factor / 100 *
		                                         window_ns / (double)ios.integer);
}

static void read_totals(struct json_run *run, const json_t *job)
{
	struct metric_value *m = run->imported.run;
	const struct job *j = &run->options.job;
	uint64_t ms = json_largest(job, "runtime"), window = ms < INT64_MAX / MSEC ? ms * MSEC : 0;

	if (window)
		m[METRIC_window_s] = json_number_integer(window);
	if (window && run->imported.ops & 1U << OP_SYNC) /* fio gives no rate of syncs */
		run->imported.op[OP_SYNC][METRIC_iops] = json_number_of(
		    (double)run->imported.op[OP_SYNC][METRIC_ios].integer * 1e9 / (double)window);
	m[METRIC_run_iops] = total(run, METRIC_iops);
	m[METRIC_run_bw_mib_s] = total(run, METRIC_bw_mib_s);
	if (j->numjobs != AXIS_UNSET && j->iodepth != AXIS_UNSET)
		m[METRIC_depth_total] = json_number_integer(j->numjobs * j->iodepth);
	read_cpu(run, job);
}

/* What a document of our own says beside fio's keys. */
static void read_exact(struct json_run *run)
{
	char **exact = run->options.exact;

	for (size_t op = 0; op < ROW_OPS; op++)
		if (exact[op] && run->imported.ops & 1U << op)
			json_exact_read(run->imported.op[op], exact[op], METRIC_OP);
	if (exact[ROW_OPS])
		json_exact_read(run->imported.run, exact[ROW_OPS], METRIC_RUN);
}

/* --- what is to be said --- */

static void say(struct json_run *run, enum flag_id id, const char *sentence)
{
	run->flags |= UINT64_C(1) << id;
	text_addf(&run->why, "%s%s: %s", run->why.len ? "\n" : "", flag_at(id)->name, sentence);
}

/* It ended before its time. */
static bool early(const struct json_run *run, const json_t *job)
{
	uint64_t asked = run->options.job.runtime;

	return asked != AXIS_UNSET && json_largest(job, "runtime") < asked / MSEC / 10 * 9;
}

/* It ended because it was steady, as asked. */
static bool was_steady(const json_t *job)
{
	return count(json_object_get(job, "steadystate"), "attained") == 1;
}

/* Stopped before its time: by a signal, or where the time that was asked for had to pass. */
static bool stopped(const struct json_run *run, const json_t *job, bool by_signal)
{
	if (by_signal)
		return run->options.job.runtime == AXIS_UNSET || early(run, job);
	return run->options.time_based && early(run, job) && !was_steady(job);
}

#define ERROR_END 100000 /* no system has errors from here on */

/* 0: none, or one that is none. */
static int error_of(const json_t *job, const char *key)
{
	uint64_t error = count(job, key);

	return error < ERROR_END ? (int)error : 0;
}

static void judge(struct json_run *run, const json_t *job, const struct json_run_context *c)
{
	uint64_t error = count(job, "error"), errors = count(job, "total_err");

	run->status = STATUS_OK;
	if (error) {
		run->status = STATUS_FAILED;
		run->error_no = error_of(job, "error");
		text_addf(&run->error, "fio ended with error %" PRIu64, error);
	} else if (errors) {
		run->status = STATUS_FAILED;
		run->error_no = error_of(job, "first_error");
		text_addf(&run->error, "%" PRIu64 " I/Os failed, the first with error %" PRIu64,
		          errors, count(job, "first_error"));
	} else if (run->options.interrupted || stopped(run, job, c->stopped)) {
		run->status = STATUS_INTERRUPTED;
		text_addf(&run->error, "stopped after %" PRIu64 " ms", json_largest(job, "runtime"));
	} else if (!run->imported.ops) {
		run->status = STATUS_FAILED;
		text_add(&run->error, "fio did no I/O");
	}
}

static void flag(struct json_run *run, const struct json_run_context *c)
{
	AUTO(text_fini) struct text t = { 0 };

	text_addf(&t, "one of %zu jobs that ran at the same time", c->together);
	if (c->together > 1)
		say(run, FLAG_partial_job, t.s);
	for (uint64_t op = 0; op < ROW_OPS; op++)
		if (json_latency_saturated(run->imported.op[op])) {
			text_fini(&t);
			text_addf(&t, "percentiles of %s are at the end of fio's histogram, or beyond it",
			          row_op_name(op));
			say(run, FLAG_saturated, t.s);
		}
}

/* Before the options are settled: as fio had them. */
static void flag_contradictions(struct json_run *run, const json_t *job)
{
	AUTO(text_fini) struct text what = { 0 }, t = { 0 };

	if (json_sums_unlike(&run->options, job, &what)) {
		text_addf(&t, "several jobs in one, with the options of the last: %s", what.s);
		say(run, FLAG_unlike_jobs, t.s);
	}
	if (json_ended_in_ramp(&run->options, job))
		say(run, FLAG_in_ramp, "the job ended within its ramp_time: these are numbers of the ramp");
}

static char *name_of(const json_t *job)
{
	const char *name = json_string_value(json_object_get(job, "jobname"));
	AUTO(text_fini) struct text t = { 0 };

	text_add_utf8(&t, name ? name : "");
	return xstrdup(text_get(&t));
}

/* Without time_based its size ended it, and runtime was a cap. */
static void infer_time_based(struct json_run *run, const json_t *job)
{
	struct json_options *o = &run->options;

	if (o->said || o->native || o->time_based)
		return;
	o->time_based = json_passed_its_size(o, job);
	if (!o->time_based && early(run, job))
		o->job.time_based = 0;
}

void json_run_read(struct json_run *run, json_t *job, const struct json_run_context *c)
{
	uint64_t start = count(job, "job_start");

	*run = (struct json_run){ .name = name_of(job) };
	json_options_read(&run->options, c->unlike ? NULL : c->global,
	                  json_object_get(job, "job options"));
	if (c->times > 1 && run->options.job.numjobs < AXIS_UNSET / c->times)
		run->options.job.numjobs *= c->times;
	run->flags = FLAG_BIT(imported) | run->options.flags;
	text_add(&run->why, run->options.why ? run->options.why : "");
	infer_time_based(run, job);
	flag_contradictions(run, job);
	json_options_settle(&run->options);
	read_ops(run, job);
	read_totals(run, job);
	read_exact(run);
	judge(run, job, c);
	flag(run, c);
	if (start && start < INT64_MAX / MSEC / 2)
		run->started_wall_ns =
		    (int64_t)(start * MSEC + (run->options.known ? run->options.job.ramp_time : 0));
	json_identity_read(run, job, c);
}

void json_run_fini(struct json_run *run)
{
	json_options_fini(&run->options);
	text_fini(&run->error);
	text_fini(&run->why);
	for (size_t i = 0; i < ROW_OPS; i++)
		free(run->hist[i]);
	free(run->name);
	free(run->options_text);
	free(run->facts);
	free(run->source);
}
