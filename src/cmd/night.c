#include "cmd/night.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "sink/store_night.h"
#include "stat/between.h"
#include "stat/night.h"

#define SPREAD_RUNS 3 /* fewer say nothing of how runs differ */

struct visits {
	struct stat_visit *visit;
	int64_t *run, *wall_ns;
	unsigned n;
};

static void visits_fini(struct visits *v)
{
	free(v->visit);
	free(v->run);
	free(v->wall_ns);
}

/* Runs of this cell, those of the grid too; not those that another sweep lent. */
static const char visits_sql[] =
    "SELECT r.id, r.started_wall_ns, r.run_iops FROM run r JOIN combination c ON c.id = "
    "r.combination_id WHERE lower(hex(c.key)) = ? AND r.purpose IN ('grid', 'sentinel') AND "
    "r.status "
    "= 'ok' AND r.environment_id > 0 AND r.run_iops > 0 ORDER BY r.id";

static int load(struct visits *v, struct session *s, const struct plan_row *cell, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	char hex[2 * KEY_BYTES + 1];
	int rc = rows_open(&r, s->store, visits_sql, e);

	if (rc)
		return rc;
	rows_bind_text(r, 1, key_hex(&cell->key, hex));
	while ((rc = rows_next(r, e)) == 1) {
		v->visit = xrealloc(v->visit, v->n + 1, sizeof(*v->visit));
		v->run = xrealloc(v->run, v->n + 1, sizeof(*v->run));
		v->wall_ns = xrealloc(v->wall_ns, v->n + 1, sizeof(*v->wall_ns));
		v->run[v->n] = rows_int(r, 0);
		v->wall_ns[v->n] = rows_int(r, 1);
		v->visit[v->n++] = (struct stat_visit){ .at_s = (double)rows_int(r, 1) / 1e9,
			                                .rate = rows_real(r, 2) };
	}
	return rc;
}

/* Once for each run and code. */
static int tell(struct session *s, int64_t run, const char *code, const char *text,
                struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	char safe[700];
	int rc =
	    rows_open(&r, s->store, "SELECT 1 FROM event WHERE run_id = ? AND code = ?", e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, run);
	rows_bind_text(r, 2, code);
	rc = rows_next(r, e);
	if (rc)
		return rc < 0 ? rc : 0;
	if (!s->options->quiet && !strcmp(code, "drift")) {
		text_printable(safe, sizeof(safe), text);
		progress_clear(&s->progress);
		(void)fprintf(stderr, "warning: %s\n", safe);
	}
	return store_event(s->store, run, strcmp(code, "back") ? "warning" : "info", code, text,
	                   e);
}

struct block {
	const struct plan_row *cell;
	struct visits v;
};

static int doubt(struct session *s, const struct block *b, int64_t after, int64_t before,
                 const char *text, struct err *e)
{
	struct store_span span = { .filename = b->cell->filename,
		                   .rw = rw_name(b->cell->job.rw),
		                   .after = after,
		                   .before = before };
	char why[640];
	int r;

	(void)snprintf(why, sizeof(why), "drift: %s", text);
	r = store_add_flag(s->store, &span, FLAG_BIT(drift), why, e);
	if (r > 0)
		session_count_doubted(s);
	return r < 0 ? r : 0;
}

/* Runs i to end - 1 are away; the step lies between run i - 1 and run i. */
static int tell_step(struct session *s, const struct block *b, unsigned i, unsigned end,
                     struct err *e)
{
	const struct visits *v = &b->v;
	double usual = v->visit[i].usual, rate = v->visit[i].rate;
	char from[40], to[40], safe[256], text[600];
	int r;

	text_printable(safe, sizeof(safe), b->cell->filename);
	(void)snprintf(
	    text, sizeof(text),
	    "%s of %s changed between %s and %s: the sentinel %s went from %.0f to %.0f IOPS "
	    "(%+.1f %%); rows after that are in doubt",
	    rw_name(b->cell->job.rw), safe, clock_local(from, sizeof(from), v->wall_ns[i - 1]),
	    clock_local(to, sizeof(to), v->wall_ns[i]), b->cell->label, usual, rate,
	    100 * (rate / usual - 1));
	r = tell(s, v->run[i], "drift", text, e);
	if (!r)
		r = doubt(s, b, v->run[i - 1], end < v->n ? v->run[end] : INT64_MAX, text, e);
	if (r || end == v->n)
		return r;
	(void)snprintf(
	    text, sizeof(text), "%s of %s is back at %s: the sentinel %s gave %.0f IOPS",
	    rw_name(b->cell->job.rw), safe, clock_local(to, sizeof(to), v->wall_ns[end]),
	    b->cell->label, v->visit[end].rate);
	return tell(s, v->run[end], "back", text, e);
}

static int tell_trend(struct session *s, const struct block *b, const struct stat_trend *t,
                      struct err *e)
{
	const struct visits *v = &b->v;
	char from[40], to[40], safe[256], text[600];
	int r;

	text_printable(safe, sizeof(safe), b->cell->filename);
	(void)snprintf(text, sizeof(text),
	               "%s of %s %s by %.1f %% from %s to %s, bit by bit, by its sentinel %s; "
	               "rows more than "
	               "3 %% off the start are in doubt",
	               rw_name(b->cell->job.rw), safe, t->rise < 0 ? "fell" : "rose",
	               100 * fabs(t->rise), clock_local(from, sizeof(from), v->wall_ns[0]),
	               clock_local(to, sizeof(to), v->wall_ns[v->n - 1]), b->cell->label);
	r = tell(s, v->run[0], "drift", text, e);
	return r ? r : doubt(s, b, v->run[t->from - 1], INT64_MAX, text, e);
}

static int look_at(struct session *s, struct block *b, struct err *e)
{
	struct visits *v = &b->v;
	struct stat_trend trend;
	int r = load(v, s, b->cell, e);

	if (r || !v->n)
		return r;
	(void)stat_visits(v->visit, v->n);
	for (unsigned i = 1, end; i < v->n && !r; i = end + 1) {
		for (end = i; end < v->n && v->visit[end].away;)
			end++;
		if (end > i)
			r = tell_step(s, b, i, end, e);
	}
	stat_trend(&trend, v->visit, v->n);
	return r || !trend.found ? r : tell_trend(s, b, &trend, e);
}

int night_look(struct session *s, struct err *e)
{
	const struct plan *p = s->prepared->plan;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	int r = 0;

	for (size_t i = 0; i < p->blocks && !r; i++) {
		struct block b = { .cell = row };

		plan_cell(p, p->block[i].cell, row);
		r = look_at(s, &b, e);
		visits_fini(&b.v);
	}
	return r;
}

/* --- the spread of repeats --- */

struct spread { /* of one block */
	char *filename, *rw;
	double sum; /* of squared relative deviations, over combinations */
	unsigned df;
};

struct spreads {
	struct spread *block;
	size_t n;
	double *rate; /* of the combination at hand */
	unsigned rates;
};

static void close_combination(struct spreads *p)
{
	struct spread *b = &p->block[p->n - 1];
	double spread;

	if (p->rates > 1) {
		spread = stat_run_spread(p->rate, p->rates);
		b->sum += spread * spread * (p->rates - 1);
		b->df += p->rates - 1;
	}
	p->rates = 0;
}

static bool same_block(const struct spreads *p, const struct rows *r)
{
	const struct spread *b = &p->block[p->n - 1];

	return !strcmp(b->filename, rows_text(r, 0)) && !strcmp(b->rw, rows_text(r, 1));
}

static void add_rate(struct spreads *p, const struct rows *r, bool first)
{
	if (p->n && first)
		close_combination(p);
	if (!p->n || !same_block(p, r)) {
		p->block = xrealloc(p->block, p->n + 1, sizeof(*p->block));
		p->block[p->n++] = (struct spread){ .filename = xstrdup(rows_text(r, 0)),
			                            .rw = xstrdup(rows_text(r, 1)) };
	}
	p->rate = xrealloc(p->rate, p->rates + 1, sizeof(*p->rate));
	p->rate[p->rates++] = rows_real(r, 3);
}

/* Two runs of the same, at least; a combination's lie together, a block's as well. Runs on a
 * device that had changed meanwhile say nothing of how others differ. */
static const char repeats_sql[] =
    "WITH same AS (SELECT * FROM run WHERE purpose IN ('grid', 'sentinel') AND status = 'ok' "
    "AND "
    "run_iops > 0 AND environment_id > 0 AND NOT flags & ?1) SELECT c.filename, c.rw, "
    "r.combination_id, r.run_iops FROM same r JOIN combination c ON c.id = r.combination_id "
    "WHERE "
    "r.combination_id IN (SELECT combination_id FROM same GROUP BY combination_id HAVING "
    "count(*) > 1) "
    "ORDER BY c.filename, c.rw, r.combination_id, r.id";

static int load_spreads(struct spreads *p, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int64_t combination = 0;
	int rc = rows_open(&r, s, repeats_sql, e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, FLAG_BIT(drift));
	while ((rc = rows_next(r, e)) == 1) {
		add_rate(p, r, combination != rows_int(r, 2));
		combination = rows_int(r, 2);
	}
	if (p->n)
		close_combination(p);
	return rc;
}

int night_spread(struct session *s, struct err *e)
{
	struct spreads p = { 0 };
	int r = load_spreads(&p, s->store, e);

	for (size_t i = 0; i < p.n; i++) {
		struct spread *b = &p.block[i];

		struct store_spread known = { .filename = b->filename,
			                      .rw = b->rw,
			                      .n = b->df + 1 };

		if (!r && known.n >= SPREAD_RUNS) {
			known.sd = sqrt(b->sum / b->df);
			r = store_set_spread(s->store, &known, e);
		}
		free(b->filename);
		free(b->rw);
	}
	free(p.block);
	free(p.rate);
	return r;
}
