#include "model/units_sql.h"

#include <stdio.h>

#include "base/units.h"

void units_sql_seconds(sqlite3_context *ctx, uint64_t ns)
{
	if (ns % SEC)
		sqlite3_result_double(ctx, (double)ns / 1e9);
	else
		sqlite3_result_int64(ctx, (int64_t)(ns / SEC));
}

static void fn_size(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	const char *s = (const char *)sqlite3_value_text(argv[0]);
	char text[128];
	uint64_t v;

	(void)argc;
	if (s && !parse_size(s, &v)) {
		sqlite3_result_int64(ctx, (int64_t)v);
		return;
	}
	(void)snprintf(text, sizeof(text), "size('%.60s'): not a size", s ? s : "");
	sqlite3_result_error(ctx, text, -1);
}

static void fn_seconds(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	const char *s = (const char *)sqlite3_value_text(argv[0]);
	char text[128];
	uint64_t v;

	(void)argc;
	if (s && !parse_time(s, &v)) {
		units_sql_seconds(ctx, v);
		return;
	}
	(void)snprintf(text, sizeof(text), "seconds('%.60s'): not a time", s ? s : "");
	sqlite3_result_error(ctx, text, -1);
}

int units_sql_add(sqlite3 *db)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int r =
	    sqlite3_create_function_v2(db, "size", 1, flags, NULL, fn_size, NULL, NULL, NULL);

	return r ? r
	         : sqlite3_create_function_v2(db, "seconds", 1, flags, NULL, fn_seconds, NULL,
	                                      NULL, NULL);
}
