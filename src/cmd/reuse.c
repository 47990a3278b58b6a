#include "cmd/reuse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "host/facts.h"
#include "sink/store_reuse.h"

struct candidate {
	uint8_t key[KEY_BYTES];
	uint64_t repeat;
	int64_t run_id;
};

struct reuse {
	struct store *store;
	const char *path;
	struct candidate *candidate; /* ok, of this host; sorted */
	size_t candidates;
	bool *same; /* targets of the new sweep */
};

static int compare(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int d = memcmp(x->key, y->key, KEY_BYTES);

	if (d)
		return d;
	return x->repeat < y->repeat ? -1 : x->repeat > y->repeat;
}

/* Bare columns beside max() come from the row that has the maximum: SQLite's documented rule.
 */
static const char candidates_sql[] =
    "SELECT c.key, r.repeat, r.id, max(r.attempt), r.status, e.host FROM run r "
    "JOIN combination c ON c.id = r.combination_id JOIN environment e ON e.id = "
    "r.environment_id "
    "WHERE r.purpose = 'grid' AND r.status <> 'running' GROUP BY r.combination_id, r.repeat";

static int read_candidates(struct reuse *u, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	char host[256];
	int rc = rows_open(&r, u->store, candidates_sql, e);

	(void)facts_host(host, sizeof(host));
	while (!rc && (rc = rows_next(r, e)) == 1) {
		struct candidate c = { .repeat = (uint64_t)rows_int(r, 1),
			               .run_id = rows_int(r, 2) };
		size_t size;
		const void *key = rows_blob(r, 0, &size);

		rc = 0;
		if (size != KEY_BYTES || strcmp(rows_text(r, 4), status_name(STATUS_OK)) != 0 ||
		    strcmp(rows_text(r, 5), host) != 0)
			continue;
		memcpy(c.key, key, KEY_BYTES);
		if ((u->candidates & (u->candidates + 1)) == 0) /* grow at 0, 1, 3, 7, ... */
			u->candidate = xrealloc(u->candidate, 2 * (u->candidates + 1),
			                        sizeof(*u->candidate));
		u->candidate[u->candidates++] = c;
	}
	if (u->candidates)
		qsort(u->candidate, u->candidates, sizeof(*u->candidate), compare);
	return rc;
}

/* Only what can have been measured stays. */
static int keep_sound(struct reuse *u, bool quiet, struct err *e)
{
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; i < u->candidates; i++) {
		r = store_reuse_sound(u->store, u->candidate[i].run_id, e);
		if (r < 0)
			return r;
		if (r)
			u->candidate[n++] = u->candidate[i];
	}
	if (n < u->candidates && !quiet)
		(void)fprintf(stderr,
		              "note: %s: the numbers of %zu runs cannot have been measured: "
		              "measured anew\n",
		              u->path, u->candidates - n);
	u->candidates = n;
	return 0;
}

static bool made(const struct target_info *t)
{
	return t->ours || t->kind == TARGET_MISSING;
}

/* Files of ours come and go: the same name on the same file system is the same target. */
static bool same_target(const struct target_info *a, const struct target_info *b)
{
	if (strcmp(a->serial, b->serial) != 0 || strcmp(a->wwn, b->wwn) != 0 ||
	    strcmp(a->path, b->path) != 0 || made(a) != made(b))
		return false;
	if (made(a))
		return a->dev == b->dev;
	if (a->kind != b->kind || a->kind == TARGET_UNUSABLE || a->kind == TARGET_SIMULATED)
		return false;
	if (a->kind == TARGET_BLOCK)
		return a->size_bytes == b->size_bytes && !strcmp(a->device, b->device);
	return a->dev == b->dev && a->ino == b->ino &&
	       (a->kind == TARGET_DIRECTORY || a->size_bytes == b->size_bytes);
}

static void compare_targets(struct reuse *u, const struct session *s)
{
	AUTO(freep) struct target_info *then = xcalloc(1, sizeof(*then));
	const struct world *w = &s->prepared->world;

	u->same = xcalloc(w->targets + 1, sizeof(*u->same));
	for (size_t i = 0; i < w->targets; i++) {
		if (w->target[i].kind == TARGET_SET)
			continue;
		if (store_get_target(u->store, w->target[i].filename, then, NULL))
			continue; /* was no target then */
		u->same[i] = same_target(then, &w->target[i]);
		if (!u->same[i] && !s->options->quiet)
			(void)fprintf(
			    stderr, "note: %s is not the same target as in %s: measured anew\n",
			    w->target[i].filename, u->path);
	}
}

int reuse_open(struct reuse **out, const struct session *s)
{
	struct reuse *u;
	struct err e = { 0 };
	int r;

	*out = NULL;
	if (!s->options->reuse)
		return EXIT_OK;
	u = xcalloc(1, sizeof(*u));
	u->path = s->options->reuse;
	r = store_open(&u->store, u->path, &e);
	if (!r)
		r = store_quick_check(u->store, &e);
	if (!r)
		r = read_candidates(u, &e);
	if (!r)
		r = keep_sound(u, s->options->quiet, &e);
	if (!r) {
		compare_targets(u, s);
		*out = u;
		return EXIT_OK;
	}
	complain("--reuse: %s", e.text);
	reuse_close(u);
	return EXIT_INPUT;
}

/* All targets of the row? */
static bool all_same(const struct reuse *u, const struct world *w, const struct plan_row *row)
{
	for (unsigned k = 0; k < target_members(&w->target[row->job.filename]); k++)
		if (!u->same[world_member(w, row->job.filename, k)])
			return false;
	return true;
}

static const struct candidate *find(const struct reuse *u, const struct world *w,
                                    const struct plan_row *row)
{
	struct candidate want = { .repeat = row->repeat };
	const bool null = row->job.ioengine == ENGINE_NULL;

	if (row->skip.skipped || !u->candidates || (!null && !all_same(u, w, row)))
		return NULL;
	memcpy(want.key, row->key.bytes, KEY_BYTES);
	return bsearch(&want, u->candidate, u->candidates, sizeof(want), compare);
}

static int take_row(const struct reuse *u, struct session *s, struct store_reuse *copy,
                    const struct plan_row *row, struct err *e)
{
	const struct candidate *c = find(u, &s->prepared->world, row);
	struct record as = { .run_id = s->next_run,
		             .job = &row->job,
		             .key = &row->key,
		             .key_text = row->key_text,
		             .label = row->label,
		             .target = &s->target[row->job.filename].info,
		             .text = row->text,
		             .repeat = row->repeat,
		             .attempt = 1 };
	char text[600];
	int r;

	if (!c)
		return 0;
	r = store_reuse_run(copy, c->run_id, &as, e);
	if (r)
		return r;
	(void)snprintf(text, sizeof(text), "taken over from run %" PRId64 " of %.500s",
	               c->run_id, u->path);
	s->state = xrealloc(s->state, s->states + 1, sizeof(*s->state));
	s->state[s->states] = (struct store_state){
		.repeat = row->repeat, .attempt = 1, .status = STATUS_OK, .run_id = s->next_run
	};
	memcpy(s->state[s->states++].key, row->key.bytes, KEY_BYTES);
	return store_event(s->store, s->next_run++, "info", "reuse", text, e);
}

int reuse_take(struct reuse *u, struct session *s, struct err *e)
{
	const struct plan *p = s->prepared->plan;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	struct store_reuse *copy = NULL;
	char text[600];
	int r = store_reuse_begin(&copy, s->store, u->store, e);

	for (uint64_t i = 0; i < p->runs && !r; i++) {
		plan_row(p, i, row);
		r = take_row(u, s, copy, row, e);
	}
	(void)snprintf(text, sizeof(text),
	               "%zu of %" PRIu64 " runs taken over from %.300s (sweep %.40s)",
	               s->states, p->runs, u->path, store_get(u->store, "uuid"));
	if (!r)
		r = store_event(s->store, 0, "info", "reuse", text, e);
	r = store_reuse_end(copy, r, e);
	if (!r && !s->options->quiet)
		(void)fprintf(stderr, "%s\n", text);
	return r;
}

void reuse_close(struct reuse *u)
{
	if (!u)
		return;
	(void)store_close(u->store, NULL);
	free(u->candidate);
	free(u->same);
	free(u);
}
