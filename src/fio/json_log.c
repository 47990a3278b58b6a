#include "fio/json_log.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "sink/interval.h"

const char *json_log_name(unsigned log)
{
	static const char *const name[JSON_LOGS] = { "bw", "iops", "lat" };

	return log < JSON_LOGS ? name[log] : NULL;
}

int json_log_write(struct text *out, struct store *s, int64_t run, enum json_log log,
                   struct err *e)
{
	static const char *const value[JSON_LOGS] = {
		[JSON_LOG_BW] = INTERVAL_BW_KIB_S,
		[JSON_LOG_IOPS] = INTERVAL_IOPS,
		[JSON_LOG_LAT] = INTERVAL_LAT_MEAN_NS,
	};
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int rc;

	text_addf(
	    &sql,
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
