/* iosweep plan: what would run, and how long. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "cmd/plan_json.h"
#include "cmd/precondition.h"
#include "fio/job_script.h"

static void print_product(const struct plan *p)
{
	if (p->product_overflow)
		printf("product       more than %" PRIu64 "\n", p->product);
	else if (!p->enumerated)
		printf("product       %" PRIu64 "\n", p->product);
	else
		printf("product       %" PRIu64 " - %" PRIu64 " merged - %" PRIu64
		       " excluded = %" PRIu64 " combinations\n",
		       p->product, p->merged, p->excluded, p->combinations);
	if (!p->enumerated)
		printf("              too many to look at one by one: only product and time "
		       "are known\n");
	else if (p->sweep->repeats > 1)
		printf("runs          %" PRIu64 " (%" PRIu64 " repeats)\n", p->runs,
		       p->sweep->repeats);
	else
		printf("runs          %" PRIu64 "\n", p->runs);
}

static void print_skipped(const struct plan *p)
{
	char safe[sizeof(((struct plan_skip *)0)->text)];
	struct plan_row row;

	if (p->skipped)
		printf("skipped       %" PRIu64 " of %" PRIu64 " combinations\n", p->skipped,
		       p->combinations);
	for (size_t r = 0; r < p->reasons; r++) {
		plan_example(p, r, &row);
		text_printable(safe, sizeof(safe), row.skip.text);
		printf("  %10" PRIu64 "  %s (by the %s), e.g. %s: %s\n", p->reason[r].count,
		       row.skip.reason, row.skip.by_machine ? "machine" : "config", row.label,
		       safe);
	}
}

/* Seconds for people; also those that no nanosecond counter holds. */
static const char *duration(char *buf, size_t size, double s)
{
	if (s < 1e9)
		return print_duration(buf, size, (uint64_t)(s * 1e9));
	(void)snprintf(buf, size, "%.3g years", s / (365.25 * 86400));
	return buf;
}

static void print_time(const struct prepared *pr)
{
	const struct plan *p = pr->plan;
	double total = p->estimate_s + pr->layout_s + pr->precondition_s,
	       simulated = p->simulated_s + pr->precondition_simulated_s;
	char a[64], b[64], c[64];

	if (p->unbounded && !(p->estimate_s > 0)) {
		printf("time          unknown (size bound)");
	} else {
		printf("time          %s%s: ramp and runtime %s",
		       p->unbounded               ? "unknown (size bound), at least "
		       : p->sweep->precision > 0 ? "at most "
		                                  : "",
		       duration(a, sizeof(a), total), duration(b, sizeof(b), p->estimate_s));
	}
	if (simulated > 0)
		printf("; %s of it simulated, which takes seconds",
		       duration(a, sizeof(a), simulated));
	if (pr->layout_bytes)
		printf(", layout and fill %s (%s at %.1f GB/s)",
		       duration(a, sizeof(a), pr->layout_s),
		       print_bytes(b, sizeof(b), pr->layout_bytes), LAYOUT_BYTES_PER_S / 1e9);
	if (p->sweep->precision > 0)
		printf("; about %s when every run ends as soon as it can",
		       duration(a, sizeof(a), p->expected_s + pr->layout_s + pr->precondition_s));
	if (!p->unbounded && total < 1e9)
		printf("; started now it ends %s",
		       clock_local(c, sizeof(c),
		                   clock_wall_ns() + (int64_t)((total - simulated) * 1e9)));
	(void)putchar('\n');
}

/* What runs beside the grid; its time is in that above. */
static void print_beside(const struct prepared *pr)
{
	const struct plan *p = pr->plan;
	const struct sweep *s = p->sweep;
	char a[64], b[64];

	if (p->sentinels)
		printf("sentinels     %" PRIu64 " runs of %zu cell%s, one every %s of runs: %s (%.1f %%)\n",
		       p->sentinels, p->blocks, p->blocks > 1 ? "s" : "",
		       print_duration(a, sizeof(a), s->sentinel_ns),
		       duration(b, sizeof(b), p->sentinel_s),
		       p->estimate_s > 0 ? 100 * p->sentinel_s / p->estimate_s : 0);
	if (p->pilots)
		printf("pilots        %" PRIu64 " of %s each: %s (%.1f %%)\n", p->pilots,
		       duration(a, sizeof(a), p->pilot_s / (double)p->pilots),
		       duration(b, sizeof(b), p->pilot_s), 100 * p->pilot_s / p->estimate_s);
}

static void print_coverage(const struct prepared *p, const struct coverage *c)
{
	char when[64], safe[512];

	printf("in time       %" PRIu64 " of %" PRIu64 " runs (%.0f %%) by %s, %" PRIu64
	       " of %" PRIu64 " combinations at least once%s\n",
	       c->covered, c->runs,
	       c->runs ? 100.0 * (double)c->covered / (double)c->runs : 0.0,
	       clock_local(when, sizeof(when), c->until_wall_ns), c->touched, c->combinations,
	       p->plan->unbounded ? "; a run bound by size counts as no time" : "");
	for (size_t i = 0; i < c->parts; i++) {
		const struct coverage_part *part = &c->part[i];

		text_printable(safe, sizeof(safe), p->world.target[part->target].filename);
		printf("  %10" PRIu64 " of %" PRIu64 " runs  %s on %s\n", part->covered,
		       part->runs, rw_name(part->rw), safe);
	}
}

static void print_precondition(const struct prepared *p)
{
	struct text text = { 0 };

	if (!p->sweep->precondition.given || !p->plan->enumerated)
		return;
	precondition_describe(p, &text);
	printf("precondition  %s\n", text_get(&text));
	text_fini(&text);
}

static void print_writing(const struct plan *p)
{
	const uint64_t max = p->sweep->max_write_bytes;
	char a[64];

	if (max)
		printf("max_write     %s, layout and fill included: then writing runs are "
		       "skipped\n",
		       print_size(a, sizeof(a), max));
	if (!(p->write_s > 0))
		return;
	printf("writing       %s (%.2f h): %.3g TB at 0.5 GB/s, %.3g TB at 1 GB/s, %.3g TB at "
	       "2 GB/s\n",
	       duration(a, sizeof(a), p->write_s), p->write_s / 3600, p->write_s * 0.5 / 1000,
	       p->write_s / 1000, p->write_s * 2 / 1000);
}

static void describe(struct text *out, const struct prepared *p, size_t target)
{
	const struct target_info *t = &p->world.target[target];
	const struct plan_need *need = &p->plan->need[target];
	const struct sim_device *sim = sweep_sim(p->sweep, target);
	const char *name = sim ? sim->name : "";

	char a[64];

	switch (t->kind) {
	case TARGET_UNUSABLE:
		text_addf(out, "cannot be used: %s", t->problem);
		return;
	case TARGET_NOT_NEEDED:
		text_add(out, "not opened: only the null engine uses it");
		return;
	case TARGET_SIMULATED:
		text_addf(out, "simulated%s%s, %s; nothing is opened or written",
		          *name ? ": " : "", name, print_bytes(a, sizeof(a), t->size_bytes));
		return;
	case TARGET_SET:
		text_addf(out, "%u targets at once", t->members);
		return;
	case TARGET_MISSING:
		text_add(out, "does not exist");
		if (need->used)
			text_addf(out, ", will be created with %s",
			          print_bytes(a, sizeof(a), need->size_bytes));
		break;
	case TARGET_DIRECTORY:
		text_add(out, "directory");
		if (need->used)
			text_addf(out, ", for %" PRIu64 " files of %s", need->files,
			          print_bytes(a, sizeof(a), need->size_bytes));
		break;
	case TARGET_FILE:
		text_addf(out, "%s, %s", t->ours ? "file made by iosweep" : "file",
		          print_bytes(a, sizeof(a), t->size_bytes));
		break;
	case TARGET_BLOCK:
		text_addf(out, "block device, %s", print_bytes(a, sizeof(a), t->size_bytes));
		break;
	}
	if (*t->fs)
		text_addf(out, "; %s%s%s", t->fs, *t->mount_point ? " on " : "",
		          t->mount_point);
	else if (*t->mount_point)
		text_addf(out, "; mounted on %s", t->mount_point);
	if ((t->kind == TARGET_MISSING || t->kind == TARGET_DIRECTORY) &&
	    t->free_bytes != FREE_UNKNOWN)
		text_addf(out, ", %s free", print_bytes(a, sizeof(a), t->free_bytes));
	if (*t->device)
		text_addf(out, "; %s", t->device);
}

static bool overwritten(const struct prepared *p, size_t target)
{
	const struct target_info *t = &p->world.target[target];
	struct intent want = prepared_intent(p, target);

	return p->plan->need[target].used && (want.writes || want.fill) &&
	       (t->kind == TARGET_BLOCK || (t->kind == TARGET_FILE && !t->ours));
}

static void print_targets(const struct prepared *p, bool verbose)
{
	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];
		const struct plan_need *need = &p->plan->need[i];
		struct text line = { 0 };
		char safe[8192];

		text_addf(&line, "%s: ", t->filename);
		describe(&line, p, i);
		if (need->used)
			text_addf(&line, "; %s%s%s", need->reads ? "read" : "",
			          need->reads && need->writes ? " and " : "",
			          need->writes ? "written" : "");
		if (overwritten(p, i))
			text_add(&line, ": what is on it now is overwritten");
		if (verbose && *t->path)
			text_addf(&line, "; %s, mount options %s, alignment %u", t->path,
			          *t->mount_options ? t->mount_options : "-", t->offset_align);
		text_printable(safe, sizeof(safe), text_get(&line));
		printf("target        %s\n", safe);
		text_fini(&line);
	}
}

static void print_engines(const struct world *w)
{
	for (uint64_t i = 0; i < ENGINE_COUNT; i++)
		printf("engine        %s: %s\n", engine_name(i),
		       w->engine[i].usable ? "usable" : w->engine[i].reason);
}

/* Only what differs between combinations and is not in the label. */
static bool worth_naming(const struct sweep *s, size_t a)
{
	bool several = s->axis[a].len > 1;

	for (size_t i = 0; i < s->includes; i++)
		several |= s->include[i].axis[a].len > 0;
	return several && a != AXIS_filename && a != AXIS_ioengine;
}

static void print_row(const struct plan *p, uint64_t i)
{
	struct plan_row row;
	struct text line = { 0 };
	char value[64], safe[8192];

	plan_row(p, i, &row);
	text_addf(&line, "%" PRIu64 " %s %s %s %s", i + 1, row.key.id, row.label,
	          engine_name(row.job.ioengine), row.filename);
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		if (!worth_naming(p->sweep, a))
			continue;
		axis_print_human(&axes[a], axis_value(&axes[a], &row.job), value,
		                 sizeof(value));
		text_addf(&line, " %s=%s", axes[a].name,
		          axes[a].kind == AXIS_TEXT ? axis_text(&axes[a], &row.text) : value);
	}
	if (p->sweep->repeats > 1)
		text_addf(&line, " repeat=%" PRIu64, row.repeat);
	if (row.skip.skipped)
		text_addf(&line, "  skipped: %s", row.skip.text);
	text_printable(safe, sizeof(safe), text_get(&line));
	puts(safe);
	text_fini(&line);
}

static void print_text(const struct prepared *p, const struct options *o,
                       const struct coverage *c)
{
	print_product(p->plan);
	print_skipped(p->plan);
	print_time(p);
	print_beside(p);
	if (c)
		print_coverage(p, c);
	else if (o->until || o->for_time)
		printf("in time       unknown: too many to look at one by one\n");
	print_precondition(p);
	print_writing(p->plan);
	print_targets(p, o->verbose);
	if (o->verbose)
		print_engines(&p->world);
	for (size_t i = 0; i < p->sweep->notes.len; i++)
		printf("note          %s\n", p->sweep->notes.item[i]);
	for (size_t i = 0; i < p->plan->notes.len; i++)
		printf("note          %s\n", p->plan->notes.item[i]);
}

static void warn(const struct prepared *p)
{
	for (size_t i = 0; i < p->warnings.len; i++)
		(void)fprintf(stderr, "warning: %s\n", p->warnings.item[i]);
}

static int verdict(struct prepared *p, const struct options *o)
{
	if (!o->quiet)
		warn(p);
	if (p->refusals.len) {
		prepared_print_refusals(p, o);
		return EXIT_REFUSED;
	}
	if (!p->plan->enumerated && o->fio) {
		complain("plan: --fio: too many combinations for a script without --yes-large");
		return EXIT_USAGE;
	}
	if (!p->plan->enumerated)
		return EXIT_OK;
	if (!prepared_can_run(p)) {
		prepared_print_nothing(p);
		return EXIT_NOTHING;
	}
	return o->strict && p->plan->skipped ? EXIT_ROWS : EXIT_OK;
}

static bool is_accepted(const struct prepared *p)
{
	return !p->refusals.len && p->plan->enumerated && prepared_can_run(p);
}

static void print(const struct prepared *p, const struct options *o, const struct coverage *c)
{
	if (o->fio) {
		if (is_accepted(p))
			fio_script(stdout, p->plan);
		return;
	}
	if (o->json)
		plan_json_print(p, c, o->list && p->plan->enumerated);
	else if (!o->quiet)
		print_text(p, o, c);
	for (uint64_t i = 0; o->list && !o->json && i < p->plan->runs; i++)
		print_row(p->plan, i);
}

int cmd_plan(const struct options *o)
{
	struct config_source src = { .path = o->nargs ? o->args[0] : NULL, .sets = &o->set };
	struct deadline d;
	struct coverage c = { 0 };
	struct prepared p;
	int r;

	if (!o->nargs && !o->set.len) {
		complain(
		    "plan: a config is needed: iosweep plan CONFIG|- or --set KEY=VALUE ...");
		return EXIT_USAGE;
	}
	if (o->fio && (o->json || o->list)) {
		complain("plan: --fio prints a script: without --json and --list");
		return EXIT_USAGE;
	}
	r = deadline_set(&d, o);
	if (r)
		return r;
	r = prepare(&p, &src, o, NULL, NULL);
	if (!r) {
		if (d.set && p.plan->enumerated)
			coverage_find(&c, &p, &d);
		print(&p, o, d.set && p.plan->enumerated ? &c : NULL);
		r = verdict(&p, o);
	}
	coverage_fini(&c);
	prepared_fini(&p);
	return r;
}
