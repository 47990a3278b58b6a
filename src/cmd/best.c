/* iosweep best: where a target performs best, in words or as JSON. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cmd/best.h"
#include "cmd/best_json.h"
#include "cmd/best_words.h"
#include "cmd/cmd.h"
#include "cmd/exit_of.h"
#include "sink/output.h"

/* "95%", "95" or "0.95" */
static int set_within(double *out, const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || !(v > 0))
		return -EINVAL;
	if (*end == '%' || v > 1) {
		v /= 100;
		end += *end == '%';
	}
	if (*end || v > 1)
		return -EINVAL;
	*out = v;
	return 0;
}

int best_answer(struct store *s, const struct best_query *q, enum best_form form, struct err *e)
{
	AUTO(best_data_fini) struct best_data d = { 0 };
	AUTO(text_fini) struct text words = { 0 };
	struct best_group *groups = NULL;
	size_t n;
	int r = best_load(&d, s, q, e);

	if (r < 0)
		return r;
	n = best_find(&groups, d.point, d.points, &d.ask);
	if (form == BEST_JSON)
		r = best_json(stdout, &d, groups, n);
	else
		for (size_t i = 0; i < n; i++)
			best_words(&words, &d, &groups[i], form == BEST_TABLES);
	best_free(groups, n);
	if (!n && form == BEST_TABLES)
		text_add(&words, q->where ? "no run that is ok matches\n" : "no run is ok\n");
	return output_end(text_get(&words), r, e);
}

int cmd_best(const struct options *o)
{
	struct best_query q = {
		.by = o->by, .metric = o->metric, .where = o->where, .limit = &o->limit
	};
	struct store *s;
	struct err e = { 0 };
	int r;

	if (o->within && set_within(&q.within, o->within)) {
		complain("best: --within: '%s': wanted a share of the peak, as 95%% or 0.95",
		         o->within);
		return EXIT_USAGE;
	}
	r = open_to_ask(&s, "best", o->args[0]);
	if (r)
		return r;
	r = best_answer(s, &q, o->json ? BEST_JSON : BEST_TABLES, &e);
	(void)store_close(s, NULL);
	if (r)
		complain("best: %s", e.text);
	return exit_of_error(r);
}
