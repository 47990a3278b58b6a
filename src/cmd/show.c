/* iosweep show: a sweep, also while it runs, or one run of it. */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "cmd/show_inside.h"
#include "cmd/show_percentiles.h"
#include "cmd/show_sweep.h"
#include "cmd/show_target.h"
#include "cmd/summary.h"
#include "sink/cell.h"

/* The runs that ID names: a run number, or a combination (its last attempts). */
static int find_runs(struct store *s, const struct options *o, struct text *sql, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	const char *db = o->args[0], *id = o->args[1];
	uint64_t number;
	int rc;

	text_add(sql, parse_u64(id, &number)
	                  ? "SELECT DISTINCT run FROM results WHERE combination = ?"
	                  : "SELECT DISTINCT run FROM all_runs WHERE run = CAST(? AS INTEGER)");
	rc = rows_open(&r, s, sql->s, e);
	if (rc)
		return rc;
	rows_bind_text(r, 1, id);
	rc = rows_next(r, e);
	return rc == 0  ? err_set(e, -EINVAL, "%s: no run or combination '%s' in it", db, id)
	       : rc < 0 ? rc
	                : 0;
}

static int show_runs(struct store *s, const char *id, const char *sql, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, sql, e);

	if (rc)
		return rc;
	rows_bind_text(r, 1, id);
	while ((rc = rows_next(r, e)) == 1) {
		rc = show_run(s, rows_int(r, 0), e);
		if (!rc)
			rc = show_inside(s, rows_int(r, 0), e);
		if (rc)
			return rc;
	}
	return rc;
}

static int show_runs_json(struct store *s, const char *id, const char *runs, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(text_fini) struct text t = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	struct show_percentiles shown;
	bool any = false;
	int rc;

	text_addf(&sql, "SELECT * FROM all_runs WHERE run IN (%s)", runs);
	rc = rows_open(&r, s, sql.s, e);
	if (rc)
		return rc;
	rows_bind_text(r, 1, id);
	show_percentiles_load(&shown, s);
	text_add(&t, "{\"schema_version\":1,\"rows\":[");
	while (!rc && (rc = rows_next(r, e)) == 1) {
		text_add(&t, any ? ",\n{" : "\n{");
		json_add_members(&t, r);
		rc = show_percentiles_json(&t, &shown, s, r, e);
		text_add(&t, "}");
		any = true;
	}
	text_add(&t, "\n]");
	if (!rc)
		rc = show_targets_json(&t, s, runs, id, e);
	if (!rc)
		rc = show_inside_json(&t, s, runs, id, e);
	if (!rc)
		printf("%s}\n", text_get(&t));
	return rc;
}

static int show(struct store *s, const struct options *o, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	const char *id = o->nargs > 1 ? o->args[1] : NULL;
	int r;

	if (!id)
		return o->json ? show_sweep_json(s, o->args[0], e)
		               : show_sweep(s, o->args[0], e);
	r = find_runs(s, o, &sql, e);
	if (r)
		return r;
	return o->json ? show_runs_json(s, id, sql.s, e) : show_runs(s, id, sql.s, e);
}

int cmd_show(const struct options *o)
{
	struct store *s = NULL;
	struct err e = { 0 };
	int r;

	r = open_to_ask(&s, "show", o->args[0]);
	if (r)
		return r;
	r = show(s, o, &e);
	(void)store_close(s, NULL);
	if (r)
		complain("show: %s", e.text);
	return exit_of_error(r);
}
