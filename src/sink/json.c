/* sink/json.c: the rows of a sweep as one JSON document. */
#include "base/cleanup.h"
#include "sink/cell.h"
#include "sink/csv.h"

#define CHUNK 65536

int json_write(FILE *out, struct store *s, const char *where, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(text_fini) struct text t = { 0 };
	AUTO(rows_closep) struct rows *rows = NULL;
	bool any = false;
	int r;

	csv_select(&sql, where);
	r = rows_open(&rows, s, sql.s, e);
	if (r)
		return r;
	text_add(&t, "{\"schema_version\":1,\"rows\":[");
	while ((r = rows_next(rows, e)) == 1) {
		text_add(&t, any ? ",\n" : "\n");
		json_add_row(&t, rows);
		any = true;
		if (t.len >= CHUNK && (r = csv_put(out, &t, e)))
			return r;
	}
	text_add(&t, "\n]}\n");
	return r ? r : csv_put(out, &t, e);
}
