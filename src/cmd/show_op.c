#include "cmd/show_op.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/show_percentiles.h"
#include "cmd/show_value.h"
#include "model/hist.h"
#include "model/imported.h"
#include "model/metrics.h"
#include "sink/interval.h"

static void print_rate(const struct rows *r)
{
	double bw = rows_named_real(r, "bw_mib_s") * 1048576;
	char a[32], b[32], c[32], d[32];

	if (rows_named_missing(r, "iops")) {
		printf("  %s: the window never opened\n", rows_named_text(r, "op"));
		return;
	}
	printf("  %s: IOPS=%s, BW=%s/s (%s/s)(%s/%.0fmsec)\n", rows_named_text(r, "op"),
	       show_count(rows_named_real(r, "iops"), a, sizeof(a)),
	       show_amount(bw, 1024, b, sizeof(b)), show_amount(bw, 1000, c, sizeof(c)),
	       show_amount((double)rows_named_int(r, "bytes"), 1024, d, sizeof(d)),
	       rows_named_real(r, "window_s") * 1000);
}

static void print_latency(const struct rows *r)
{
	char a[32], b[32], c[32], d[32];

	if (rows_named_missing(r, "lat_mean_us")) {
		puts("     lat (usec): no I/O completed in the window");
		return;
	}
	printf("     lat (usec): min=%s, max=%s, avg=%s, stdev=%s\n",
	       show_us(rows_named_real(r, "lat_min_us"), a, sizeof(a)),
	       show_us(rows_named_real(r, "lat_max_us"), b, sizeof(b)),
	       show_us(rows_named_real(r, "lat_mean_us"), c, sizeof(c)),
	       show_us(rows_named_real(r, "lat_stddev_us"), d, sizeof(d)));
}

/* Of a run with a rate: without the wait for a turn. */
static void print_service(const struct rows *r)
{
	char a[32], b[32], c[32], d[32];

	if (rows_named_missing(r, "service_mean_us"))
		return;
	printf("     service (usec): avg=%s, p50=%s, p99=%s, max=%s\n",
	       show_us(rows_named_real(r, "service_mean_us"), a, sizeof(a)),
	       show_us(rows_named_real(r, "service_p50_us"), b, sizeof(b)),
	       rows_named_missing(r, "service_p99_us")
	           ? "-"
	           : show_us(rows_named_real(r, "service_p99_us"), c, sizeof(c)),
	       show_us(rows_named_real(r, "service_max_us"), d, sizeof(d)));
}

int show_histogram(struct hist *h, struct store *s, int64_t run_id, int64_t op, struct err *e)
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

/* As fio: nothing where no whole second had I/O. */
static int print_bandwidth(struct store *s, int64_t run_id, int64_t op, struct err *e)
{
	struct interval_bandwidth bw;
	int r = interval_bandwidth(&bw, s, run_id, op, e);

	if (!r && bw.samples)
		printf("   bw (  KiB/s): min=%" PRId64 ", max=%" PRId64
		       ", avg=%.2f, stdev=%.2f, samples=%" PRId64 "\n",
		       bw.min, bw.max, bw.mean, bw.stddev, bw.samples);
	return r;
}

static void print_iops(const struct rows *r)
{
	char stdev[32] = "-";

	if (rows_named_missing(r, "iops_min"))
		return;
	if (!rows_named_missing(r, "iops_stddev"))
		(void)snprintf(stdev, sizeof(stdev), "%.2f", rows_named_real(r, "iops_stddev"));
	if (strstr(rows_named_text(r, "notes"), "imported")) {
		/* of its samples fio's mean is not stored, and iops is none of them */
		printf("   iops        : min=%.0f, max=%.0f, stdev=%s, samples of fio's\n",
		       rows_named_real(r, "iops_min"), rows_named_real(r, "iops_max"), stdev);
		return;
	}
	printf("   iops        : min=%.0f, max=%.0f, avg=%.2f, stdev=%s, slots of %s\n",
	       rows_named_real(r, "iops_min"), rows_named_real(r, "iops_max"),
	       rows_named_real(r, "iops"), stdev,
	       rows_named_real(r, "window_s") < 10 ? "100 ms" : "1 s");
}

/* How sure they are: of the mean, and of p99. */
static void print_intervals_of(const struct rows *r)
{
	char a[32], b[32];

	if (!rows_named_missing(r, "iops_half_width_pct"))
		printf("   iops 95%%    : +-%.2f%% (%" PRId64 " batches, rho %.2f)\n",
		       rows_named_real(r, "iops_half_width_pct"), rows_named_int(r, "batches"),
		       rows_named_real(r, "rho"));
	if (!rows_named_missing(r, "lat_p99_low_us"))
		printf("   p99 95%%     : %s to %s usec\n",
		       show_us(rows_named_real(r, "lat_p99_low_us"), a, sizeof(a)),
		       show_us(rows_named_real(r, "lat_p99_high_us"), b, sizeof(b)));
}

/* Without a histogram: those that an imported document gave. */
static void print_given_percentiles(const struct rows *r)
{
	static const struct {
		const char *label, *column;
	} p[] = { { "50.00", "lat_p50_us" },   { "90.00", "lat_p90_us" },
		  { "95.00", "lat_p95_us" },   { "99.00", "lat_p99_us" },
		  { "99.90", "lat_p99_9_us" }, { "99.99", "lat_p99_99_us" } };
	size_t n = 0;
	char a[32];

	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		if (!rows_named_missing(r, p[i].column))
			printf("%s%sth=[%s]",
			       n++ ? ", " : "     lat percentiles (usec): ", p[i].label,
			       show_us(rows_named_real(r, p[i].column), a, sizeof(a)));
	if (n)
		putchar('\n');
}

static int print_op(const struct rows *r, struct store *s, int64_t run_id,
                    const struct show_percentiles *shown, struct err *e)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	unsigned op = row_op_find(rows_named_text(r, "op"));
	int rc;

	print_rate(r);
	if (rows_named_missing(r, "iops"))
		return 0;
	print_latency(r);
	print_service(r);
	rc = show_histogram(h, s, run_id, op, e);
	if (rc)
		return err_wrap(e, "histogram of run %" PRId64, run_id);
	if (h->n)
		show_percentiles_print(shown, h);
	else
		print_given_percentiles(r);
	if (op != OP_SYNC) /* moves no bytes */
		rc = print_bandwidth(s, run_id, op, e);
	print_iops(r);
	print_intervals_of(r);
	return rc;
}

int show_ops(struct store *s, int64_t run_id, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	struct show_percentiles shown;
	int rc = rows_open(&r, s, "SELECT * FROM all_runs WHERE run = ? AND op IS NOT NULL", e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, run_id);
	show_percentiles_load(&shown, s);
	while ((rc = rows_next(r, e)) == 1) {
		rc = print_op(r, s, run_id, &shown, e);
		if (rc)
			return rc;
	}
	return rc;
}
