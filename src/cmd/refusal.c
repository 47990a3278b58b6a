/* What to say when a sweep is refused: every reason, the command that would be accepted, a
 * read-only way. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/shell.h"
#include "base/units.h"
#include "cmd/precondition.h"
#include "cmd/prepare.h"
#include "sink/cell.h"

/* The command line that repeats this call, without its permissions. */
static void add_command(struct text *out, const char *verb, const struct options *o)
{
	text_addf(out, "iosweep %s", verb);
	for (int i = 0; i < o->nargs; i++) {
		text_add(out, " ");
		add_shell_word(out, o->args[i]);
	}
	if (o->yes_large && strcmp(verb, "resume") != 0)
		text_add(out, " --yes-large");
	add_shell_options(out, "--set", &o->set);
	add_shell_options(out, "--tag", &o->tag);
	if (o->db) {
		text_add(out, " --db ");
		add_shell_word(out, o->db);
	}
	if (o->csv) {
		text_add(out, " --csv ");
		add_shell_word(out, o->csv);
	}
	if (o->out_dir) {
		text_add(out, " --out ");
		add_shell_word(out, o->out_dir);
	}
}

/* What is added to this call: values for its config, and permissions. */
struct addition {
	struct strlist set, destroy, signature;
};

static void addition_fini(struct addition *a)
{
	strlist_fini(&a->set);
	strlist_fini(&a->destroy);
	strlist_fini(&a->signature);
}

static void add_all(struct strlist *to, const struct strlist *from)
{
	for (size_t i = 0; i < from->len; i++)
		strlist_add(to, from->item[i]);
}

static bool is_written(const struct prepared *p, size_t target)
{
	struct intent want = prepared_intent(p, target);

	return p->plan->need[target].used && (want.writes || want.fill);
}

/* Everything this call permits plus what it lacks: devices, and what is on them. */
static void allow_devices(const struct prepared *p, struct addition *a)
{
	add_all(&a->destroy, p->consent.destroy);
	add_all(&a->signature, p->consent.overwrite_signature);
	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];

		if (t->kind != TARGET_BLOCK || !is_written(p, i))
			continue;
		if (!strlist_has(&a->destroy, t->filename))
			strlist_add(&a->destroy, t->filename);
		guard_ask_signatures(t, &p->consent, prepared_patience(p->sweep),
		                     &a->signature);
	}
}

/* The same for files of others. */
static void allow_files(const struct prepared *p, struct addition *a)
{
	AUTO(text_fini) struct text set = { 0 };
	struct strlist file = { 0 };

	add_all(&file, p->consent.may_overwrite);
	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];

		if (t->kind == TARGET_FILE && !t->ours && is_written(p, i) &&
		    !strlist_has(&file, t->filename))
			strlist_add(&file, t->filename);
	}
	for (size_t i = 0; i < file.len; i++) {
		text_add(&set, i ? "," : "may_overwrite=[");
		json_add_string(&set, file.item[i]);
	}
	if (file.len > p->consent.may_overwrite->len)
		strlist_addf(&a->set, "%s]", text_get(&set));
	strlist_fini(&file);
}

/* Only the reading patterns. */
static void read_only(const struct prepared *p, struct addition *a)
{
	const struct axis_values *rw = &p->sweep->axis[AXIS_rw];
	AUTO(text_fini) struct text list = { 0 };
	char name[64];

	for (size_t i = 0; i < rw->len; i++)
		if (!rw_writes(rw_of(rw->val[i]))) {
			axis_print(&axes[AXIS_rw], rw->val[i], name, sizeof(name));
			text_addf(&list, "%s%s", list.len ? "," : "", name);
		}
	strlist_addf(&a->set, "rw=%s", list.len ? text_get(&list) : "randread");
	if (p->sweep->fill)
		strlist_add(&a->set, "fill=false");
	if (precondition_writes(p->sweep))
		strlist_add(&a->set, "precondition={\"sequential_passes\":0}");
}

/* The smallest file of others that is smaller than what is asked of it; 0: none. */
static uint64_t too_small(const struct prepared *p)
{
	uint64_t least = 0;

	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];

		if (p->plan->need[i].used && t->kind == TARGET_FILE && !t->ours &&
		    p->plan->need[i].size_bytes > t->size_bytes &&
		    (!least || t->size_bytes < least))
			least = t->size_bytes;
	}
	return least;
}

static bool accepted(const struct prepared *p, const struct addition *a)
{
	return prepared_would_run(
	    p, &a->set,
	    &(struct consent){ .destroy = &a->destroy, .overwrite_signature = &a->signature });
}

/* Is there a target that a size in percent means nothing to? */
static bool any_to_make(const struct prepared *p)
{
	for (size_t i = 0; i < p->world.targets; i++)
		if (p->plan->need[i].used && (p->world.target[i].kind == TARGET_MISSING ||
		                              p->world.target[i].kind == TARGET_DIRECTORY))
			return true;
	return false;
}

/* As it is, or else within the files that exist. */
static bool make_accepted(const struct prepared *p, struct addition *a)
{
	uint64_t least = p->resuming ? 0 : too_small(p);
	char size[32];

	if (least && any_to_make(p))
		strlist_addf(&a->set, "size=%s", print_size(size, sizeof(size), least));
	else if (least)
		strlist_add(&a->set, "size=100%");
	return accepted(p, a);
}

static void print_command(const char *says, const char *command, const struct addition *a)
{
	AUTO(text_fini) struct text line = { 0 };

	text_add(&line, command);
	add_shell_options(&line, "--destroy", &a->destroy);
	add_shell_options(&line, "--overwrite-signature", &a->signature);
	add_shell_options(&line, "--set", &a->set);
	(void)fprintf(stderr, "%s, this would be accepted:\n  %s\n", says, text_get(&line));
}

static bool anything_written(const struct prepared *p)
{
	for (size_t i = 0; i < p->world.targets; i++)
		if (is_written(p, i))
			return true;
	return false;
}

static void print_accepted(const struct prepared *p, const char *command)
{
	AUTO(addition_fini) struct addition a = { 0 };

	allow_devices(p, &a);
	if (!p->resuming) /* a sweep that goes on keeps its config */
		allow_files(p, &a);
	if (!p->changed && make_accepted(p, &a))
		print_command(anything_written(p) ? "If all data named above may be lost"
		                                  : "Within what is there",
		              command, &a);
	else
		(void)fprintf(
		    stderr,
		    p->changed
			? "No option overrides all of the above: a sweep goes on where it "
			  "began; what is there now needs a new one.\n"
			: "No option overrides all of the above: make the target free "
			  "first, or use another.\n");
}

static void print_read_only(const struct prepared *p, const char *command)
{
	AUTO(addition_fini) struct addition a = { 0 };

	read_only(p, &a);
	if (make_accepted(p, &a))
		print_command("Reading only", command, &a);
}

void prepared_print_refusals(const struct prepared *p, const struct options *o)
{
	AUTO(text_fini) struct text command = { 0 };

	add_command(&command, p->resuming ? "resume" : o->fio ? "plan --fio" : "run", o);
	complain("refused: nothing was written");
	for (size_t i = 0; i < p->refusals.len; i++)
		(void)fprintf(stderr, "  %s\n", p->refusals.item[i]);
	print_accepted(p, text_get(&command));
	if (!p->resuming && anything_written(p))
		print_read_only(p, text_get(&command));
}
