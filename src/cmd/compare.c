/* iosweep compare: what changed between two sweeps, or between two halves of one. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/compare_json.h"
#include "cmd/exit_of.h"
#include "sink/output.h"

struct verdict_limit {
	bool set;
	double pct; /* worse by at least so much */
};

/* "regression" or "regression:5" */
static int parse_fail_on(struct verdict_limit *v, const char *text)
{
	static const char word[] = "regression";
	char *end;

	if (strncmp(text, word, strlen(word)) != 0)
		return -EINVAL;
	v->set = true;
	v->pct = 0;
	text += strlen(word);
	if (!*text)
		return 0;
	v->pct = strtod(text + 1, &end);
	end += *end == '%';
	return *text == ':' && end != text + 1 && !*end && v->pct >= 0 && v->pct < 100
	           ? 0
	           : -EINVAL;
}

/* Did a cell get worse, surely, and by so much? */
static bool regressed(const struct compared *c, double pct)
{
	for (size_t i = 0; i < c->found->cells; i++) {
		const struct compare_cell *cell = &c->found->cell[i];
		double worse =
		    c->data->lower ? compare_percent(cell->d) : -compare_percent(cell->d);

		if (cell->verdict == COMPARE_CHANGED && worse > 0 && worse >= pct)
			return true;
	}
	return false;
}

/* c->found has no cell of both sides. */
static const char *why_none(const struct compared *c)
{
	const size_t *only = c->found->only;

	return !only[COMPARE_A] && !only[COMPARE_B]
	           ? "no run that is ok and free of doubt has this metric"
	       : !only[COMPARE_A] ? "no run of A that is ok and free of doubt has this metric"
	       : !only[COMPARE_B] ? "no run of B that is ok and free of doubt has this metric"
	                          : "they differ in more than one axis (--ignore AXIS joins in "
	                            "spite of one)";
}

static int answer(const struct options *o, struct compared *c,
                  const struct verdict_limit *limit)
{
	AUTO(text_fini) struct text words = { 0 };
	struct err e = { 0 };
	int r = 0;

	if (!c->found->both) {
		complain("compare: not comparable: no cell is in both: %s", why_none(c));
		return EXIT_NOTHING;
	}
	c->clusters = cluster_find(c->cluster, c->data, c->found);
	if (o->json)
		r = compare_json(stdout, c);
	else
		compare_words(&words, c, o->markdown);
	if (output_end(text_get(&words), r, &e)) {
		complain("compare: %s", e.text);
		return EXIT_STORE;
	}
	if (limit->set && !compare_alike(c->data)) {
		complain("compare: --fail-on: not comparable: the percentiles of A and B are of "
		         "different latencies");
		return EXIT_NOTHING;
	}
	return limit->set && regressed(c, limit->pct) ? EXIT_ROWS : EXIT_OK;
}

/* One file and two selections of it, or two files. */
static int open_stores(struct store *s[COMPARE_SIDES], const struct options *o)
{
	int code = EXIT_OK;

	for (int i = 0; i < o->nargs && !code; i++)
		code = open_to_ask(&s[i], "compare", o->args[i]);
	if (o->nargs == 1)
		s[COMPARE_B] = s[COMPARE_A];
	return code;
}

static void close_stores(struct store *s[COMPARE_SIDES])
{
	if (s[COMPARE_B] && s[COMPARE_B] != s[COMPARE_A])
		(void)store_close(s[COMPARE_B], NULL);
	if (s[COMPARE_A])
		(void)store_close(s[COMPARE_A], NULL);
}

static char *side_name(const struct options *o, int side)
{
	const struct strlist *select = side == COMPARE_A ? &o->a : &o->b;
	struct text t = { 0 };

	if (o->nargs == 2)
		text_add(&t, o->args[side]);
	for (size_t i = 0; i < select->len; i++)
		text_addf(&t, "%s%s", t.len ? " " : "", select->item[i]);
	return t.s ? t.s : xstrdup("");
}

static int compare(const struct options *o, struct store *s[COMPARE_SIDES],
                   const struct verdict_limit *limit)
{
	AUTO(freep) char *a = side_name(o, COMPARE_A);
	AUTO(freep) char *b = side_name(o, COMPARE_B);
	AUTO(compare_data_fini) struct compare_data d = { 0 };
	struct compare_query q = { .store = { s[0], s[1] },
		                   .select = { &o->a, &o->b },
		                   .ignore = &o->ignore,
		                   .where = o->where,
		                   .metric = o->metric };
	struct comparison found;
	struct compared c = { .name = { a, b }, .data = &d, .found = &found };
	struct err e = { 0 };
	int r = compare_load(&d, &q, &e);

	if (r) {
		complain("compare: %s", e.text);
		return exit_of_error(r);
	}
	compare_find(&found, d.point, d.points, d.cells, d.classes, COMPARE_EFFECT);
	r = answer(o, &c, limit);
	free(found.cell);
	return r;
}

int cmd_compare(const struct options *o)
{
	struct store *s[COMPARE_SIDES] = { NULL };
	struct verdict_limit limit = { 0 };
	int code;

	if (o->nargs == 1 && (!o->a.len || !o->b.len)) {
		complain("compare: one file needs --a AXIS=VALUE and --b AXIS=VALUE to tell "
		         "the sides apart");
		return EXIT_USAGE;
	}
	if (o->fail_on && parse_fail_on(&limit, o->fail_on)) {
		complain("compare: --fail-on: '%s': wanted regression or regression:PERCENT",
		         o->fail_on);
		return EXIT_USAGE;
	}
	code = open_stores(s, o);
	if (!code)
		code = compare(o, s, &limit);
	close_stores(s);
	return code;
}
