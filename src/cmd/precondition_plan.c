/* What preconditioning will cost, at most. */
#include <inttypes.h>

#include "base/units.h"
#include "cmd/precondition_private.h"
#include "cmd/prepare.h"

bool precondition_writes(const struct sweep *s)
{
	const struct precondition *c = &s->precondition;

	return c->given && c->sequential_passes + c->random_passes + c->rounds > 0;
}

bool precondition_fills(const struct prepared *p)
{
	const struct precondition *c = &p->sweep->precondition;

	return c->given && c->sequential_passes + c->random_passes > 0;
}

uint64_t precondition_region(const struct target_info *t, const struct plan_need *need)
{
	if (t->kind == TARGET_BLOCK || t->kind == TARGET_SIMULATED)
		return t->size_bytes;
	return need->size_bytes;
}

static double at_most(double v, double limit)
{
	return limit > 0 && v > limit ? limit : v;
}

double precondition_seconds(const struct prepared *p, size_t target, double *ret_bytes)
{
	const struct precondition *c = &p->sweep->precondition;
	const struct target_info *t = &p->world.target[target];
	const struct plan_need *need = &p->plan->need[target];
	double files = t->kind == TARGET_DIRECTORY ? (double)need->files : 1, bytes,
	       rounds = (double)c->rounds * (double)c->round_ns / 1e9;

	*ret_bytes = 0;
	if (!c->given || (!need->used && t->kind != TARGET_SIMULATED))
		return 0;
	bytes = files * (double)precondition_region(t, need) *
	        (double)(c->sequential_passes + c->random_passes);
	*ret_bytes = at_most(bytes + rounds * LAYOUT_BYTES_PER_S, (double)c->max_bytes);
	return at_most(bytes / LAYOUT_BYTES_PER_S + rounds, (double)c->max_time_ns / 1e9);
}

void precondition_estimate(struct prepared *p)
{
	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];
		double bytes, time = precondition_seconds(p, i, &bytes);

		p->precondition_s += time;
		if (t->kind == TARGET_SIMULATED)
			p->precondition_simulated_s += time;
		else
			p->precondition_bytes += bytes;
	}
}

static void add_passes(struct text *out, uint64_t n, const char *kind, uint64_t bs)
{
	char size[32];

	if (n)
		text_addf(out, "%s%" PRIu64 " %s pass%s of %s", out->len ? ", " : "", n, kind,
		          n > 1 ? "es" : "", print_size(size, sizeof(size), bs));
}

void precondition_describe(const struct prepared *p, struct text *out)
{
	const struct precondition *c = &p->sweep->precondition;
	char text[64];

	add_passes(out, c->sequential_passes, "sequential", c->sequential_bs);
	add_passes(out, c->random_passes, "random", c->random_bs);
	if (c->rounds)
		text_addf(out, "%sup to %" PRIu64 " rounds of %s", out->len ? ", " : "",
		          c->rounds, print_duration(text, sizeof(text), c->round_ns));
	if (!out->len)
		text_add(out, "nothing is written");
	text_addf(out, "; at most %s",
	          print_duration(text, sizeof(text), (uint64_t)(p->precondition_s * 1e9)));
	if (p->precondition_bytes > 0)
		text_addf(out, " and %s written, at %.1f GB/s",
		          print_bytes(text, sizeof(text), (uint64_t)p->precondition_bytes),
		          LAYOUT_BYTES_PER_S / 1e9);
	if (c->settle_ns)
		text_addf(out, "; then up to %s before reads that follow writes",
		          print_duration(text, sizeof(text), c->settle_ns));
}
