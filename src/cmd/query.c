#include "cmd/query.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"

const struct metric *query_metric(const char *option, const char *name, struct err *e)
{
	const struct metric *m = metric_find(name);

	if (m && m->kind != METRIC_TEXT)
		return m;
	(void)err_set(e, -EINVAL,
	              "--%s: '%s' is no metric with a number (iosweep help metrics)", option,
	              name);
	return NULL;
}

bool query_has_column(struct store *s, const char *name)
{
	AUTO(rows_closep) struct rows *r = NULL;

	return !rows_open(&r, s, "SELECT * FROM results LIMIT 0", NULL) &&
	       rows_find(r, name) >= 0;
}

bool query_has_half_width(struct store *s, const struct metric *m)
{
	return m && metric_is_rate(m) && query_has_column(s, "iops_half_width_pct");
}

void query_from(struct text *sql, const char *where)
{
	text_add(sql, " FROM results WHERE status = 'ok' AND op <> 'sync'");
	rows_where(sql, "AND", where);
}

void query_axis(struct text *sql, const char *column)
{
	if (!strcmp(column, "rwmixread"))
		text_add(sql, "CASE WHEN rw IN ('rw','randrw') THEN rwmixread END");
	else
		text_add(sql, column);
}

int query_varies(bool *varies, struct store *s, const struct strlist *column, const char *from,
                 struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	int error;

	for (size_t i = 0; i < column->len; i++) {
		text_add(&sql, i ? ", min(" : "SELECT min(");
		query_axis(&sql, column->item[i]);
		text_add(&sql, ") < max(");
		query_axis(&sql, column->item[i]);
		text_add(&sql, ")");
	}
	text_add(&sql, from);
	error = rows_open(&r, s, text_get(&sql), e);
	if (!error)
		error = rows_next(r, e);
	for (size_t i = 0; error > 0 && i < column->len; i++)
		varies[i] = rows_int(r, (int)i) != 0;
	return error < 0 ? error : 0;
}
