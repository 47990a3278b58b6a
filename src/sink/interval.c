#include "sink/interval.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "model/metrics.h"

static int open_of(struct rows **out, struct store *s, const char *sql, int64_t run, int64_t op,
                   struct err *e)
{
	int r = rows_open(out, s, sql, e);

	if (r)
		return r;
	rows_bind_int(*out, 1, run);
	rows_bind_int(*out, 2, op);
	return 0;
}

int interval_count(int64_t *n, struct store *s, int64_t run, int64_t op, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int error = open_of(
	    &r, s, "SELECT count(*) FROM interval WHERE run_id = ? AND op = ? AND len_ms > 0",
	    run, op, e);

	if (!error)
		error = rows_next(r, e);
	*n = error > 0 ? rows_int(r, 0) : 0;
	return error < 0 ? error : 0;
}

int interval_course(struct rows **out, struct store *s, int64_t run, int64_t op, int64_t each,
                    struct err *e)
{
	int r = open_of(
	    out, s,
	    "SELECT (start_ms + end_ms) / 2000.0, " INTERVAL_IOPS ", " INTERVAL_LAT_MEAN_US
	    ", len_ms / 1000.0 FROM (SELECT min(t_ms) AS start_ms, max(t_ms + len_ms) AS "
	    "end_ms, "
	    "sum(len_ms) AS len_ms, sum(ios) AS ios, sum(lat_sum_ns) AS lat_sum_ns FROM "
	    "(SELECT *, row_number() OVER (ORDER BY t_ms) - 1 AS place FROM interval "
	    "WHERE run_id = ?1 AND op = ?2 AND len_ms > 0) GROUP BY place / ?3) ORDER BY "
	    "start_ms",
	    run, op, e);

	if (!r)
		rows_bind_int(*out, 3, each);
	return r;
}

int interval_bandwidth(struct interval_bandwidth *out, struct store *s, int64_t run, int64_t op,
                       struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	double low = (double)INFINITY, high = 0, m2 = 0;
	int error = open_of(&r, s,
	                    "SELECT " INTERVAL_BW_KIB_S " FROM interval WHERE run_id = ? AND "
	                    "op = ? AND bytes > 0 AND len_ms >= ? ORDER BY t_ms",
	                    run, op, e);

	*out = (struct interval_bandwidth){ 0 };
	if (error)
		return error;
	rows_bind_int(r, 3, SEC / MSEC * METRIC_WHOLE_PCT / 100);
	while ((error = rows_next(r, e)) > 0) {
		double v = rows_real(r, 0), delta = v - out->mean;

		/* Welford, as fio: a sum of squares would cancel */
		out->samples++;
		out->mean += delta / (double)out->samples;
		m2 += delta * (v - out->mean);
		low = fmin(low, v);
		high = fmax(high, v);
	}
	if (error || !out->samples)
		return error;
	out->min = llround(low);
	out->max = llround(high);
	out->stddev = out->samples > 1 ? sqrt(m2 / (double)(out->samples - 1)) : 0;
	return 0;
}
