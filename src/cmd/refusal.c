/* What to say when a sweep is refused: every reason, the command that would be accepted, a
 * read-only way. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/prepare.h"
#include "sink/cell.h"

void add_shell_word(struct text *out, const char *word)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-%@";

	if (*word && strspn(word, plain) == strlen(word)) {
		text_add(out, word);
		return;
	}
	text_add(out, "'");
	for (; *word; word++) {
		if (*word == '\'')
			text_add(out, "'\\''");
		else
			text_addn(out, word, 1);
	}
	text_add(out, "'");
}

void add_shell_options(struct text *out, const char *option, const struct strlist *l)
{
	for (size_t i = 0; i < l->len; i++) {
		text_addf(out, " %s ", option);
		add_shell_word(out, l->item[i]);
	}
}

/* The command line that repeats this call, without its permissions. */
static void add_command(struct text *out, const char *verb, const struct options *o)
{
	text_addf(out, "iosweep %s", verb);
	for (int i = 0; i < o->nargs; i++) {
		text_add(out, " ");
		add_shell_word(out, o->args[i]);
	}
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

/* Everything this call permits plus what it lacks: named devices and files. */
static void widen(const struct prepared *p, struct strlist *destroy, struct strlist *overwrite)
{
	for (size_t i = 0; i < p->consent.destroy->len; i++)
		strlist_add(destroy, p->consent.destroy->item[i]);
	for (size_t i = 0; i < p->consent.may_overwrite->len; i++)
		strlist_add(overwrite, p->consent.may_overwrite->item[i]);
	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];
		struct intent want = prepared_intent(p, i);

		if (!p->plan->need[i].used || !(want.writes || want.fill))
			continue;
		if (t->kind == TARGET_BLOCK && !strlist_has(destroy, t->filename))
			strlist_add(destroy, t->filename);
		if (t->kind == TARGET_FILE && !t->ours && !strlist_has(overwrite, t->filename))
			strlist_add(overwrite, t->filename);
	}
}

/* Would it be accepted with this consent, and (read_only) without the writes, (clip) within
 * what exists? */
static bool accepted(const struct prepared *p, const struct consent *c, bool read_only,
                     bool clip)
{
	struct strlist left = { 0 };
	bool ok;

	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];
		struct intent want = prepared_intent(p, i);

		if (read_only)
			want.writes = want.fill = false;
		if (clip && t->size_bytes && want.size_bytes > t->size_bytes)
			want.size_bytes = t->size_bytes;
		if (p->plan->need[i].used)
			guard_check(t, &want, c, &left);
	}
	ok = left.len == 0;
	strlist_fini(&left);
	return ok;
}

/* A sweep that goes on keeps its config: only options can be added. */
static bool within_reach(const struct prepared *p, const struct strlist *overwrite)
{
	return !p->changed && (!p->resuming || overwrite->len == p->consent.may_overwrite->len);
}

static void print_accepted(const struct prepared *p, const char *command)
{
	struct strlist destroy = { 0 }, overwrite = { 0 };
	struct consent c = { &destroy, p->consent.overwrite_signature, &overwrite };
	struct text line = { 0 }, set = { 0 };

	widen(p, &destroy, &overwrite);
	if (within_reach(p, &overwrite) && accepted(p, &c, false, false)) {
		text_add(&line, command);
		add_shell_options(&line, "--destroy", &destroy);
		add_shell_options(&line, "--overwrite-signature", p->consent.overwrite_signature);
		if (overwrite.len && !p->resuming) {
			text_add(&set, "may_overwrite=");
			for (size_t i = 0; i < overwrite.len; i++) {
				text_add(&set, i ? "," : "[");
				json_add_string(&set, overwrite.item[i]);
			}
			text_add(&set, "]");
			text_add(&line, " --set ");
			add_shell_word(&line, text_get(&set));
		}
		(void)fprintf(
		    stderr,
		    "If all data named above may be lost, this would be accepted:\n  %s\n",
		    text_get(&line));
	} else {
		(void)fprintf(
		    stderr,
		    p->changed
			? "No option overrides all of the above: a sweep goes on where it "
			  "began; what is there now needs a new one.\n"
			: "No option overrides all of the above: make the target free "
			  "first, or use another.\n");
	}
	text_fini(&line);
	text_fini(&set);
	strlist_fini(&destroy);
	strlist_fini(&overwrite);
}

/* The same sweep with its reading patterns only. */
static void print_read_only(const struct prepared *p, const char *command)
{
	const struct axis_values *rw = &p->sweep->axis[AXIS_rw];
	struct text list = { 0 };

	for (size_t i = 0; i < rw->len; i++)
		if (rw->val[i] < RW_COUNT && !rw_writes(rw->val[i]))
			text_addf(&list, "%s%s", list.len ? "," : "", rw_name(rw->val[i]));
	if (accepted(p, &p->consent, true, true))
		(void)fprintf(stderr,
		              "Reading only, this would be accepted:\n  %s --set rw=%s%s%s\n",
		              command, list.len ? text_get(&list) : "randread",
		              p->sweep->fill ? " --set fill=false" : "",
		              accepted(p, &p->consent, true, false) ? "" : " --set size=100%");
	text_fini(&list);
}

void prepared_print_refusals(const struct prepared *p, const struct options *o)
{
	AUTO(text_fini) struct text command = { 0 };

	add_command(&command, p->resuming ? "resume" : "run", o);
	complain("refused: nothing was written");
	for (size_t i = 0; i < p->refusals.len; i++)
		(void)fprintf(stderr, "  %s\n", p->refusals.item[i]);
	print_accepted(p, text_get(&command));
	if (!p->resuming)
		print_read_only(p, text_get(&command));
}
