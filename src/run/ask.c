/* The guards asked in a child process: a target that hangs costs a limited time, and is
 * refused. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "run/bounded.h"
#include "run/target.h"

struct question {
	const struct target_info *t;
	const struct world *w;
	const struct intent *want;
	const struct consent *c;
};

/* Two lists in one: each line begins with a letter that says which it belongs to. */
static void decide(void *arg, struct strlist *out)
{
	const struct question *q = arg;
	struct strlist refusals = { 0 }, decisions = { 0 };

	guard_decide(q->t, q->want, q->c, &refusals, &decisions);
	for (size_t i = 0; i < refusals.len; i++)
		strlist_addf(out, "R%s", refusals.item[i]);
	for (size_t i = 0; i < decisions.len; i++)
		strlist_addf(out, "D%s", decisions.item[i]);
	strlist_fini(&refusals);
	strlist_fini(&decisions);
}

static void no_answer(const char *filename, int r, struct strlist *refusals,
                      struct strlist *decisions)
{
	char name[PATH_MAX], why[128];

	text_printable(name, sizeof(name), filename);
	(void)snprintf(why, sizeof(why),
	               "what uses it cannot be known: %s: make it answer, or use another",
	               r == -ETIMEDOUT ? "it does not answer"
	               : r == -ECHILD  ? "the process that looked died"
	                               : err_name(-r));
	strlist_addf(refusals, "%s: %s", name, why);
	if (decisions)
		strlist_addf(decisions, "%s: answer: refused: %s", name, why);
}

void guard_ask(const struct target_info *t, const struct intent *want, const struct consent *c,
               uint64_t limit_ns, struct strlist *refusals, struct strlist *decisions)
{
	struct question q = { .t = t, .want = want, .c = c };
	struct strlist lines = { 0 };
	int r;

	if (t->kind == TARGET_UNUSABLE || t->kind == TARGET_NOT_NEEDED ||
	    t->kind == TARGET_SIMULATED)
		return;
	r = bounded_lines(decide, &q, &lines, limit_ns);
	for (size_t i = 0; i < lines.len; i++) {
		if (lines.item[i][0] == 'R')
			strlist_add(refusals, lines.item[i] + 1);
		else if (decisions)
			strlist_add(decisions, lines.item[i] + 1);
	}
	strlist_fini(&lines);
	if (r)
		no_answer(t->filename, r, refusals, decisions);
}

static void signatures(void *arg, struct strlist *out)
{
	const struct question *q = arg;

	guard_signatures(q->t, q->c, out);
}

void guard_ask_signatures(const struct target_info *t, const struct consent *c,
                          uint64_t limit_ns, struct strlist *types)
{
	struct question q = { .t = t, .c = c };
	struct strlist found = { 0 };

	(void)bounded_lines(signatures, &q, &found, limit_ns);
	for (size_t i = 0; i < found.len; i++)
		if (!strlist_has(types, found.item[i]))
			strlist_add(types, found.item[i]);
	strlist_fini(&found);
}

static void destroy(void *arg, struct strlist *out)
{
	const struct question *q = arg;

	guard_check_destroy(q->w, q->c, out);
}

void guard_ask_destroy(const struct world *w, const struct consent *c, uint64_t limit_ns,
                       struct strlist *errors)
{
	struct question q = { .w = w, .c = c };
	int r;

	if (!c->destroy || !c->destroy->len)
		return;
	r = bounded_lines(destroy, &q, errors, limit_ns);
	if (r)
		strlist_addf(errors, "--destroy: the devices could not be looked at: %s",
		             r == -ECHILD ? "the process that did so died" : err_name(-r));
}
