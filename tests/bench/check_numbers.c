/* check_numbers DB...: do the stored numbers add up, in every row of these sweeps? And how far
 * are percentiles of the histogram from those of the same samples sorted? One JSON object. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "base/text.h"
#include "model/hist.h"
#include "sink/store.h"

#define SAMPLES 1000000

struct tally {
	uint64_t rows, histogram_differs, intervals_differ;
};

static const char totals_sql[] =
    "SELECT r.ios, r.bytes, h.data,"
    " (SELECT sum(i.ios) FROM interval i WHERE i.run_id = r.run_id AND i.op = r.op),"
    " (SELECT sum(i.bytes) FROM interval i WHERE i.run_id = r.run_id AND i.op = r.op),"
    " (SELECT sum(i.lat_sum_ns) FROM interval i WHERE i.run_id = r.run_id AND i.op = r.op)"
    " FROM result r LEFT JOIN histogram h ON h.run_id = r.run_id AND h.op = r.op WHERE r.ios > "
    "0";

static int check_row(const struct rows *r, struct tally *t, struct err *e)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	int64_t ios = rows_int(r, 0);
	size_t size;
	const void *data = rows_blob(r, 2, &size);
	uint64_t n;

	if (hist_unpack(h, data, size, e))
		return -1;
	n = h->overflow;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		n += h->bucket[i];
	t->rows++;
	t->histogram_differs += n != (uint64_t)ios || h->n != (uint64_t)ios;
	t->intervals_differ += rows_int(r, 3) != ios || rows_int(r, 4) != rows_int(r, 1) ||
	                       (uint64_t)rows_int(r, 5) != h->sum;
	return 0;
}

static int check_file(const char *path, struct tally *t, struct err *e)
{
	struct store *store;
	struct rows *rows = NULL;
	int rc = store_open(&store, path, e);

	if (rc)
		return rc;
	rc = rows_open(&rows, store, totals_sql, e);
	while (!rc && (rc = rows_next(rows, e)) == 1)
		rc = check_row(rows, t, e);
	rows_close(rows);
	return store_close(store, e) || rc ? -1 : 0;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Latencies from 100 ns to 1 s, each order of magnitude as likely as the next. */
static double percentile_error(void)
{
	static const double asked[] = { 50, 90, 95, 99, 99.9, 99.99 };
	AUTO(freep) uint64_t *sorted = xcalloc(SAMPLES, sizeof(*sorted));
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	double worst = 0;
	struct rng r;

	rng_seed(&r, 1);
	for (size_t i = 0; i < SAMPLES; i++) {
		sorted[i] = (uint64_t)pow(10, 2 + 7 * ((double)(rng_next(&r) >> 11) * 0x1p-53));
		hist_record(h, sorted[i]);
	}
	qsort(sorted, SAMPLES, sizeof(*sorted), ascending);
	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		double truth = (double)sorted[(size_t)ceil(asked[i] / 100 * SAMPLES) - 1];

		worst = fmax(worst, fabs(hist_percentile(h, asked[i]) / truth - 1));
	}
	return worst;
}

int main(int argc, char **argv)
{
	struct tally t = { 0 };
	struct err e = { 0 };

	for (int i = 1; i < argc; i++)
		if (check_file(argv[i], &t, &e)) {
			(void)fprintf(stderr, "%s: %s: %s\n", argv[0], argv[i], e.text);
			return 1;
		}
	printf("{\"rows\":%" PRIu64 ",\"histogram_differs\":%" PRIu64
	       ",\"intervals_differ\":%" PRIu64 ",\"percentile_error\":%.5f}\n",
	       t.rows, t.histogram_differs, t.intervals_differ, percentile_error());
	return 0;
}
