#include "plan/enumerate.h"

#include <stdlib.h>
#include <string.h>

#include "plan/effective.h"
#include "plan/merge.h"
#include "plan/order.h"
#include "plan/seen.h"

struct enumeration {
	struct plan *plan;
	struct where *where;
	bool *exclude_matched;
	struct seen seen;
	struct merges merges;
	size_t cap;                          /* of order->index */
	struct job raw, resolved, effective; /* the combination in hand */
	struct job kept_raw, kept;           /* the one it fell together with, raw and resolved */
};

static bool has_value(const struct axis_values *v, uint64_t a, uint64_t b)
{
	for (size_t i = 0; i < v->len; i++)
		if (v->val[i] == a || v->val[i] == b)
			return true;
	return false;
}

/* A value counts as configured and as what it comes to: `size` by its percent or its bytes. */
static bool partial_matches(const struct partial *x, const struct enumeration *en)
{
	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (x->axis[a].len && !has_value(&x->axis[a], axis_value(&axes[a], &en->raw),
		                                 axis_value(&axes[a], &en->resolved)))
			return false;
	return true;
}

/* 1: excluded, 0: stays, -errno: the where expression failed. */
static int excluded(struct enumeration *en, struct err *e)
{
	const struct sweep *sweep = en->plan->sweep;
	bool out = false;
	int r;

	for (size_t i = 0; i < sweep->excludes; i++)
		if (partial_matches(&sweep->exclude[i], en))
			out = en->exclude_matched[i] = true;
	if (out || !en->where)
		return out;
	r = where_match(en->where, &en->resolved, e);
	return r < 0 ? r : !r;
}

static bool same_values(void *arg, uint64_t combination)
{
	struct enumeration *en = arg;
	const struct plan *p = en->plan;
	struct job effective;

	(void)order_decode(p->order, p->order->index[combination], &en->kept_raw, NULL);
	en->kept = en->kept_raw;
	job_resolve(p->world, p->sweep, &en->kept);
	effective = en->kept;
	job_collapse(p->world, &effective);
	/* of targets of different sizes only the smallest one's is in it */
	if (target_members(&p->world->target[effective.filename]) > 1 &&
	    en->kept_raw.size != en->raw.size)
		return false;
	return !memcmp(&effective, &en->effective, sizeof(effective));
}

/* A size differs as it was written: 50% and the bytes it comes to are two values, and so are two
 * bs that give way to the same bssplit. */
static void as_written(struct job *job, const struct job *raw)
{
	job->size = raw->size;
	job->offset = raw->offset;
	job->bs = raw->bs;
}

static void add_combination(struct enumeration *en, uint64_t number, const char *label)
{
	struct plan_order *o = en->plan->order;
	struct job kept;
	int64_t there;

	there =
	    seen_add(&en->seen, seen_hash(&en->effective), o->combinations, same_values, en);
	if (there < 0) {
		if (o->combinations == en->cap) {
			en->cap = en->cap ? en->cap * 2 : 1024;
			o->index = xrealloc(o->index, en->cap, sizeof(*o->index));
		}
		o->index[o->combinations++] = number;
		return;
	}
	as_written(&en->kept, &en->kept_raw);
	as_written(&en->resolved, &en->raw);
	merges_add(&en->merges, &en->kept, &en->resolved);
	if (label && !order_decode(o, o->index[there], &kept, NULL)->label)
		o->index[there] = number; /* an entry with a name gives it to its equal */
}

static int enumerate_space(struct enumeration *en, size_t s, struct err *e)
{
	const struct plan_order *o = en->plan->order;
	const struct space *space = &o->space[s];

	for (uint64_t i = 0; i < space->count; i++) {
		int r;

		space_decode(space, i, &en->raw, NULL);
		en->resolved = en->raw;
		job_resolve(en->plan->world, en->plan->sweep, &en->resolved);
		r = s ? 0 : excluded(en, e); /* entries of include are not filtered */
		if (r < 0)
			return r;
		if (r) {
			en->plan->excluded++;
			continue;
		}
		en->effective = en->resolved;
		job_collapse(en->plan->world, &en->effective);
		add_combination(en, o->first[s] + i, space->label);
	}
	return 0;
}

static void tell_unmatched(const struct enumeration *en)
{
	const struct sweep *sweep = en->plan->sweep;

	for (size_t i = 0; i < sweep->excludes; i++)
		if (!en->exclude_matched[i])
			strlist_addf(&en->plan->warnings,
			             "exclude %s matches no combination",
			             sweep->exclude[i].text ? sweep->exclude[i].text : "entry");
}

int plan_enumerate(struct plan *p, struct where *where, struct err *e)
{
	struct enumeration en = { .plan = p, .where = where };
	uint64_t distinct = p->order->first[p->order->spaces];
	int r = 0;

	en.exclude_matched = xcalloc(p->sweep->excludes, sizeof(bool));
	for (size_t s = 0; !r && s < p->order->spaces; s++)
		r = enumerate_space(&en, s, e);
	if (!r) {
		merges_tell(&en.merges, p->product - distinct, &p->notes);
		tell_unmatched(&en);
		p->combinations = p->order->combinations;
		p->merged = p->product - p->excluded - p->combinations;
	}
	seen_fini(&en.seen);
	free(en.exclude_matched);
	return r;
}
