/* cmd/show_run.c: one run in the form that fio's users read. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "cmd/summary.h"
#include "model/flag.h"
#include "model/hist.h"
#include "model/metrics.h"

static double real(const struct rows *r, const char *name)
{
	int i = rows_find(r, name);

	return i < 0 ? (double)NAN : rows_real(r, i);
}

static int64_t integer(const struct rows *r, const char *name)
{
	int i = rows_find(r, name);

	return i < 0 ? 0 : rows_int(r, i);
}

static bool missing(const struct rows *r, const char *name)
{
	int i = rows_find(r, name);

	return i < 0 || rows_null(r, i);
}

/* For a terminal: names and errors come from outside. */
static const char *text(const struct rows *r, const char *name, char *buf, size_t size)
{
	int i = rows_find(r, name);

	text_printable(buf, size, i < 0 ? "" : rows_text(r, i));
	return buf;
}

/* Three or four digits. */
static int decimals(double v)
{
	return v >= 100 ? 0 : v >= 10 ? 1 : 2;
}

/* "983", "12.3k", "1.05M" */
static const char *count(double v, char *buf, size_t size)
{
	if (v < 10000)
		(void)snprintf(buf, size, "%.*f", v < 10 && v != floor(v) ? 2 : 0, v);
	else if (v < 999.5e3)
		(void)snprintf(buf, size, "%.*fk", decimals(v / 1e3), v / 1e3);
	else
		(void)snprintf(buf, size, "%.*fM", decimals(v / 1e6), v / 1e6);
	return buf;
}

/* "39.1MiB", "41.0MB": units of 1024 or 1000; as fio has it, "3456MiB" is not yet GiB. */
static const char *amount(double bytes, double unit, char *buf, size_t size)
{
	static const char *const name[2][6] = { { "B", "KiB", "MiB", "GiB", "TiB", "PiB" },
		                                { "B", "kB", "MB", "GB", "TB", "PB" } };
	int n = 0;

	while (bytes >= (n == 2 ? 9999.5 : 999.5) && n < 5) {
		bytes /= unit;
		n++;
	}
	(void)snprintf(buf, size, "%.*f%s", n ? decimals(bytes) : 0, bytes,
	               name[unit < 1024][n]);
	return buf;
}

/* Microseconds: below 10 down to the ns. */
static const char *us(double v, char *buf, size_t size)
{
	(void)snprintf(buf, size, "%.*f", v < 10 ? 3 : v < 1000 ? 2 : 0, v);
	return buf;
}

static void print_rate(const struct rows *r)
{
	double bw = real(r, "bw_mib_s") * 1048576;
	char a[32], b[32], c[32], d[32];

	if (missing(r, "iops")) {
		printf("  %s: the window never opened\n", rows_text(r, rows_find(r, "op")));
		return;
	}
	printf("  %s: IOPS=%s, BW=%s/s (%s/s)(%s/%.0fmsec)\n", rows_text(r, rows_find(r, "op")),
	       count(real(r, "iops"), a, sizeof(a)), amount(bw, 1024, b, sizeof(b)),
	       amount(bw, 1000, c, sizeof(c)),
	       amount((double)integer(r, "bytes"), 1024, d, sizeof(d)),
	       real(r, "window_s") * 1000);
}

static void print_latency(const struct rows *r)
{
	char a[32], b[32], c[32], d[32];

	if (missing(r, "lat_mean_us")) {
		puts("     lat (usec): no I/O completed in the window");
		return;
	}
	printf("     lat (usec): min=%s, max=%s, avg=%s, stdev=%s\n",
	       us(real(r, "lat_min_us"), a, sizeof(a)), us(real(r, "lat_max_us"), b, sizeof(b)),
	       us(real(r, "lat_mean_us"), c, sizeof(c)),
	       us(real(r, "lat_stddev_us"), d, sizeof(d)));
}

static void print_percentiles(const struct hist *h)
{
	static const size_t p[] = { 100,  500,  1000, 2000, 3000, 4000, 5000, 6000, 7000,
		                    8000, 9000, 9500, 9900, 9950, 9990, 9995, 9999 };
	size_t n = ARRAY_SIZE(p);

	while (n && metric_too_few(h->n, p[n - 1]))
		n--;
	if (!n)
		return;
	puts("     lat percentiles (usec):");
	for (size_t i = 0; i < n; i++) {
		char a[32];

		printf("%s %5.2fth=[%5s]%s", i % 4 ? "" : "      |", (double)p[i] / 100,
		       us(hist_percentile(h, (double)p[i] / 100) / 1000, a, sizeof(a)),
		       i + 1 == n   ? "\n"
		       : i % 4 == 3 ? ",\n"
		                    : ",");
	}
}

static int load_histogram(struct hist *h, struct store *s, int64_t run_id, int64_t op,
                          struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	const void *data;
	size_t size;
	int rc = rows_open(&r, s, "SELECT data FROM histogram WHERE run_id = ? AND op = ?", e);

	*h = (struct hist){ 0 };
	if (rc)
		return rc;
	rows_bind_int(r, 1, run_id);
	rows_bind_int(r, 2, op);
	rc = rows_next(r, e);
	if (rc != 1)
		return rc;
	data = rows_blob(r, 0, &size);
	return hist_unpack(h, data, size, e);
}

/* Bandwidth over whole intervals of 1 s; a shorter run has its one part of it. */
static int print_intervals(struct store *s, int64_t run_id, int64_t op, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	double low = (double)INFINITY, high = 0, sum = 0, squares = 0, n = 0;
	int rc = rows_open(&r, s,
	                   "SELECT bytes / 1.024 / len_ms FROM interval WHERE run_id = ?1 AND "
	                   "op = ?2 AND len_ms > 0 "
	                   "AND (len_ms >= 1000 OR NOT EXISTS (SELECT 1 FROM interval WHERE "
	                   "run_id = ?1 AND len_ms >= 1000)) "
	                   "ORDER BY t_ms",
	                   e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, run_id);
	rows_bind_int(r, 2, op);
	while ((rc = rows_next(r, e)) == 1) {
		double v = rows_real(r, 0);

		low = fmin(low, v);
		high = fmax(high, v);
		sum += v;
		squares += v * v;
		n++;
	}
	if (rc || n < 1)
		return rc;
	printf("   bw (  KiB/s): min=%.0f, max=%.0f, avg=%.2f, stdev=%.2f, samples=%.0f\n", low,
	       high, sum / n, n > 1 ? sqrt(fmax(0, (squares - sum * sum / n) / (n - 1))) : 0,
	       n);
	return 0;
}

static void print_iops(const struct rows *r)
{
	char stdev[32] = "-";

	if (missing(r, "iops_min"))
		return;
	if (!missing(r, "iops_stddev"))
		(void)snprintf(stdev, sizeof(stdev), "%.2f", real(r, "iops_stddev"));
	printf("   iops        : min=%.0f, max=%.0f, avg=%.2f, stdev=%s, slots of %s\n",
	       real(r, "iops_min"), real(r, "iops_max"), real(r, "iops"), stdev,
	       real(r, "window_s") < 10 ? "100 ms" : "1 s");
}

/* How sure they are: of the mean, and of p99. */
static void print_intervals_of(const struct rows *r)
{
	char a[32], b[32];

	if (!missing(r, "iops_half_width_pct"))
		printf("   iops 95%%    : +-%.2f%% (%" PRId64 " batches, rho %.2f)\n",
		       real(r, "iops_half_width_pct"), integer(r, "batches"), real(r, "rho"));
	if (!missing(r, "lat_p99_low_us"))
		printf("   p99 95%%     : %s to %s usec\n",
		       us(real(r, "lat_p99_low_us"), a, sizeof(a)),
		       us(real(r, "lat_p99_high_us"), b, sizeof(b)));
}

static enum op op_of(const char *name)
{
	uint64_t op = 0;

	while (op + 1 < OP_COUNT && strcmp(op_name(op), name) != 0)
		op++;
	return (enum op)op;
}

static int print_op(const struct rows *r, struct store *s, int64_t run_id, struct err *e)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	enum op op = op_of(rows_text(r, rows_find(r, "op")));
	int rc;

	print_rate(r);
	if (missing(r, "iops"))
		return 0;
	print_latency(r);
	rc = load_histogram(h, s, run_id, op, e);
	if (rc)
		return err_wrap(e, "histogram of run %" PRId64, run_id);
	if (h->n)
		print_percentiles(h);
	if (op != OP_SYNC) /* moves no bytes */
		rc = print_intervals(s, run_id, op, e);
	print_iops(r);
	print_intervals_of(r);
	return rc;
}

static int print_ops(struct store *s, int64_t run_id, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, "SELECT * FROM all_runs WHERE run = ? AND op IS NOT NULL", e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, run_id);
	while ((rc = rows_next(r, e)) == 1) {
		rc = print_op(r, s, run_id, e);
		if (rc)
			return rc;
	}
	return rc;
}

/* The sentence that was stored for this flag, else its rule. */
static void print_reason(const char *why, const char *name, size_t n)
{
	char line[1024], safe[1024];

	for (const char *p = why; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (strncmp(p, name, n) != 0 || p[n] != ':')
			continue;
		(void)snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		text_printable(safe, sizeof(safe), line);
		puts(safe);
		return;
	}
	for (size_t i = 0; i < FLAG_COUNT; i++)
		if (strlen(flag_at(i)->name) == n && !strncmp(flag_at(i)->name, name, n))
			printf("%s: %s\n", flag_at(i)->name, flag_at(i)->help);
}

/* The words of `doubts` or `notes`, each with its reason. */
static void print_flags(const char *what, const char *words, const char *why)
{
	for (const char *p = words; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		printf("  %s ", what);
		print_reason(why, p, strcspn(p, " "));
	}
}

static void print_head(const struct rows *r)
{
	char a[256], b[64], c[512], when[40];
	int64_t started = integer(r, "started_wall_ns");

	printf("run %" PRId64 ": %s (%s), repeat %" PRId64 ", attempt %" PRId64 ": %s\n",
	       integer(r, "run"), text(r, "label", a, sizeof(a)),
	       text(r, "combination", b, sizeof(b)), integer(r, "repeat"),
	       integer(r, "attempt"), rows_text(r, rows_find(r, "status")));
	printf("  %s", text(r, "filename", c, sizeof(c)));
	printf(" on %s", text(r, "device", c, sizeof(c)));
	printf("%s%s", *c ? ", " : "unknown device, ", text(r, "fs", a, sizeof(a)));
	printf("%s%s", *a ? ", " : "",
	       started ? clock_local(when, sizeof(when), started) : "never started");
	putchar('\n');
	printf("  ioengine=%s rw=%s bs=%s numjobs=%" PRId64 " iodepth=%" PRId64
	       " direct=%" PRId64,
	       rows_text(r, rows_find(r, "ioengine")), rows_text(r, rows_find(r, "rw")),
	       print_size(b, sizeof(b), (uint64_t)integer(r, "bs")), integer(r, "numjobs"),
	       integer(r, "iodepth"), integer(r, "direct"));
	if (!missing(r, "size"))
		printf(" size=%s", print_size(b, sizeof(b), (uint64_t)integer(r, "size")));
	if (!missing(r, "ramp_time"))
		printf(" ramp_time=%g", real(r, "ramp_time"));
	if (!missing(r, "runtime"))
		printf(" runtime=%g", real(r, "runtime"));
	printf("%s%s\n", *text(r, "options", a, sizeof(a)) ? " " : "", a);
	if (*text(r, "error", c, sizeof(c)))
		printf("  error: %s\n", c);
	print_flags("doubt", rows_text(r, rows_find(r, "doubts")),
	            rows_text(r, rows_find(r, "why")));
	print_flags("note", rows_text(r, rows_find(r, "notes")),
	            rows_text(r, rows_find(r, "why")));
}

static void print_device(const struct rows *r)
{
	char a[32], b[32];

	if (missing(r, "device_read_ios"))
		return;
	printf("  disk stats   : ios=%" PRId64 "/%" PRId64
	       ", bytes=%s/%s, queue=%.2f, util=%.2f%%\n",
	       integer(r, "device_read_ios"), integer(r, "device_write_ios"),
	       amount((double)integer(r, "device_read_bytes"), 1024, a, sizeof(a)),
	       amount((double)integer(r, "device_write_bytes"), 1024, b, sizeof(b)),
	       real(r, "device_queue_mean"), real(r, "device_util_pct"));
}

static void print_tail(const struct rows *r)
{
	char a[1024];

	if (missing(r, "window_s"))
		return;
	if (!missing(r, "cpu_user_pct"))
		printf("  cpu          : usr=%.2f%%, sys=%.2f%%, us per I/O=%.3f\n",
		       real(r, "cpu_user_pct"), real(r, "cpu_sys_pct"),
		       missing(r, "cpu_us_per_io") ? 0 : real(r, "cpu_us_per_io"));
	if (!missing(r, "depth_mean"))
		printf("  IO depth     : asked=%" PRId64
		       " per job, achieved=%.2f per job, %" PRId64 " in all\n",
		       integer(r, "iodepth"), real(r, "depth_mean"), integer(r, "depth_total"));
	printf("     issued rwts: %s\n", rows_text(r, rows_find(r, "issued")));
	printf("     longest gap between completions of a job: %.3f ms\n",
	       real(r, "longest_gap_ms"));
	printf("  jobs         : %" PRId64 ", idle %" PRId64
	       ", start within %.3f ms, stop within %.3f ms\n",
	       integer(r, "jobs"), integer(r, "jobs_idle"), real(r, "start_skew_ns") / 1e6,
	       real(r, "stop_skew_ns") / 1e6);
	printf("  outside the window: %" PRId64 " I/Os in the ramp; %" PRId64
	       " in flight at the stop; drain of %" PRId64
	       " I/Os in %.3f ms, longest %.3f ms\n",
	       integer(r, "ramp_ios"), integer(r, "inflight_at_stop"), integer(r, "drain_ios"),
	       real(r, "drain_ns") / 1e6, real(r, "drain_max_ns") / 1e6);
	if (integer(r, "jobs_hung"))
		printf("     the drain was given up: I/Os of %" PRId64
		       " jobs did not come back\n",
		       integer(r, "jobs_hung"));
	if (!missing(r, "flush_s"))
		printf("  flush        : %.3f s\n", real(r, "flush_s"));
	if (!missing(r, "passes"))
		printf("  passes       : %.3f over the region\n", real(r, "passes"));
	print_device(r);
	if (*text(r, "effective", a, sizeof(a)))
		printf("  effective    : %s\n", a);
}

/* clang-format off */
/* Counts of the ops in fio's order. */
#define ISSUED(column) \
	"(SELECT ifnull(max(CASE op WHEN 0 THEN " column " END), 0) || ',' || ifnull(max(CASE op WHEN 1 THEN " column " END), 0)" \
	" || ',' || ifnull(max(CASE op WHEN 2 THEN " column " END), 0) || ',' || ifnull(max(CASE op WHEN 3 THEN " column " END), 0)" \
	" FROM result WHERE run_id = r.id)"

static const char run_sql[] =
	"SELECT a.*, r.started_wall_ns, r.effective, r.why, r.jobs, r.jobs_idle, r.start_skew_ns, r.stop_skew_ns, r.ramp_ios,"
	" r.jobs_hung, r.inflight_at_stop, r.drain_ios, r.drain_ns, r.drain_max_ns,"
	" 'total=' || " ISSUED("ios") " || ' short=' || " ISSUED("short_ios") " || ' errors=' || " ISSUED("errors") " AS issued"
	" FROM run AS r JOIN all_runs AS a ON a.run = r.id WHERE r.id = ? LIMIT 1";
/* clang-format on */

int show_run(struct store *s, int64_t run_id, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, run_sql, e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, run_id);
	rc = rows_next(r, e);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return err_set(e, -ENOENT, "no run %" PRId64, run_id);
	print_head(r);
	rc = print_ops(s, run_id, e);
	if (!rc)
		print_tail(r);
	return rc;
}
