#include "plan/where.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "model/direction.h"
#include "model/units_sql.h"

/* The combination is a virtual table `row` of one row whose columns read straight from the job:
 * compiled once, nothing is bound or copied per combination. */

#define STEPS_PER_CALL 1000
#define STEPS_LIMIT    20000 /* virtual machine instructions of one evaluation */

struct where {
	sqlite3 *db;
	sqlite3_stmt *stmt;
	const struct sweep *sweep;
	const struct job *job; /* being evaluated */
	unsigned selects;      /* seen while compiling: ours, and no other */
	unsigned steps;
	char denied[128]; /* what the authorizer refused, in words */
};

struct row_table {
	sqlite3_vtab base;
	struct where *where;
};

struct row_cursor {
	sqlite3_vtab_cursor base;
	bool end;
};

static int row_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                       sqlite3_vtab **out, char **error)
{
	struct text sql = { 0 };
	struct row_table *t = sqlite3_malloc(sizeof(*t));
	int r;

	(void)argc;
	(void)argv;
	(void)error;
	if (!t)
		return SQLITE_NOMEM;
	*t = (struct row_table){ .where = aux };
	text_add(&sql, "CREATE TABLE x(");
	for (size_t a = 0; a < AXIS_COUNT; a++)
		text_addf(&sql, "%s%s", a ? ", " : "", axes[a].name);
	text_add(&sql, ")");
	r = sqlite3_declare_vtab(db, text_get(&sql));
	text_fini(&sql);
	if (r != SQLITE_OK) {
		sqlite3_free(t);
		return r;
	}
	*out = &t->base;
	return SQLITE_OK;
}

static int row_disconnect(sqlite3_vtab *t)
{
	sqlite3_free(t);
	return SQLITE_OK;
}

static int row_best_index(sqlite3_vtab *t, sqlite3_index_info *info)
{
	(void)t;
	info->estimatedCost = 1;
	info->estimatedRows = 1;
	return SQLITE_OK;
}

static int row_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct row_cursor *c = sqlite3_malloc(sizeof(*c));

	(void)t;
	if (!c)
		return SQLITE_NOMEM;
	*c = (struct row_cursor){ 0 };
	*out = &c->base;
	return SQLITE_OK;
}

static int row_close(sqlite3_vtab_cursor *c)
{
	sqlite3_free(c);
	return SQLITE_OK;
}

static int row_filter(sqlite3_vtab_cursor *c, int num, const char *str, int argc,
                      sqlite3_value **argv)
{
	(void)num;
	(void)str;
	(void)argc;
	(void)argv;
	((struct row_cursor *)c)->end = false;
	return SQLITE_OK;
}

static int row_next(sqlite3_vtab_cursor *c)
{
	((struct row_cursor *)c)->end = true;
	return SQLITE_OK;
}

static int row_eof(sqlite3_vtab_cursor *c)
{
	return ((struct row_cursor *)c)->end;
}

static void result_words(sqlite3_context *ctx, const struct axis *a, uint64_t v)
{
	char text[64];

	axis_print(a, v, text, sizeof(text));
	sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

static int row_column(sqlite3_vtab_cursor *c, sqlite3_context *ctx, int column)
{
	const struct where *w = ((struct row_table *)c->pVtab)->where;
	const struct axis *a = &axes[column];
	uint64_t v = axis_value(a, w->job);

	if (a->kind == AXIS_TEXT)
		sqlite3_result_text(ctx, v == AXIS_UNSET ? a->def : sweep_text(w->sweep, a, v),
		                    -1, SQLITE_STATIC);
	else if (v == AXIS_UNSET || (a->kind == AXIS_SIZE_OR_PERCENT && (v & SIZE_PERCENT)))
		sqlite3_result_null(ctx);
	else if (a->kind == AXIS_ENUM)
		sqlite3_result_text(ctx, a->choice(v), -1, SQLITE_STATIC);
	else if (a->kind == AXIS_TIME)
		units_sql_seconds(ctx, v);
	else if (direction_differs(a, v))
		result_words(ctx, a, v);
	else
		sqlite3_result_int64(ctx, (int64_t)v);
	return SQLITE_OK;
}

static int row_rowid(sqlite3_vtab_cursor *c, sqlite3_int64 *id)
{
	(void)c;
	*id = 1;
	return SQLITE_OK;
}

static const sqlite3_module row_module = {
	.xConnect = row_connect, /* without xCreate: there without being created */
	.xBestIndex = row_best_index,
	.xDisconnect = row_disconnect,
	.xOpen = row_open,
	.xClose = row_close,
	.xFilter = row_filter,
	.xNext = row_next,
	.xEof = row_eof,
	.xColumn = row_column,
	.xRowid = row_rowid,
};

/* Deterministic functions of one row. max and min with one argument are aggregates: over one
 * row they do no harm. */
static bool function_allowed(const char *name)
{
	static const char *const allowed[] = {
		"abs",    "ceil",    "ceiling",   "char",   "coalesce", "exp",    "floor",
		"format", "glob",    "hex",       "ifnull", "iif",      "instr",  "length",
		"like",   "ln",      "log",       "log10",  "log2",     "lower",  "ltrim",
		"max",    "min",     "mod",       "nullif", "pow",      "power",  "printf",
		"quote",  "replace", "round",     "rtrim",  "seconds",  "sign",   "size",
		"sqrt",   "substr",  "substring", "trim",   "trunc",    "typeof", "unicode",
		"upper",
	};

	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++)
		if (!sqlite3_stricmp(name, allowed[i]))
			return true;
	return false;
}

static int deny(struct where *w, const char *what, const char *name)
{
	if (!*w->denied)
		(void)snprintf(w->denied, sizeof(w->denied), "%s%s is not allowed", what, name);
	return SQLITE_DENY;
}

static int authorize(void *arg, int action, const char *first, const char *second,
                     const char *schema, const char *by)
{
	struct where *w = arg;

	(void)schema;
	(void)by;
	switch (action) {
	case SQLITE_SELECT:
		return ++w->selects == 1 ? SQLITE_OK : deny(w, "a subquery", "");
	case SQLITE_READ:
		return !sqlite3_stricmp(first, "row") ? SQLITE_OK : deny(w, "table ", first);
	case SQLITE_FUNCTION:
		return function_allowed(second) ? SQLITE_OK : deny(w, "function ", second);
	default:
		return deny(w, "anything but an expression", "");
	}
}

static int count_steps(void *arg)
{
	struct where *w = arg;

	w->steps += STEPS_PER_CALL;
	return w->steps > STEPS_LIMIT;
}

static int where_error(const struct where *w, struct err *e, const char *what)
{
	return err_set(e, -EINVAL, "where: '%.400s': %s", w->sweep->where, what);
}

static int open_database(struct where *w, struct err *e)
{
	if (sqlite3_open_v2(":memory:", &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY,
	                    NULL) ||
	    sqlite3_create_module_v2(w->db, "row", &row_module, w, NULL) ||
	    units_sql_add(w->db))
		return where_error(w, e, w->db ? sqlite3_errmsg(w->db) : "out of memory");
	/* "read" in double quotes is a column that does not exist, not a text: a typing error
	 * must not pass. */
	(void)sqlite3_db_config(w->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	(void)sqlite3_db_config(w->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_limit(w->db, SQLITE_LIMIT_LENGTH, 1000000);
	sqlite3_progress_handler(w->db, STEPS_PER_CALL, count_steps, w);
	return 0;
}

/* The second column proves that the text was one expression and nothing else: a comma would
 * make three columns, a comment that swallows the rest would leave one, a semicolon would leave
 * a tail. */
static int compile(struct where *w, struct err *e)
{
	struct text sql = { 0 };
	const char *tail = "";
	int r;

	/* The module must be known before the authorizer stands guard: its declaration is a
	 * CREATE TABLE. */
	r = sqlite3_exec(w->db, "SELECT 1 FROM row WHERE 0", NULL, NULL, NULL);
	if (r)
		return where_error(w, e, sqlite3_errmsg(w->db));
	(void)sqlite3_set_authorizer(w->db, authorize, w);
	text_addf(&sql, "SELECT (%s\n), 1 FROM row", w->sweep->where);
	r = sqlite3_prepare_v2(w->db, text_get(&sql), (int)sql.len + 1, &w->stmt, &tail);
	if (r)
		r = where_error(w, e, *w->denied ? w->denied : sqlite3_errmsg(w->db));
	else if (!w->stmt || *tail || sqlite3_column_count(w->stmt) != 2)
		r = where_error(w, e, "one SQL expression is expected, and nothing after it");
	else if (sqlite3_bind_parameter_count(w->stmt))
		r = where_error(w, e, "parameters (?) have no value here");
	text_fini(&sql);
	return r;
}

int where_new(struct where **out, const struct sweep *sweep, struct err *e)
{
	struct where *w = xcalloc(1, sizeof(*w));
	int r;

	w->sweep = sweep;
	r = open_database(w, e);
	if (!r)
		r = compile(w, e);
	if (r) {
		where_free(w);
		return r;
	}
	*out = w;
	return 0;
}

int where_match(struct where *w, const struct job *job, struct err *e)
{
	int r;

	w->job = job;
	w->steps = 0;
	r = sqlite3_step(w->stmt);
	if (r == SQLITE_ROW)
		r = sqlite3_column_double(w->stmt, 0) != 0;
	else if (r == SQLITE_INTERRUPT)
		r = where_error(w, e, "takes too many steps");
	else
		r = where_error(w, e,
		                r == SQLITE_DONE ? "gives no value" : sqlite3_errmsg(w->db));
	(void)sqlite3_reset(w->stmt);
	return r;
}

void where_free(struct where *w)
{
	if (!w)
		return;
	(void)sqlite3_finalize(w->stmt);
	(void)sqlite3_close(w->db);
	free(w);
}
