#include "cmd/prepare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "cmd/precondition.h"
#include "host/facts.h"

void probe_engines(struct world *w)
{
	for (uint64_t i = 0; i < ENGINE_COUNT; i++) {
		struct engine_status *st = &w->engine[i];
		struct err e = { 0 };
		int r = engine_ops(i)->probe(&e);

		st->usable = r == 0;
		st->error = -r;
		text_printable(st->reason, sizeof(st->reason), e.text);
	}
}

static bool only_null(const struct axis_values *v)
{
	for (size_t i = 0; i < v->len; i++)
		if (v->val[i] == AXIS_UNSET ||
		    !(engine_ops(v->val[i])->caps & ENGINE_NO_TARGET))
			return false;
	return true;
}

/* Does any combination touch its target at all? */
static bool targets_needed(const struct sweep *s)
{
	if (s->base_product && !only_null(&s->axis[AXIS_ioengine]))
		return true;
	for (size_t i = 0; i < s->includes; i++) {
		const struct axis_values *own = &s->include[i].axis[AXIS_ioengine];

		if (!only_null(own->len ? own : &s->axis[AXIS_ioengine]))
			return true;
	}
	return false;
}

uint64_t prepared_patience(const struct sweep *s)
{
	return s->stall_timeout_ns < LOOK_MAX_NS ? s->stall_timeout_ns : LOOK_MAX_NS;
}

/* Nothing is looked at but its description. */
static void simulate_target(struct target_info *t, const char *filename, const struct sim_device *d)
{
	AUTO(freep) char *path = realpath(filename, NULL);

	*t = (struct target_info){ .kind = TARGET_SIMULATED,
		                   .size_bytes = d->size_bytes,
		                   .zero_pct = -1 };
	(void)snprintf(t->filename, sizeof(t->filename), "%s", filename);
	(void)snprintf(t->path, sizeof(t->path), "%s", path ? path : filename);
	(void)snprintf(t->device, sizeof(t->device), "simulated");
	(void)snprintf(t->serial, sizeof(t->serial), "%s", d->id);
}

/* What stands for several: its members are looked at themselves. */
static void set_target(struct world *w, const struct target_set *set, const char *filename)
{
	struct target_info *t = &w->target[set->target];
	const struct target_info *member[TARGETS_MAX];

	*t = (struct target_info){ .kind = TARGET_SET, .members = set->n, .zero_pct = -1 };
	(void)snprintf(t->filename, sizeof(t->filename), "%s", filename);
	for (unsigned i = 0; i < set->n; i++) {
		t->member[i] = set->member[i];
		member[i] = &w->target[set->member[i]];
	}
	target_join(t, member);
}

static void look_at_targets(struct prepared *p, target_hook *hook, void *arg)
{
	struct world *w = &p->world;
	bool needed = targets_needed(p->sweep);

	w->targets = p->sweep->target.len;
	w->target = xcalloc(w->targets, sizeof(*w->target));
	p->layout_of = xcalloc(w->targets, sizeof(*p->layout_of));
	for (size_t i = 0; i < w->targets; i++) {
		struct target_info *t = &w->target[i];

		if (sweep_set(p->sweep, i)) /* when its members are known */
			continue;
		if (sweep_sim(p->sweep, i)) {
			simulate_target(t, p->sweep->target.item[i], sweep_sim(p->sweep, i));
		} else if (needed) {
			target_look(t, p->sweep->target.item[i], prepared_patience(p->sweep));
		} else {
			t->kind = TARGET_NOT_NEEDED;
			(void)snprintf(t->filename, sizeof(t->filename), "%s",
			               p->sweep->target.item[i]);
		}
		if (hook)
			hook(arg, t);
	}
	for (size_t i = 0; i < p->sweep->sets; i++)
		set_target(w, &p->sweep->set[i], p->sweep->target.item[p->sweep->set[i].target]);
}

struct intent prepared_intent(const struct prepared *p, size_t target)
{
	const struct plan_need *n = &p->plan->need[target];

	return (struct intent){
		.reads = n->reads,
		.writes = n->writes,
		.fill = (p->sweep->fill || precondition_writes(p->sweep)) && n->used,
		.size_bytes = n->size_bytes,
		.files = n->files,
	};
}

static bool to_be_filled(const struct prepared *p, const struct target_info *t)
{
	return p->sweep->fill && (t->kind == TARGET_FILE || t->kind == TARGET_BLOCK);
}

static void check_target(struct prepared *p, size_t i)
{
	struct target_info *t = &p->world.target[i];
	const struct plan_need *need = &p->plan->need[i];
	struct intent want = prepared_intent(p, i);
	char size[32];

	if (!need->used || t->kind == TARGET_NOT_NEEDED || t->kind == TARGET_UNUSABLE ||
	    t->kind == TARGET_SIMULATED)
		return;
	guard_ask(t, &want, &p->consent, prepared_patience(p->sweep), &p->refusals, NULL);
	p->layout_of[i] = to_be_filled(p, t)
	                      ? t->size_bytes
	                      : target_look_layout(t, &want, prepared_patience(p->sweep));
	p->layout_bytes += p->layout_of[i];
	if (need->reads && (t->kind == TARGET_FILE || t->kind == TARGET_BLOCK) && !t->ours)
		target_look_written(t, need->size_bytes, p->sweep->seed,
		                    prepared_patience(p->sweep));
	if (!t->unwritten || to_be_filled(p, t) || precondition_fills(p))
		return;
	if (t->kind == TARGET_BLOCK)
		strlist_addf(&p->warnings,
		             "%s: %d %% of 256 sampled 4k blocks are all zero: reads of "
		             "unwritten blocks never reach the"
		             " medium; read rows carry the doubt `unwritten` until a fill",
		             t->filename, t->zero_pct);
	else
		strlist_addf(&p->warnings,
		             "%s: has holes or unwritten extents in its first %s: read rows "
		             "carry the doubt `unwritten`",
		             t->filename, print_bytes(size, sizeof(size), need->size_bytes));
}

/* Each row fits by the plan's rule; several targets on one file system have to fit together. */
static void check_space(struct prepared *p)
{
	const struct world *w = &p->world;
	AUTO(freep) uint64_t *bytes = xcalloc(w->targets, sizeof(*bytes));
	char need_text[32], free_text[32];

	for (size_t i = 0; i < w->targets; i++) {
		struct intent want = prepared_intent(p, i);

		if (p->plan->need[i].used)
			bytes[i] = target_look_layout(&w->target[i], &want,
			                              prepared_patience(p->sweep));
	}
	for (size_t i = 0; i < w->targets; i++) {
		const struct target_info *t = &w->target[i];
		uint64_t need = 0;
		bool first = true;

		for (size_t k = 0; k < w->targets; k++) {
			if (w->target[k].dev != t->dev || w->target[k].kind == TARGET_BLOCK ||
			    !p->plan->need[k].used)
				continue;
			first = first && k >= i;
			need += bytes[k];
		}
		if (first && t->dev && need > t->free_bytes)
			strlist_addf(&p->shortages,
			             "%s: the files to create on its file system need %s "
			             "together, %s are free: use a"
			             " smaller `size` or another directory",
			             t->filename,
			             print_bytes(need_text, sizeof(need_text), need),
			             print_bytes(free_text, sizeof(free_text), t->free_bytes));
	}
}

static int check_destroy(const struct prepared *p)
{
	struct strlist errors = { 0 };
	int r = EXIT_OK;

	guard_ask_destroy(&p->world, &p->consent, prepared_patience(p->sweep), &errors);
	for (size_t i = 0; i < errors.len; i++) {
		complain("%s", errors.item[i]);
		r = EXIT_USAGE;
	}
	strlist_fini(&errors);
	return r;
}

static int load(struct prepared *p, const struct config_source *src)
{
	struct strlist problems = { 0 };
	int r = config_load(&p->sweep, src, &problems);

	for (size_t i = 0; i < problems.len; i++)
		(void)fprintf(stderr, "%s\n", problems.item[i]);
	if (r && !problems.len)
		complain("%s: %s", src->path ? src->path : "config", err_name(-r));
	strlist_fini(&problems);
	return r ? EXIT_INPUT : EXIT_OK;
}

/* Who gave the `where` expression. */
static const char *where_origin(const struct config_source *src)
{
	for (size_t i = 0; src->sets && i < src->sets->len; i++)
		if (!strncmp(src->sets->item[i], "where=", strlen("where=")))
			return "--set";
	return config_name(src);
}

int prepare(struct prepared *p, const struct config_source *src, const struct options *o,
            target_hook *hook, void *arg)
{
	struct err e = { 0 };
	int r;

	*p = (struct prepared){ 0 };
	r = load(p, src);
	if (r)
		return r;
	p->consent = (struct consent){ .destroy = &o->destroy,
		                       .overwrite_signature = &o->overwrite_signature,
		                       .may_overwrite = &p->sweep->may_overwrite };
	facts_limits(&p->world.limits);
	probe_engines(&p->world);
	look_at_targets(p, hook, arg);
	r = check_destroy(p);
	if (r)
		return r;
	if (plan_new(&p->plan, p->sweep, &p->world,
	             o->yes_large ? PLAN_MAX_LARGE : PLAN_MAX_DEFAULT, &e)) {
		(void)fprintf(stderr, "%s: %s\n", where_origin(src), e.text);
		return EXIT_INPUT;
	}
	for (size_t i = 0; i < p->plan->warnings.len; i++)
		strlist_add(&p->warnings, p->plan->warnings.item[i]);
	if (!p->plan->enumerated)
		return EXIT_OK;
	for (size_t i = 0; i < p->world.targets; i++)
		check_target(p, i);
	check_space(p);
	p->layout_s = (double)p->layout_bytes / LAYOUT_BYTES_PER_S;
	precondition_estimate(p);
	return EXIT_OK;
}

bool prepared_would_run(const struct prepared *p, const struct strlist *sets,
                        const struct consent *given)
{
	struct config_source src = { .path = p->sweep->name,
		                     .text = p->sweep->config_text,
		                     .sets = sets };
	struct prepared trial = { .world = p->world };
	struct strlist problems = { 0 };
	bool ok = !config_load(&trial.sweep, &src, &problems) &&
	          !plan_new(&trial.plan, trial.sweep, &trial.world, PLAN_MAX_LARGE, NULL) &&
	          trial.plan->enumerated;

	for (size_t i = 0; ok && i < p->world.targets; i++) {
		struct intent want = prepared_intent(&trial, i);
		struct consent c = *given;

		c.may_overwrite = &trial.sweep->may_overwrite;
		if (trial.plan->need[i].used)
			guard_ask(&p->world.target[i], &want, &c,
			          prepared_patience(p->sweep), &trial.refusals, NULL);
	}
	if (ok)
		check_space(&trial);
	ok = ok && !trial.refusals.len && prepared_can_run(&trial);
	strlist_fini(&problems);
	trial.world.target = NULL; /* p's */
	prepared_fini(&trial);
	return ok;
}

void prepared_fini(struct prepared *p)
{
	plan_free(p->plan);
	free(p->world.target);
	free(p->layout_of);
	sweep_free(p->sweep);
	strlist_fini(&p->refusals);
	strlist_fini(&p->decisions);
	strlist_fini(&p->shortages);
	strlist_fini(&p->warnings);
	*p = (struct prepared){ 0 };
}

/* What -v adds: engines and targets as they are here. */
static void print_machine(const struct world *w)
{
	char safe[8192];

	for (uint64_t i = 0; i < ENGINE_COUNT; i++)
		(void)fprintf(stderr, "engine %s: %s\n", engine_name(i),
		              w->engine[i].usable ? "usable" : w->engine[i].reason);
	for (size_t i = 0; i < w->targets; i++) {
		const struct target_info *t = &w->target[i];
		struct text line = { 0 };

		text_addf(&line, "target %s: %s", t->filename,
		          *t->path ? t->path : "not opened");
		if (*t->problem)
			text_addf(&line, ", %s", t->problem);
		if (*t->device)
			text_addf(&line, ", on %s", t->device);
		if (*t->fs)
			text_addf(&line, ", %s (%s)", t->fs, t->mount_options);
		if (t->offset_align)
			text_addf(&line, ", direct I/O in multiples of %u bytes",
			          t->offset_align);
		text_printable(safe, sizeof(safe), text_get(&line));
		(void)fprintf(stderr, "%s\n", safe);
		text_fini(&line);
	}
}

void prepared_print_notes(const struct prepared *p, const struct options *o)
{
	if (o->quiet)
		return;
	for (size_t i = 0; i < p->sweep->notes.len; i++)
		(void)fprintf(stderr, "note: %s\n", p->sweep->notes.item[i]);
	for (size_t i = 0; p->plan && i < p->plan->notes.len; i++)
		(void)fprintf(stderr, "note: %s\n", p->plan->notes.item[i]);
	for (size_t i = 0; i < p->warnings.len; i++)
		(void)fprintf(stderr, "warning: %s\n", p->warnings.item[i]);
	if (o->verbose)
		print_machine(&p->world);
}

bool prepared_can_run(const struct prepared *p)
{
	return !p->shortages.len && p->plan->skipped < p->plan->combinations;
}

void prepared_print_nothing(const struct prepared *p)
{
	char safe[sizeof(((struct plan_skip *)0)->text)];
	struct plan_row row;
	bool again;

	for (size_t i = 0; i < p->shortages.len; i++)
		complain("%s", p->shortages.item[i]);
	if (p->shortages.len)
		return;

	if (!p->plan->combinations) {
		complain("nothing to run: exclude and where leave no combination of %" PRIu64,
		         p->plan->product);
		return;
	}
	complain("nothing can run here: all %" PRIu64 " combinations are skipped",
	         p->plan->combinations);
	for (size_t i = 0; i < p->plan->reasons; i++) {
		plan_example(p->plan, i, &row);
		/* some sentences begin with their reason */
		again = !strncmp(row.skip.text, row.skip.reason, strlen(row.skip.reason));
		text_printable(safe, sizeof(safe), row.skip.text);
		(void)fprintf(stderr, "  %" PRIu64 " x %s%s%s\n", p->plan->reason[i].count,
		              again ? "" : row.skip.reason, again ? "" : ": ", safe);
	}
}
