/* model/units_sql.h: sizes and times as users write them, inside of SQL: size('64k') is 65536,
 * seconds('5m') is 300. For the `where` of a config and the --where of every command alike. */
#ifndef MODEL_UNITS_SQL_H
#define MODEL_UNITS_SQL_H

#include <stdint.h>

#include <sqlite3.h>

/* Add both functions to a connection. A SQLite code. */
int units_sql_add(sqlite3 *db);

/* A time of so many ns as seconds: an integer when it is whole, as the results have it. */
void units_sql_seconds(sqlite3_context *ctx, uint64_t ns);

#endif
