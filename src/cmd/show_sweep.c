#include "cmd/show_sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/shell.h"
#include "base/units.h"
#include "cmd/show_grid.h"
#include "cmd/show_standing.h"
#include "sink/cell.h"

/* For a terminal. */
static void print_safe(const char *before, const char *s, const char *after)
{
	AUTO(freep) char *safe = text_printable_copy(s ? s : "");

	printf("%s%s%s", before, safe, after);
}

/* Print the rows of a query, a line each: the columns joined by `between`. The title only when
 * there are any. */
static int print_list(struct store *s, const char *title, const char *sql,
                      const char *const between[], struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	bool any = false;
	int rc = rows_open(&r, s, sql, e);

	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1) {
		if (!any)
			puts(title);
		any = true;
		for (int i = 0; i < rows_columns(r); i++)
			print_safe(between[i], rows_text(r, i), "");
		putchar('\n');
	}
	return rc;
}

static int print_now(struct store *s, struct err *e)
{
	return print_list(s, "now:", "SELECT label, run FROM all_runs WHERE status = 'running'",
	                  (const char *const[]){ "  ", ", run " }, e);
}

static void print_left(const struct show_standing *p)
{
	uint64_t ns;
	char a[32], b[40];

	if (!isfinite(p->left_s) || p->left_s > 1e9)
		return;
	ns = (uint64_t)(p->left_s * 1e9);
	printf("ETA %s (%s)\n", print_duration(a, sizeof(a), ns),
	       clock_local(b, sizeof(b), clock_wall_ns() + (int64_t)ns));
}

static void print_head(struct store *s, const struct show_standing *p, const char *db_path)
{
	const char *csv = store_get(s, "csv_path"), *options = store_get(s, "command_options");
	AUTO(text_fini) struct text word = { 0 };

	print_safe("", store_get(s, "name"), "");
	print_safe(": ", p->state, "");
	printf(", %" PRId64 "/%" PRId64 " runs done (%.1f %%)\n", p->done, p->planned,
	       p->planned ? 100 * (double)p->done / (double)p->planned : 0);
	printf("%" PRId64 " ok, %" PRId64 " failed, %" PRId64 " skipped, %" PRId64
	       " timeout, %" PRId64 " interrupted; %" PRId64 " in doubt\n",
	       p->status[STATUS_OK], p->status[STATUS_FAILED], p->status[STATUS_SKIPPED],
	       p->status[STATUS_TIMEOUT], p->status[STATUS_INTERRUPTED], p->doubted);
	if (p->live) {
		print_left(p);
	} else if (!strcmp(p->state, "stopped")) {
		add_shell_word(&word, db_path);
		print_safe("go on with: iosweep resume ", text_get(&word), "");
		print_safe(options && *options ? " " : "", options, "\n");
	}
	print_safe("database: ", db_path, "\n");
	if (store_spooled(s))
		print_safe("waiting:  ", db_path, "-spool: rows that resume brings into it\n");
	if (csv)
		print_safe("CSV:      ", csv, "\n");
}

static void print_fact(void *arg, const char *name, const char *value)
{
	(void)arg;
	if (!strcmp(name, "host")) /* said already */
		return;
	print_safe("  ", name, ": ");
	print_safe("", value, "\n");
}

static int print_environment(struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, "SELECT host, facts FROM environment", e);

	if (!rc)
		rc = rows_next(r, e);
	if (rc != 1)
		return rc;
	puts("environment:");
	print_safe("  host: ", rows_text(r, 0), "\n");
	json_each_fact(rows_text(r, 1), print_fact, NULL);
	return 0;
}

int show_sweep(struct store *s, const char *db_path, struct err *e)
{
	static const struct {
		const char *title, *sql;
		const char *between[5];
	} lists[] = {
		{ "targets:",
		  "SELECT filename, device, fs, CASE WHEN size_bytes THEN size_bytes || ' "
		  "bytes' ELSE '' END FROM target "
		  "ORDER BY filename",
		  { "  ", ": ", " ", " " } },
		{ "failed (the last 10):",
		  "SELECT run, label, error FROM (SELECT DISTINCT run, label, error FROM "
		  "results "
		  "WHERE status IN ('failed', 'timeout') ORDER BY run DESC LIMIT 10) ORDER BY "
		  "run",
		  { "  run ", " ", ": " } },
		{ "pilots:",
		  "SELECT text FROM event WHERE code = 'pilot' ORDER BY id",
		  { "  " } },
		{ "changes, by the sentinels:",
		  "SELECT text FROM event WHERE code IN ('drift', 'back') ORDER BY id",
		  { "  " } },
		{ "events (the last 10):",
		  "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', wall_ns / 1000000000, 'unixepoch'), "
		  "level, "
		  "CASE WHEN run_id THEN ' run ' || run_id ELSE '' END, code, text FROM "
		  "(SELECT * FROM event ORDER BY id "
		  "DESC LIMIT 10) ORDER BY id",
		  { "  ", " ", "", " ", ": " } },
	};
	struct show_standing p;
	int r = show_standing_load(&p, s, e);

	if (r)
		return r;
	print_head(s, &p, db_path);
	if (p.live)
		r = print_now(s, e);
	if (!r)
		r = show_grid(s, &p, e);
	for (size_t i = 0; i < ARRAY_SIZE(lists) && !r; i++)
		r = print_list(s, lists[i].title, lists[i].sql, lists[i].between, e);
	return r ? r : print_environment(s, e);
}

/* "name": value, from the header; null when it is not there. */
static void add_header(struct text *t, struct store *s, const char *key, const char *name)
{
	const char *value = store_get(s, name);

	text_addf(t, ",\n\"%s\":", key);
	if (value)
		json_add_string(t, value);
	else
		text_add(t, "null");
}

/* "name": [rows of the query as objects]. */
static int add_rows(struct text *t, struct store *s, const char *key, const char *sql,
                    struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, sql, e);

	return rc ? rc : json_add_rows(t, key, r, e);
}

/* The facts are a JSON object already; from a damaged file they may be anything. */
static int add_environment(struct text *t, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s,
	                   "SELECT host, CASE WHEN json_valid(facts) THEN json(facts) ELSE "
	                   "'{}' END FROM environment",
	                   e);

	if (rc)
		return rc;
	rc = rows_next(r, e);
	if (rc != 1)
		return rc;
	text_add(t, ",\n\"host\":");
	json_add_string(t, rows_text(r, 0));
	text_add(t, ",\n\"environment\":");
	text_add_utf8(t, rows_text(r, 1));
	return 0;
}

static void add_standing(struct text *t, const struct show_standing *p)
{
	text_add(t, "\"state\":");
	json_add_string(t, p->state);
	text_addf(t, ",\n\"live\":%s,\n\"planned_runs\":%" PRId64 ",\n\"done\":%" PRId64,
	          p->live ? "true" : "false", p->planned, p->done);
	for (uint64_t i = 0; i < STATUS_COUNT; i++)
		if (i != STATUS_RUNNING)
			text_addf(t, ",\n\"%s\":%" PRId64, status_name(i), p->status[i]);
	text_addf(t, ",\n\"doubted\":%" PRId64 ",\n\"eta_s\":", p->doubted);
	json_add_real(t, p->live ? p->left_s : (double)NAN);
}

int show_sweep_json(struct store *s, const char *db_path, struct err *e)
{
	static const char *const lists[][2] = {
		{ "targets", "SELECT filename, path, device, serial, wwn, fs, size_bytes FROM "
		             "target ORDER BY filename" },
		{ "failures", "SELECT DISTINCT run, label, status, error FROM results WHERE "
		              "status IN ('failed', 'timeout')" },
		{ "events", "SELECT id, run_id AS run, strftime('%Y-%m-%dT%H:%M:%SZ', wall_ns "
		            "/ 1000000000, 'unixepoch') "
		            "AS utc, level, code, text FROM event ORDER BY id" },
	};
	AUTO(text_fini) struct text t = { 0 };
	struct show_standing p;
	int r = show_standing_load(&p, s, e);

	if (r)
		return r;
	text_add(&t, "{\"schema_version\":1,\n\"db\":");
	json_add_string(&t, db_path);
	add_header(&t, s, "csv", "csv_path");
	add_header(&t, s, "name", "name");
	add_header(&t, s, "description", "description");
	add_header(&t, s, "tags", "tags");
	text_add(&t, ",\n");
	add_standing(&t, &p);
	r = add_environment(&t, s, e);
	for (size_t i = 0; i < ARRAY_SIZE(lists) && !r; i++)
		r = add_rows(&t, s, lists[i][0], lists[i][1], e);
	if (!r)
		r = show_grid_json(&t, s, &p, e);
	if (!r)
		printf("%s}\n", text_get(&t));
	return r;
}
