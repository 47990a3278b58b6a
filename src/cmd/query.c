#include "cmd/query.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "engine/engine.h"
#include "model/axis.h"

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

/* "COLUMN IN (...)": the names of the values that are so. */
static void add_in(struct text *sql, const char *column, const char *(*name)(uint64_t),
                   bool (*is)(uint64_t))
{
	const char *before = "(";

	text_addf(sql, "%s IN ", column);
	for (uint64_t v = 0; name(v); v++)
		if (is(v)) {
			text_addf(sql, "%s'%s'", before, name(v));
			before = ", ";
		}
	text_add(sql, ")");
}

static bool is_unreal(uint64_t engine)
{
	return engine_ops(engine)->caps & ENGINE_NO_TARGET;
}

static bool is_mixed(uint64_t rw)
{
	return rw_mixed(rw);
}

void query_mixed(struct text *sql)
{
	add_in(sql, axes[AXIS_rw].name, rw_name, is_mixed);
}

void query_unreal(struct text *sql)
{
	add_in(sql, axes[AXIS_ioengine].name, engine_name, is_unreal);
}

void query_axis(struct text *sql, const char *column)
{
	bool mix = !strcmp(column, axes[AXIS_rwmixread].name);

	if (mix) {
		text_add(sql, "CASE WHEN ");
		query_mixed(sql);
		text_add(sql, " THEN ");
	}
	text_addf(sql, "%s%s", column, mix ? " END" : "");
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
