#include "cmd/show_standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Someone runs it only while the lock is held: one that ended without saying so was killed. */
static const char *state_of(struct store *s, bool live)
{
	const char *said = store_get(s, "state");

	return live ? "running" : said && !strcmp(said, "done") ? "done" : "stopped";
}

static int count_status(struct store *s, struct show_standing *p, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s,
	                   "SELECT status, count(DISTINCT run), count(DISTINCT CASE WHEN "
	                   "doubts <> '' THEN run END) "
	                   "FROM results GROUP BY status",
	                   e);

	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1) {
		for (uint64_t i = 0; i < STATUS_COUNT; i++) {
			if (strcmp(status_name(i), rows_text(r, 0)) != 0)
				continue;
			p->status[i] = rows_int(r, 1);
			p->done += i == STATUS_INTERRUPTED ? 0 : rows_int(r, 1);
		}
		p->doubted += rows_int(r, 2);
	}
	return rc;
}

/* The plan's estimate less what was done of it, at the pace of that, for runs may end early;
 * those that only their size bounds go by their pace alone. */
static int estimate_left(struct store *s, struct show_standing *p, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	double estimate, spent, runs, span, took;
	int rc = rows_open(
	    &r, s,
	    "SELECT (SELECT estimate_s FROM sweep), "
	    "total(ifnull(c.ramp_time_ns, 0) + ifnull(c.runtime_ns, 0)) / 1e9, count(*), "
	    "ifnull(max(r.started_wall_ns) - min(r.started_wall_ns), 0) / 1e9, "
	    "total(ifnull(c.ramp_time_ns, 0) + ifnull(r.window_ns, ifnull(c.runtime_ns, 0))) / "
	    "1e9 "
	    "FROM run AS r JOIN combination AS c ON c.id = r.combination_id "
	    "WHERE r.purpose = 'grid' AND r.status IN ('ok', 'failed', 'timeout')",
	    e);

	p->left_s = (double)NAN;
	if (!rc)
		rc = rows_next(r, e);
	if (rc != 1)
		return rc;
	estimate = rows_real(r, 0), spent = rows_real(r, 1), runs = rows_real(r, 2),
	span = rows_real(r, 3), took = rows_real(r, 4);
	if (estimate > 0)
		p->left_s = fmax(0, estimate - spent) * (spent > 0 ? fmin(1, took / spent) : 1);
	else if (runs > 1 && p->planned >= p->done)
		p->left_s = span / (runs - 1) * (double)(p->planned - p->done);
	return 0;
}

int show_standing_load(struct show_standing *p, struct store *s, struct err *e)
{
	const char *planned = store_get(s, "planned_runs");
	int r;

	*p = (struct show_standing){ .live = store_live(s),
		                     .planned = planned ? strtoll(planned, NULL, 10) : 0 };
	p->state = state_of(s, p->live);
	r = count_status(s, p, e);
	return r ? r : estimate_left(s, p, e);
}
