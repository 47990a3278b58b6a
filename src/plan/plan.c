#include "plan/plan.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "plan/cells.h"
#include "plan/effective.h"
#include "plan/enumerate.h"
#include "plan/order.h"
#include "plan/rules.h"
#include "plan/where.h"

/* --- the spaces: counted before anything is enumerated --- */

static uint64_t add_saturate(uint64_t a, uint64_t b, bool *overflow)
{
	uint64_t r;

	if (!__builtin_add_overflow(a, b, &r))
		return r;
	*overflow = true;
	return UINT64_MAX;
}

static void count_product(struct plan *p)
{
	struct plan_order *o = p->order;
	bool ignored = false;

	o->spaces = p->sweep->includes + 1;
	o->space = xcalloc(o->spaces, sizeof(*o->space));
	o->first = xcalloc(o->spaces + 1, sizeof(*o->first));
	for (size_t s = 0; s < o->spaces; s++) {
		space_init(&o->space[s], p->sweep, s ? &p->sweep->include[s - 1] : NULL);
		if (!s && !p->sweep->base_product)
			o->space[s] = (struct space){ 0 };
		o->first[s + 1] = add_saturate(o->first[s], o->space[s].count, &ignored);
		p->product = add_saturate(p->product, o->space[s].raw, &p->product_overflow);
		p->product_overflow |= o->space[s].overflow;
	}
}

/* Too many to look at one by one: time by arithmetic, nothing else. */
static void estimate_product(struct plan *p)
{
	for (size_t s = p->sweep->base_product ? 0 : 1; s < p->order->spaces; s++) {
		struct space_time t = space_time(&p->order->space[s], p->sweep->pause_ns);

		p->estimate_s += t.all_s * (double)p->sweep->repeats;
		p->write_s += t.write_s * (double)p->sweep->repeats;
		p->unbounded |= t.unbounded;
	}
	p->expected_s = p->estimate_s;
}

/* --- what the combinations come to --- */

struct found { /* one combination, decoded and judged */
	struct job job;
	struct key_raw raw;
	const char *label;
	int rule;
	struct rule_case c; /* of several targets the one that decides ... */
	struct job on;      /* ... and the job as it is there */
};

static uint64_t size_of(const struct plan *p, const struct job *job, uint64_t raw_size,
                        size_t target)
{
	struct job raw;

	if (target_members(&p->world->target[job->filename]) == 1)
		return job->size;
	raw = *job;
	raw.size = raw_size;
	return size_on(&p->world->target[target], &raw);
}

static struct rule_case case_on(const struct plan *p, const struct job *job, size_t target)
{
	return (struct rule_case){
		.world = p->world,
		.target = &p->world->target[target],
		.targets = target_members(&p->world->target[job->filename]),
		.job = job,
		.filename = p->sweep->target.item[target],
		.sweep = p->sweep,
	};
}

/* The first target on which the first of all broken rules is broken decides. */
static void judge_all(const struct plan *p, struct found *f)
{
	const unsigned n = target_members(&p->world->target[f->job.filename]);

	for (unsigned k = 0; k < n; k++) {
		size_t target = world_member(p->world, f->job.filename, k);
		struct job on = f->job;
		struct rule_case c = case_on(p, &on, target);
		int rule;

		on.size = size_of(p, &f->job, f->raw.size, target);
		rule = rule_find(&c);
		if (k && (rule == RULE_NONE || (f->rule != RULE_NONE && f->rule <= rule)))
			continue;
		f->rule = rule;
		f->on = on;
		f->c = c;
		f->c.job = &f->on;
	}
}

static void find(const struct plan *p, uint64_t combination, struct found *f)
{
	f->label = order_decode(p->order, p->order->index[combination], &f->job, NULL)->label;
	f->raw = (struct key_raw){ f->job.size, f->job.offset };
	job_resolve(p->world, p->sweep, &f->job);
	job_collapse(p->world, &f->job);
	if (p->world->target[f->job.filename].kind == TARGET_SET) {
		judge_all(p, f);
		return;
	}
	f->c = case_on(p, &f->job, f->job.filename);
	f->rule = rule_find(&f->c);
}

/* What a combination asks of one of its targets. */
static void add_need(struct plan *p, const struct found *f, size_t target)
{
	bool directory = p->world->target[target].kind == TARGET_DIRECTORY;
	struct plan_need *n = &p->need[target];
	const struct job *job = f->c.job;
	uint64_t end, files = directory ? job->numjobs : 1;
	struct job on = *job;

	on.size = size_of(p, &f->job, f->raw.size, target);
	end = region_end(&on);

	n->used = true;
	n->reads |= rw_reads(job->rw);
	n->writes |= rw_writes(job->rw);
	n->direct |= job->direct != 0;
	n->buffered |= !job->direct;
	n->size_bytes = end > n->size_bytes ? end : n->size_bytes;
	n->files = files > n->files ? files : n->files;
	if (rw_writes_data(job->rw))
		n->write_ns += job_ns(job) * p->sweep->repeats;
}

struct tally {
	uint64_t *by_rule, *first; /* combinations that break each rule, and the first of them */
	uint64_t jobs;             /* most of one row */
	unsigned __int128 all_ns, write_ns, absent_ns, simulated_ns, expected_ns;
};

static void tally_one(struct plan *p, uint64_t combination, struct tally *t)
{
	bool absent = false;
	struct found f;
	uint64_t ns, jobs;

	find(p, combination, &f);
	if (f.rule != RULE_NONE) {
		if (!t->by_rule[f.rule]++)
			t->first[f.rule] = combination;
		p->skipped++;
		p->skipped_by_machine += rule_by_machine(f.rule);
		absent = rule_target_absent(f.rule);
		if (!absent)
			return;
	} else if (job_has_target(&f.job)) {
		for (unsigned k = 0; k < f.c.targets; k++)
			add_need(p, &f, world_member(p->world, f.job.filename, k));
	}
	jobs = f.job.numjobs * f.c.targets;
	t->jobs = jobs > t->jobs ? jobs : t->jobs;
	ns = job_ns(&f.job);
	p->unbounded |= f.job.runtime == AXIS_UNSET;
	if (ns)
		ns += job_idle_ns(p->sweep, &f.job);
	t->all_ns += (unsigned __int128)ns * p->sweep->repeats;
	t->expected_ns += (unsigned __int128)job_expected_ns(p->sweep, &f.job) * p->sweep->repeats;
	if (absent)
		t->absent_ns += (unsigned __int128)ns * p->sweep->repeats;
	if (job_simulated(&f.job))
		t->simulated_ns += (unsigned __int128)ns * p->sweep->repeats;
	else if (rw_writes_data(f.job.rw))
		t->write_ns += (unsigned __int128)ns * p->sweep->repeats;
}

static void tell_jobs(struct plan *p, uint64_t most)
{
	unsigned cpus = p->world->limits.cpus;

	if (cpus && most > cpus)
		strlist_addf(&p->notes,
		             "up to %" PRIu64 " jobs share %u CPU%s: they take turns, and "
		             "latencies count the wait for a CPU",
		             most, cpus, cpus > 1 ? "s" : "");
}

static void tally(struct plan *p)
{
	size_t rules = (size_t)rule_count();
	struct tally t = { .by_rule = xcalloc(rules, sizeof(*t.by_rule)),
		           .first = xcalloc(rules, sizeof(*t.first)) };

	for (uint64_t i = 0; i < p->combinations; i++)
		tally_one(p, i, &t);
	p->reason = xcalloc(rules, sizeof(*p->reason));
	for (int r = 0; r < rule_count(); r++)
		if (t.by_rule[r])
			p->reason[p->reasons++] =
			    (struct plan_reason){ .reason = rule_reason(r),
				                  .by_machine = rule_by_machine(r),
				                  .count = t.by_rule[r],
				                  .first = t.first[r] };
	p->estimate_s = (double)t.all_ns / 1e9;
	p->write_s = (double)t.write_ns / 1e9;
	p->absent_s = (double)t.absent_ns / 1e9;
	p->simulated_s = (double)t.simulated_ns / 1e9;
	p->expected_s = (double)t.expected_ns / 1e9;
	tell_jobs(p, t.jobs);
	free(t.by_rule);
	free(t.first);
}

static void tell_engine(struct plan *p)
{
	uint64_t id = engine_default(p->world);
	bool open = false;

	for (size_t s = p->sweep->base_product ? 0 : 1; s < p->order->spaces; s++)
		open |= p->order->space[s].val[AXIS_ioengine][0] == AXIS_UNSET;
	if (open)
		strlist_addf(
		    &p->notes,
		    "ioengine is not given: %s, the first usable of io_uring, libaio, psync",
		    engine_name(id));
}

static int build(struct plan *p, uint64_t max, struct err *e)
{
	struct where *where = NULL;
	int r = 0;

	count_product(p);
	if (p->sweep->where)
		r = where_new(&where, p->sweep, e);
	if (r)
		return r;
	tell_engine(p);
	/* Combinations are numbered in 32 bits, whatever is allowed. */
	if (p->order->first[p->order->spaces] > max ||
	    p->order->first[p->order->spaces] >= UINT32_MAX) {
		estimate_product(p);
	} else {
		p->enumerated = true;
		r = plan_enumerate(p, where, e);
	}
	where_free(where);
	if (r || !p->enumerated)
		return r;
	order_build(p->order);
	tally(p);
	plan_cells(p);
	if (__builtin_mul_overflow(p->combinations, p->sweep->repeats, &p->runs))
		r = err_set(e, -EINVAL,
		            "too many runs: %" PRIu64 " combinations x %" PRIu64 " repeats",
		            p->combinations, p->sweep->repeats);
	return r;
}

int plan_new(struct plan **out, const struct sweep *sweep, const struct world *world,
             uint64_t max, struct err *e)
{
	struct plan *p = xcalloc(1, sizeof(*p));
	int r;

	assert(world->targets == sweep->target.len);
	p->sweep = sweep;
	p->world = world;
	p->need = xcalloc(world->targets, sizeof(*p->need));
	p->order = xcalloc(1, sizeof(*p->order));
	p->order->targets = world->targets;
	p->order->repeats = sweep->repeats;
	p->order->seed = sweep->seed;
	p->order->order = sweep->order;
	r = build(p, max, e);
	if (r) {
		plan_free(p);
		return r;
	}
	*out = p;
	return 0;
}

void plan_free(struct plan *p)
{
	if (!p)
		return;
	free(p->order->space);
	free(p->order->first);
	free(p->order->index);
	free(p->order->run);
	free(p->order->target_first);
	free(p->order);
	free(p->need);
	free(p->block);
	free(p->class);
	free(p->reason);
	strlist_fini(&p->notes);
	strlist_fini(&p->warnings);
	free(p);
}

/* --- one row --- */

static void label_row(struct plan_row *row, const char *name)
{
	char bs[32];

	if (name)
		(void)snprintf(row->label, sizeof(row->label), "%s", name);
	else
		(void)snprintf(row->label, sizeof(row->label), "%s_%s_%" PRIu64 "_%" PRIu64,
		               rw_name(row->job.rw), print_size(bs, sizeof(bs), row->job.bs),
		               row->job.numjobs, row->job.iodepth);
}

static void key_row(struct plan_row *row, const struct key_raw *raw)
{
	AUTO(text_fini) struct text t = { 0 };

	key_text(&row->job, raw, &row->text, &t);
	assert(t.len < sizeof(row->key_text)); /* cut, it could be that of another row */
	memcpy(row->key_text, text_get(&t), t.len + 1);
	key_hash(row->key_text, &row->key);
}

/* out->combination and repeat are set. runtime_ns 0: the combination's own. */
static void fill_row(const struct plan *p, struct plan_row *out, uint64_t runtime_ns)
{
	struct found f;

	find(p, out->combination, &f);
	if (runtime_ns) {
		f.job.runtime = runtime_ns;
		f.job.ramp_time = 0;
	}
	out->filename = sweep_target(p->sweep, &f.job);
	out->raw_size = f.raw.size;
	rule_explain(f.rule, &f.c, &out->skip);
	out->job = f.job;
	if (!size_known(&f.job))
		out->job.size = AXIS_UNSET;
	if (!offset_known(&f.job))
		out->job.offset = 0;
	out->text = sweep_job_text(p->sweep, &f.job);
	key_row(out, &f.raw);
	label_row(out, f.label);
}

void plan_row(const struct plan *p, uint64_t i, struct plan_row *out)
{
	assert(p->enumerated && i < p->runs);
	order_at(p->order, i, &out->combination, &out->repeat);
	fill_row(p, out, 0);
}

bool plan_runs(const struct plan *p, uint64_t combination, struct job *job)
{
	struct found f;

	find(p, combination, &f);
	*job = f.job;
	return f.rule == RULE_NONE;
}

void plan_cell(const struct plan *p, uint64_t combination, struct plan_row *out)
{
	plan_long_cell(p, combination, 0, out);
}

void plan_long_cell(const struct plan *p, uint64_t combination, uint64_t runtime_ns,
                    struct plan_row *out)
{
	out->combination = combination;
	out->repeat = 1;
	fill_row(p, out, runtime_ns);
}

void plan_row_of(const struct plan *p, const struct job *job, uint64_t repeat,
                 struct plan_row *out)
{
	*out = (struct plan_row){ .repeat = repeat,
		                  .job = *job,
		                  .raw_size = job->size,
		                  .filename = sweep_target(p->sweep, job),
		                  .text = sweep_job_text(p->sweep, job) };
	key_row(out, &(struct key_raw){ job->size, job->offset });
	label_row(out, NULL);
}

void plan_example(const struct plan *p, size_t r, struct plan_row *out)
{
	assert(r < p->reasons);
	out->combination = p->reason[r].first;
	out->repeat = 1;
	fill_row(p, out, 0);
}

uint64_t plan_row_size(const struct plan *p, const struct plan_row *row, size_t target)
{
	return size_of(p, &row->job, row->raw_size, target);
}

uint64_t plan_row_ns(const struct plan *p, const struct plan_row *row)
{
	uint64_t ns = row->skip.skipped ? 0 : job_ns(&row->job);

	if (ns && job_simulated(&row->job))
		return MSEC;
	return ns ? ns + job_idle_ns(p->sweep, &row->job) : 0;
}
