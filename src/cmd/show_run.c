/* cmd/show_run.c: one run in the form that fio's users read. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/flag_words.h"
#include "cmd/show_op.h"
#include "cmd/show_target.h"
#include "cmd/show_value.h"
#include "cmd/summary.h"

/* A column of any length; nothing when it is empty. */
static void print_text(const char *before, const struct rows *r, const char *name,
                       const char *after)
{
	AUTO(freep) char *safe = text_printable_copy(rows_named_text(r, name));

	if (*safe)
		printf("%s%s%s", before, safe, after);
}

/* The words of `doubts` or `notes`, each with its reason. */
static void print_flags(const char *what, const char *words, const char *why)
{
	for (const char *p = words; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		AUTO(text_fini) struct text t = { 0 };
		AUTO(freep) char *safe = NULL;

		flag_reason(&t, why, p, strcspn(p, " "));
		safe = text_printable_copy(text_get(&t));
		printf("  %s %s\n", what, safe);
	}
}

/* One that an imported run does not say is left out. */
static void print_axis(const struct rows *r, const char *name, bool bytes)
{
	char a[256];

	if (rows_named_missing(r, name))
		return;
	if (bytes)
		(void)print_size(a, sizeof(a), (uint64_t)rows_named_int(r, name));
	printf(" %s=%s", name, bytes ? a : show_text(r, name, a, sizeof(a)));
}

static void print_axes(const struct rows *r)
{
	static const char *const whole[] = { "ioengine", "rw",     "bs",  "numjobs",
		                             "iodepth",  "direct", "size" };

	putchar(' ');
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		print_axis(r, whole[i], !strcmp(whole[i], "bs") || !strcmp(whole[i], "size"));
	if (!rows_named_missing(r, "ramp_time"))
		printf(" ramp_time=%g", rows_named_real(r, "ramp_time"));
	if (!rows_named_missing(r, "runtime"))
		printf(" runtime=%g", rows_named_real(r, "runtime"));
	print_text(" ", r, "options", "");
	putchar('\n');
}

static void print_head(const struct rows *r)
{
	char a[256], b[64], c[512], when[40];
	int64_t started = rows_named_int(r, "started_wall_ns");

	printf("run %" PRId64 ": ", rows_named_int(r, "run"));
	print_text("", r, "label", "");
	printf(" (%s), repeat %" PRId64 ", attempt %" PRId64 ": %s\n  ",
	       show_text(r, "combination", b, sizeof(b)), rows_named_int(r, "repeat"),
	       rows_named_int(r, "attempt"), show_text(r, "status", a, sizeof(a)));
	print_text("", r, "filename", "");
	printf(" on %s", show_text(r, "device", c, sizeof(c)));
	printf("%s%s", *c ? ", " : "unknown device, ", show_text(r, "fs", a, sizeof(a)));
	printf("%s%s", *a ? ", " : "",
	       started ? clock_local(when, sizeof(when), started)
	       : rows_named_missing(r, "imported_from") ? "never started"
	                                                : "when is not known");
	putchar('\n');
	print_axes(r);
	print_text("  imported from ", r, "imported_from", "\n");
	print_text("  error: ", r, "error", "\n");
	print_flags("doubt", rows_named_text(r, "doubts"), rows_named_text(r, "why"));
	print_flags("note", rows_named_text(r, "notes"), rows_named_text(r, "why"));
}

static void print_device(const struct rows *r)
{
	char a[32], b[32];

	if (rows_named_missing(r, "device_read_ios"))
		return;
	printf("  disk stats   : ios=%" PRId64 "/%" PRId64
	       ", bytes=%s/%s, queue=%.2f, util=%.2f%%\n",
	       rows_named_int(r, "device_read_ios"), rows_named_int(r, "device_write_ios"),
	       show_amount((double)rows_named_int(r, "device_read_bytes"), 1024, a, sizeof(a)),
	       show_amount((double)rows_named_int(r, "device_write_bytes"), 1024, b, sizeof(b)),
	       rows_named_real(r, "device_queue_mean"), rows_named_real(r, "device_util_pct"));
}

/* What only our own threads tell. */
static void print_threads(const struct rows *r)
{
	printf("     longest gap between completions of a job: %.3f ms\n",
	       rows_named_real(r, "longest_gap_ms"));
	if (!rows_named_missing(r, "lag_max_ms"))
		printf("  schedule     : latest start %.3f ms after its time, at most %" PRId64
		       " I/Os of a job waited for theirs\n",
		       rows_named_real(r, "lag_max_ms"), rows_named_int(r, "backlog_max"));
	printf("  jobs         : %" PRId64 ", idle %" PRId64
	       ", start within %.3f ms, stop within %.3f ms\n",
	       rows_named_int(r, "jobs"), rows_named_int(r, "jobs_idle"),
	       rows_named_real(r, "start_skew_ns") / 1e6,
	       rows_named_real(r, "stop_skew_ns") / 1e6);
	printf("  outside the window: %" PRId64 " I/Os in the ramp; %" PRId64
	       " in flight at the stop; drain of %" PRId64
	       " I/Os in %.3f ms, longest %.3f ms\n",
	       rows_named_int(r, "ramp_ios"), rows_named_int(r, "inflight_at_stop"),
	       rows_named_int(r, "drain_ios"), rows_named_real(r, "drain_ns") / 1e6,
	       rows_named_real(r, "drain_max_ns") / 1e6);
	if (rows_named_int(r, "jobs_hung"))
		printf("     the drain was given up: I/Os of %" PRId64
		       " jobs did not come back\n",
		       rows_named_int(r, "jobs_hung"));
}

static void print_tail(const struct rows *r)
{
	char a[1024];

	if (rows_named_missing(r, "window_s"))
		return;
	if (!rows_named_missing(r, "cpu_user_pct"))
		printf("  cpu          : usr=%.2f%%, sys=%.2f%%, us per I/O=%.3f\n",
		       rows_named_real(r, "cpu_user_pct"), rows_named_real(r, "cpu_sys_pct"),
		       rows_named_missing(r, "cpu_us_per_io")
		           ? 0
		           : rows_named_real(r, "cpu_us_per_io"));
	if (!rows_named_missing(r, "depth_mean"))
		printf("  IO depth     : asked=%" PRId64
		       " per job, achieved=%.2f per job, %" PRId64 " in all\n",
		       rows_named_int(r, "iodepth"), rows_named_real(r, "depth_mean"),
		       rows_named_int(r, "depth_total"));
	if (!rows_named_missing(r, "issued"))
		printf("     issued rwts: %s\n", show_text(r, "issued", a, sizeof(a)));
	if (!rows_named_missing(r, "jobs"))
		print_threads(r);
	if (!rows_named_missing(r, "flush_s"))
		printf("  flush        : %.3f s\n", rows_named_real(r, "flush_s"));
	if (!rows_named_missing(r, "passes"))
		printf("  passes       : %.3f over the region\n", rows_named_real(r, "passes"));
	print_device(r);
	print_text("  effective    : ", r, "effective", "\n");
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
	/* of several directions in one number there is no such line */
	" CASE WHEN NOT EXISTS (SELECT 1 FROM result WHERE run_id = r.id AND op > 3) THEN"
	" 'total=' || " ISSUED("ios") " || ' short=' || " ISSUED("short_ios") " || ' errors=' || " ISSUED("errors") " END AS issued,"
	" (SELECT file FROM imported JOIN document ON hash = document WHERE run_id = r.id) AS imported_from"
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
		return err_set(e, -EINVAL, "no run %" PRId64, run_id);
	print_head(r);
	rc = show_ops(s, run_id, e);
	if (!rc)
		rc = show_targets(s, run_id, e);
	if (!rc)
		print_tail(r);
	return rc;
}
