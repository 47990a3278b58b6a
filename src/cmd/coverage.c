#include "cmd/coverage.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cmd/precondition.h"

static struct coverage_part *part_of(struct coverage *c, const struct job *job)
{
	for (size_t i = 0; i < c->parts; i++)
		if (c->part[i].target == job->filename && c->part[i].rw == job->rw)
			return &c->part[i];
	c->part = xrealloc(c->part, c->parts + 1, sizeof(*c->part));
	c->part[c->parts] = (struct coverage_part){ .target = job->filename, .rw = job->rw };
	return &c->part[c->parts++];
}

struct walk {
	const struct prepared *p;
	struct costs costs;
	bool *made;    /* targets */
	uint8_t *seen; /* combinations: 1 one run, 2 one in time */
	uint64_t spent_ns, left_ns;
	bool over;
};

/* What must be done before the first run on a target. */
static uint64_t first_ns(const struct walk *w, uint64_t target)
{
	double bytes, s = 0;

	if (w->p->world.target[target].kind != TARGET_SIMULATED)
		s = precondition_seconds(w->p, target, &bytes);
	return costs_layout_ns(&w->costs, w->p->layout_of[target]) + costs_ns(s);
}

/* Does the row still fit? As the sweep itself would decide. */
static bool fits(struct walk *w, const struct plan_row *row)
{
	const struct world *world = &w->p->world;
	const bool needs = !(engine_ops(row->job.ioengine)->caps & ENGINE_NO_TARGET);
	const unsigned n = needs ? target_members(&world->target[row->job.filename]) : 0;
	uint64_t first = 0;

	for (unsigned k = 0; k < n; k++) {
		size_t target = world_member(world, row->job.filename, k);

		first += w->made[target] ? 0 : first_ns(w, target);
	}
	if (w->over ||
	    w->spent_ns + first + costs_row_ns(&w->costs, w->p->plan, row) > w->left_ns) {
		w->over = true;
		return false;
	}
	for (unsigned k = 0; k < n; k++)
		w->made[world_member(world, row->job.filename, k)] = true;
	w->spent_ns += first + plan_row_ns(w->p->plan, row);
	return true;
}

static void take(struct coverage *c, struct walk *w, const struct plan_row *row)
{
	struct coverage_part *part = part_of(c, &row->job);
	uint8_t *seen = &w->seen[row->combination];

	c->runs++;
	part->runs++;
	c->combinations += !*seen;
	*seen |= 1;
	if (!fits(w, row))
		return;
	c->covered++;
	part->covered++;
	c->touched += !(*seen & 2);
	*seen |= 2;
}

void coverage_find(struct coverage *c, const struct prepared *p, const struct deadline *d)
{
	const struct plan *plan = p->plan;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	AUTO(freep) bool *made = xcalloc(p->world.targets + 1, sizeof(*made));
	AUTO(freep) uint8_t *seen = xcalloc(plan->combinations + 1, 1);
	struct walk w = { .p = p, .made = made, .seen = seen, .left_ns = deadline_left_ns(d) };

	*c = (struct coverage){ .until_wall_ns = clock_wall_ns() + (int64_t)w.left_ns };
	for (uint64_t i = 0; i < plan->runs; i++) {
		plan_row(plan, i, row);
		if (!row->skip.skipped)
			take(c, &w, row);
	}
}

void coverage_fini(struct coverage *c)
{
	free(c->part);
	*c = (struct coverage){ 0 };
}
