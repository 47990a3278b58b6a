#include "sink/interval.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "model/metrics.h"

int interval_bandwidth(struct interval_bandwidth *out, struct store *s, int64_t run, int64_t op,
                       struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	double low = (double)INFINITY, high = 0, m2 = 0;
	int error = rows_open(&r, s,
	                      "SELECT bytes / 1.024 / len_ms FROM interval WHERE run_id = ? AND "
	                      "op = ? AND bytes > 0 AND len_ms >= ? ORDER BY t_ms",
	                      e);

	*out = (struct interval_bandwidth){ 0 };
	if (error)
		return error;
	rows_bind_int(r, 1, run);
	rows_bind_int(r, 2, op);
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
