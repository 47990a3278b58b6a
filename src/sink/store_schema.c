/* sink/store_schema.c: SQL text made from the tables of axes, identity columns and metrics.
 * Names come from those tables alone, never from input. No STRICT, ->> or RETURNING: older
 * SQLite must be able to read the file. */
#include <string.h>

#include "base/cleanup.h"
#include "model/column.h"
#include "model/imported.h"
#include "sink/store_private.h"

/* clang-format off */
const struct store_raw store_raw[] = {
#define RAW(field) { #field, offsetof(struct sample, field) }
	RAW(inflight_ns),
	RAW(jobs),
	RAW(jobs_idle),
	RAW(region_bytes),
	RAW(cpu_user_ns),
	RAW(cpu_sys_ns),
	RAW(start_skew_ns),
	RAW(stop_skew_ns),
	RAW(inflight_at_stop),
	RAW(jobs_hung),
	RAW(drain_ios),
	RAW(drain_ns),
	RAW(drain_max_ns),
	RAW(ramp_ios),
	RAW(system_ns),
	RAW(idle_ns),
	RAW(steal_ns),
	RAW(slot_ns),
	RAW(written_bytes),
#undef RAW
	{ "device_queue_ns", offsetof(struct sample, device.queue_ns) },
	{ "device_busy_ns", offsetof(struct sample, device.busy_ns) },
	{ "device_elapsed_ns", offsetof(struct sample, device.elapsed_ns) },
	{ "first_error_offset", offsetof(struct sample, first_error.offset) },
};
/* clang-format on */
const size_t store_raws = ARRAY_SIZE(store_raw);

static const char *stored(const struct metric *m)
{
	return m->stored ? m->stored : m->name;
}

/* Two metrics may stand on one stored column: MiB/s and MB/s. */
bool store_metric_first(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(stored(metric_at(k)), stored(metric_at(i))))
			return false;
	return true;
}

static void add_integer(struct text *t, const char *name)
{
	text_addf(t, ",\n\t%s INTEGER CHECK(typeof(%s) IN ('integer','null'))", name, name);
}

static void add_metrics(struct text *t, enum metric_scope scope)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric *m = metric_at(i);

		if (m->scope != scope || !store_metric_first(i))
			continue;
		if (m->kind == METRIC_INTEGER)
			add_integer(t, stored(m));
		else if (m->kind == METRIC_TEXT)
			text_addf(t, ",\n\t%s TEXT CHECK(typeof(%s) IN ('text','null'))",
			          stored(m), stored(m));
		else
			text_addf(t, ",\n\t%s REAL CHECK(typeof(%s) IN ('real','null'))",
			          stored(m), stored(m));
	}
}

static bool axis_is_text(const struct axis *a)
{
	return a->kind == AXIS_TEXT || a->kind == AXIS_ENUM;
}

static void add_combination(struct text *t)
{
	text_add(
	    t, "CREATE TABLE combination(\n"
	       "\tid INTEGER PRIMARY KEY,\n"
	       "\tkey BLOB NOT NULL UNIQUE CHECK(typeof(key) = 'blob' AND length(key) = 16),\n"
	       "\tkey_text TEXT NOT NULL,\n"
	       "\tlabel TEXT NOT NULL,\n"
	       "\tdevice TEXT NOT NULL,\n"
	       "\tfs TEXT NOT NULL,\n"
	       "\toptions TEXT NOT NULL");
	for (size_t i = 0; i < AXIS_COUNT; i++) {
		const char *name = axis_stored_name(&axes[i]);

		if (axis_is_text(&axes[i]))
			text_addf(t, ",\n\t%s TEXT", name);
		else if (axes[i].directions) /* a number, or two in a text; of no type: as it is */
			text_addf(t, ",\n\t%s CHECK(typeof(%s) IN ('integer','text','null'))",
			          name, name);
		else
			add_integer(t, name);
	}
	text_add(t, ");\n");
}

/* Not IN (...): SQLite would build a table of the words for every row that it checks. */
static void add_words(struct text *t, const char *column, const char *(*name)(uint64_t),
                      uint64_t n)
{
	text_addf(t, "\t%s TEXT NOT NULL CHECK(", column);
	for (uint64_t i = 0; i < n; i++)
		text_addf(t, "%s%s = '%s'", i ? " OR " : "", column, name(i));
	text_add(t, "),\n");
}

static void add_run(struct text *t)
{
	text_add(t, "CREATE TABLE run(\n"
	            "\tid INTEGER PRIMARY KEY,\n"
	            "\tcombination_id INTEGER NOT NULL REFERENCES combination(id),\n"
	            "\tenvironment_id INTEGER NOT NULL REFERENCES environment(id),\n"
	            "\trepeat INTEGER NOT NULL CHECK(typeof(repeat) = 'integer'),\n"
	            "\tattempt INTEGER NOT NULL CHECK(typeof(attempt) = 'integer'),\n");
	add_words(t, "purpose", purpose_name, PURPOSE_COUNT);
	add_words(t, "status", status_name, STATUS_COUNT);
	text_add(t, "\tskipped_by_machine INTEGER NOT NULL DEFAULT 0,\n" /* 2: given up */
	            "\terror_no INTEGER NOT NULL DEFAULT 0,\n"
	            "\terror TEXT NOT NULL DEFAULT '',\n"
	            "\tflags INTEGER NOT NULL DEFAULT 0,\n"
	            "\twhy TEXT NOT NULL DEFAULT '',\n"
	            "\tstarted_wall_ns INTEGER,\n"
	            "\teffective TEXT NOT NULL DEFAULT '',\n"
	            "\tfirst_error_no INTEGER,\n"
	            "\tfirst_error_op INTEGER,\n"
	            "\tfirst_error_len INTEGER");
	add_metrics(t, METRIC_RUN);
	for (size_t i = 0; i < store_raws; i++)
		add_integer(t, store_raw[i].name);
	text_add(t, ",\n\tUNIQUE(combination_id, repeat, purpose, attempt));\n");
}

static const char fixed_tables[] =
    "CREATE TABLE sweep(\n"
    "\tid INTEGER PRIMARY KEY CHECK(id = 1),\n"
    "\tuuid TEXT NOT NULL UNIQUE,\n"
    "\tname TEXT NOT NULL,\n"
    "\tdescription TEXT NOT NULL,\n"
    "\ttags TEXT NOT NULL,\n"
    "\tconfig TEXT NOT NULL,\n"
    "\tseed TEXT NOT NULL,\n"
    "\tstart_directory TEXT NOT NULL,\n"
    "\tcommand_options TEXT NOT NULL,\n"
    "\tplanned_runs INTEGER NOT NULL,\n"
    "\testimate_s REAL NOT NULL,\n"
    "\ttool_version TEXT NOT NULL,\n"
    "\tcreated_wall_ns INTEGER NOT NULL,\n"
    "\tstate TEXT NOT NULL CHECK(state IN ('running','done','interrupted','failed')));\n"
    "CREATE TABLE header(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;\n"
    "CREATE TABLE environment(\n"
    "\tid INTEGER PRIMARY KEY,\n"
    "\thost TEXT NOT NULL,\n"
    "\tfacts TEXT NOT NULL);\n";

static const char fixed_results[] = "CREATE TABLE interval(\n"
				    "\trun_id INTEGER NOT NULL REFERENCES run(id),\n"
				    "\top INTEGER NOT NULL,\n"
				    "\tt_ms INTEGER NOT NULL,\n"
				    "\tlen_ms REAL NOT NULL,\n"
				    "\tios INTEGER NOT NULL,\n"
				    "\tbytes INTEGER NOT NULL,\n"
				    "\tlat_sum_ns INTEGER NOT NULL,\n"
				    "\tPRIMARY KEY(run_id, op, t_ms)) WITHOUT ROWID;\n"
				    "CREATE TABLE histogram(\n"
				    "\trun_id INTEGER NOT NULL REFERENCES run(id),\n"
				    "\top INTEGER NOT NULL,\n"
				    "\tdata BLOB NOT NULL,\n"
				    "\tPRIMARY KEY(run_id, op)) WITHOUT ROWID;\n"
				    "CREATE TABLE event(\n"
				    "\tid INTEGER PRIMARY KEY,\n"
				    "\trun_id INTEGER,\n"
				    "\twall_ns INTEGER NOT NULL,\n"
				    "\tlevel TEXT NOT NULL,\n"
				    "\tcode TEXT NOT NULL,\n"
				    "\ttext TEXT NOT NULL);\n"
				    /* of runs on several targets at once: what was done on each */
				    "CREATE TABLE target_result(\n"
				    "\trun_id INTEGER NOT NULL REFERENCES run(id),\n"
				    "\ttarget INTEGER NOT NULL,\n"
				    "\top INTEGER NOT NULL CHECK(op BETWEEN 0 AND 3),\n"
				    "\tfilename TEXT NOT NULL,\n"
				    "\tios INTEGER NOT NULL,\n"
				    "\tbytes INTEGER NOT NULL,\n"
				    "\terrors INTEGER NOT NULL,\n"
				    "\tlat_sum_ns INTEGER NOT NULL,\n"
				    "\tlat_max_ns INTEGER NOT NULL,\n"
				    "\twritten_bytes INTEGER NOT NULL,\n"
				    "\tPRIMARY KEY(run_id, target, op)) WITHOUT ROWID;\n"
				    "CREATE TABLE document(\n"
				    "\thash TEXT PRIMARY KEY,\n"
				    "\tfile TEXT NOT NULL,\n"
				    "\theader TEXT NOT NULL) WITHOUT ROWID;\n"
				    "CREATE TABLE imported(\n"
				    "\trun_id INTEGER PRIMARY KEY REFERENCES run(id),\n"
				    "\tdocument TEXT NOT NULL REFERENCES document(hash),\n"
				    "\tsource TEXT NOT NULL);\n"
				    "CREATE TABLE created(\n"
				    "\tpath TEXT PRIMARY KEY,\n"
				    "\tdev INTEGER NOT NULL,\n"
				    "\tino INTEGER NOT NULL,\n"
				    "\tborn_ns INTEGER NOT NULL,\n"
				    "\tleast INTEGER NOT NULL,\n"
				    "\tsize INTEGER NOT NULL) WITHOUT ROWID;\n";

static void add_flags(struct text *t, bool doubts)
{
	bool any = false;

	text_add(t, "rtrim(");
	for (size_t i = 0; i < FLAG_COUNT; i++) {
		const struct flag *f = flag_at(i);

		if (f->doubt != doubts)
			continue;
		text_addf(t, "%sCASE WHEN run.flags & %llu THEN '%s ' ELSE '' END",
		          any ? " || " : "", 1ULL << i, f->name);
		any = true;
	}
	text_add(t, any ? ")" : "'')");
}

static void add_identity(struct text *t, enum identity_id id)
{
	static const char *const plain[IDENTITY_COUNT] = {
		[IDENTITY_sweep] = "sweep.name",
		[IDENTITY_label] = "combination.label",
		[IDENTITY_combination] = "'c' || lower(hex(substr(combination.key, 1, 6)))",
		[IDENTITY_run] = "run.id",
		[IDENTITY_repeat] = "run.repeat",
		[IDENTITY_started_utc] =
		    "strftime('%Y-%m-%dT%H:%M:%S', run.started_wall_ns / 1000000000, "
		    "'unixepoch') || printf('.%03dZ', run.started_wall_ns / 1000000 % 1000)",
		[IDENTITY_host] = "environment.host",
		[IDENTITY_device] = "combination.device",
		[IDENTITY_fs] = "combination.fs",
		[IDENTITY_tags] = "sweep.tags",
		[IDENTITY_status] = "run.status",
		[IDENTITY_error] = "run.error",
	};

	if (plain[id])
		text_add(t, plain[id]);
	else if (id == IDENTITY_op)
		row_op_sql_name(t, "result.op");
	else
		add_flags(t, id == IDENTITY_doubts);
}

static void add_view_column(struct text *t, const struct column *c)
{
	const struct axis *a = c->source == COLUMN_AXIS ? &axes[c->index] : NULL;
	const struct metric *m = c->source == COLUMN_METRIC ? metric_at(c->index) : NULL;

	if (a)
		text_addf(t, "combination.%s%s", axis_stored_name(a),
		          a->kind == AXIS_TIME ? " / 1e9" : "");
	else if (m)
		text_addf(t, "%s.%s%s%s", m->scope == METRIC_OP ? "result" : "run", stored(m),
		          m->divisor ? " / " : "", m->divisor ? m->divisor : "");
	else if (c->source == COLUMN_OPTIONS)
		text_add(t, "combination.options");
	else
		add_identity(t, (enum identity_id)c->index);
	text_addf(t, " AS %s", c->name);
}

/* CROSS JOIN fixes the order of the loops, so that rows come out by run and op without a sort. Not ORDER BY: with it SQLite
 * would work out every column of every row for a query that counts or groups them. */
static void add_view(struct text *t, const char *name, uint64_t swept, const char *more,
                     const char *which)
{
	struct column c[COLUMN_MAX];
	size_t n = column_list(c, swept);

	text_addf(t, "CREATE VIEW %s AS SELECT", name);
	for (size_t i = 0; i < n; i++) {
		text_add(t, i ? ",\n\t" : "\n\t");
		add_view_column(t, &c[i]);
	}
	text_addf(t,
	          "%s\nFROM sweep CROSS JOIN run CROSS JOIN combination ON combination.id = "
	          "run.combination_id\n"
	          "CROSS JOIN environment ON environment.id = run.environment_id\n"
	          "LEFT JOIN result ON result.run_id = run.id\n"
	          "WHERE sweep.id = 1%s;\n",
	          more, which);
}

void store_schema_sql(struct text *out, uint64_t swept)
{
	text_addf(out, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
	          STORE_APPLICATION_ID, STORE_USER_VERSION);
	text_add(out, fixed_tables);
	add_combination(out);
	add_run(out);
	text_add(out, "CREATE TABLE result(\n"
	              "\trun_id INTEGER NOT NULL REFERENCES run(id),\n"
	              "\top INTEGER NOT NULL CHECK(op BETWEEN 0 AND 4)"); /* 4: mixed */
	add_metrics(out, METRIC_OP);
	text_add(out, ",\n\tPRIMARY KEY(run_id, op)) WITHOUT ROWID;\n");
	text_add(out, fixed_results);
	store_target_table_sql(out);
	store_views_sql(out, swept);
}

void store_views_sql(struct text *out, uint64_t swept)
{
	add_view(out, "results", swept, "",
	         " AND run.purpose = 'grid' AND run.status <> 'running'\n"
	         "\tAND NOT EXISTS (SELECT 1 FROM run AS later WHERE later.combination_id = "
	         "run.combination_id\n"
	         "\t\tAND later.repeat = run.repeat AND later.purpose = 'grid' AND "
	         "later.attempt > run.attempt\n"
	         "\t\tAND later.status <> 'running')");
	add_view(out, "all_runs", swept,
	         ",\n\trun.attempt AS attempt,\n\trun.purpose AS purpose", "");
}

/* The metrics of a scope: ", NAME" with something before it, and between it and its name once
 * more. */
static void add_metric_names(struct text *t, enum metric_scope scope, const char *before,
                             const char *between)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const char *name = stored(metric_at(i));

		if (metric_at(i)->scope != scope || !store_metric_first(i))
			continue;
		text_addf(t, ", %s%s", before, name);
		if (between)
			text_addf(t, "%s%s", between, name);
	}
}

static void add_axis_names(struct text *t, const char *before)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		text_addf(t, ", %s%s", before, axis_stored_name(&axes[i]));
}

static void combination_sql(struct text *t)
{
	text_add(t, "INSERT INTO combination(key, key_text, label, device, fs, options");
	add_axis_names(t, "");
	text_add(t, ") VALUES(:key, :key_text, :label, :device, :fs, :options");
	add_axis_names(t, ":");
	text_add(t, ") ON CONFLICT(key) DO NOTHING");
}

static void outcome_sql(struct text *t)
{
	text_add(t,
	         "UPDATE run SET status = :status, skipped_by_machine = :skipped_by_machine, "
	         "error_no = :error_no, error = :error, flags = :flags, "
	         "started_wall_ns = :started_wall_ns, effective = :effective, why = :why, "
	         "first_error_no = :first_error_no, first_error_op = :first_error_op, "
	         "first_error_len = :first_error_len");
	add_metric_names(t, METRIC_RUN, "", " = :");
	for (size_t i = 0; i < store_raws; i++)
		text_addf(t, ", %s = :%s", store_raw[i].name, store_raw[i].name);
	text_add(t, " WHERE id = :id");
}

static void result_sql(struct text *t)
{
	text_add(t, "INSERT INTO result(run_id, op");
	add_metric_names(t, METRIC_OP, "", NULL);
	text_add(t, ") VALUES(:run_id, :op");
	add_metric_names(t, METRIC_OP, ":", NULL);
	text_add(t, ") ON CONFLICT DO NOTHING");
}

void store_statement_sql(struct text *out, enum store_statement which)
{
	static const char *const fixed[STMT_COUNT] = {
		[STMT_BEGIN] = "BEGIN IMMEDIATE",
		[STMT_COMMIT] = "COMMIT",
		[STMT_ROLLBACK] = "ROLLBACK",
		[STMT_HEADER] =
		    "INSERT OR REPLACE INTO header(name, value) VALUES(:name, :value)",
		[STMT_RUN_NEW] =
		    "INSERT INTO run(id, combination_id, environment_id, repeat, "
		    "attempt, purpose, status) VALUES(:id, "
		    "(SELECT id FROM combination WHERE key = :key), "
		    "(SELECT max(id) FROM environment), :repeat, :attempt, :purpose, :status) "
		    "ON CONFLICT(id) DO NOTHING",
		[STMT_INTERVAL] =
		    "INSERT INTO interval(run_id, op, t_ms, len_ms, ios, bytes, lat_sum_ns) "
		    "VALUES(:run_id, :op, :t_ms, :len_ms, :ios, :bytes, :lat_sum_ns) "
		    "ON CONFLICT DO NOTHING",
		[STMT_HISTOGRAM] = "INSERT INTO histogram(run_id, op, data) "
				   "VALUES(:run_id, :op, :data) ON CONFLICT DO NOTHING",
		[STMT_EVENT] = "INSERT INTO event(id, run_id, wall_ns, level, code, text) "
			       "VALUES(:id, :run_id, :wall_ns, :level, :code, :text) "
			       "ON CONFLICT(id) DO NOTHING",
		[STMT_STATE] = "UPDATE sweep SET state = :state",
		[STMT_CREATED_PUT] = "INSERT OR REPLACE INTO created(path, dev, ino, born_ns, "
				     "least, size) VALUES(:path, :dev, :ino, :born_ns, :least, "
				     ":size)",
		[STMT_CREATED_DEL] = "DELETE FROM created WHERE path = :path",
		[STMT_TARGET_RESULT] =
		    "INSERT INTO target_result(run_id, target, op, filename, ios, bytes, "
		    "errors, lat_sum_ns, lat_max_ns, written_bytes) VALUES(:run_id, :target, "
		    ":op, :filename, :ios, :bytes, :errors, :lat_sum_ns, :lat_max_ns, "
		    ":written_bytes) ON CONFLICT DO NOTHING",
	};

	if (fixed[which])
		text_add(out, fixed[which]);
	else if (which == STMT_COMBINATION)
		combination_sql(out);
	else if (which == STMT_RUN_OUTCOME)
		outcome_sql(out);
	else if (which == STMT_TARGET)
		store_target_put_sql(out);
	else
		result_sql(out);
}
