#include "cmd/show_target.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "cmd/show_value.h"
#include "model/imported.h"
#include "sink/cell.h"

/* The rows of target_result in the units of the results; `which` selects runs. */
static void add_query(struct text *sql, const char *which)
{
	text_add(sql, "SELECT t.run_id AS run, t.filename AS filename, ");
	row_op_sql_name(sql, "t.op");
	text_addf(sql,
	          " AS op, t.ios AS ios, t.bytes AS bytes,"
	          " t.ios * 1e9 / r.window_ns AS iops,"
	          " t.bytes / 1048576.0 * 1e9 / r.window_ns AS bw_mib_s,"
	          " t.lat_sum_ns / 1000.0 / nullif(t.ios, 0) AS lat_mean_us,"
	          " CASE WHEN t.ios THEN t.lat_max_ns / 1000.0 END AS lat_max_us,"
	          " t.errors AS errors"
	          " FROM target_result t JOIN run r ON r.id = t.run_id WHERE t.run_id IN (%s)"
	          " ORDER BY t.run_id, t.target, t.op",
	          which);
}

static void print_target(const struct rows *r)
{
	char name[512], a[32], b[32];

	printf("     %s: %s: IOPS=%s, BW=%s/s", show_text(r, "filename", name, sizeof(name)),
	       rows_named_text(r, "op"), show_count(rows_named_real(r, "iops"), a, sizeof(a)),
	       show_amount(rows_named_real(r, "bw_mib_s") * 1048576, 1024, b, sizeof(b)));
	if (!rows_named_missing(r, "lat_mean_us"))
		printf(", lat (usec): avg=%s, max=%s",
		       show_us(rows_named_real(r, "lat_mean_us"), a, sizeof(a)),
		       show_us(rows_named_real(r, "lat_max_us"), b, sizeof(b)));
	if (rows_named_int(r, "errors"))
		printf(", errors=%" PRId64, rows_named_int(r, "errors"));
	putchar('\n');
}

int show_targets(struct store *s, int64_t run_id, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	bool any = false;
	int rc;

	add_query(&sql, "?");
	rc = rows_open(&r, s, sql.s, e);
	if (rc)
		return rc;
	rows_bind_int(r, 1, run_id);
	while ((rc = rows_next(r, e)) == 1) {
		if (!any)
			puts("  of each target:");
		any = true;
		print_target(r);
	}
	return rc;
}

int show_targets_json(struct text *out, struct store *s, const char *runs, const char *id,
                      struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int rc;

	add_query(&sql, runs);
	rc = rows_open(&r, s, sql.s, e);
	if (rc)
		return rc;
	rows_bind_text(r, 1, id);
	return json_add_rows(out, "targets", r, e);
}
