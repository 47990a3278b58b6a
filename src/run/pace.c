#include "run/pace.h"

#include <math.h>

#include "base/units.h"
#include "model/direction.h"
#include "run/workload.h"

_Static_assert(OP_READ == 0 && OP_WRITE == 1, "pace.line[] is indexed by them");

/* What of the rate one I/O takes. */
static uint64_t units(const struct pace_line *l, uint32_t len)
{
	return l->bytes ? len : 1;
}

/* 146 years: added to any clock it stays below 2^64. */
#define GAP_MAX_NS 0x1p62

/* Exponential, by inversion (D. E. Knuth, TAOCP vol. 2, 3.4.1 D): they make a Poisson process.
 * u is never 0. At 1 byte a second the longest gaps of the largest I/Os would be beyond 2^64
 * ns. */
static uint64_t random_gap(struct pace *p, const struct pace_line *l, uint32_t len)
{
	double u = ((double)(rng_next(&p->gaps) >> 11) + 0.5) * 0x1p-53;

	return (uint64_t)fmin(-log(u) * (double)units(l, len) * 1e9 / (double)l->rate + 0.5,
	                      GAP_MAX_NS);
}

/* bs <= 1 GiB: the product stays below 2^60. */
static void even_gap(struct pace_line *l, uint32_t len)
{
	uint64_t whole = units(l, len) * SEC + l->rest;

	l->next_ns += whole / l->rate;
	l->rest = whole % l->rate;
}

/* Evenly spread jobs take turns; random ones begin anywhere in their first gap. */
static uint64_t first(struct pace *p, const struct pace_line *l, const struct job *job,
                      unsigned index)
{
	double period_ns = (double)units(l, (uint32_t)job->bs) * 1e9 / (double)l->rate;

	if (p->poisson)
		return random_gap(p, l, (uint32_t)job->bs);
	return (uint64_t)(period_ns * index / (double)job->numjobs);
}

void pace_init(struct pace *p, const struct run_spec *spec, unsigned job)
{
	const struct job *j = &spec->job;

	*p = (struct pace){ .poisson = j->rate_process == RATE_POISSON };
	rng_seed(&p->gaps, workload_seed(spec, job, STREAM_GAPS));
	for (int op = 0; op < PACE_LINES; op++) {
		struct pace_line *l = &p->line[op];

		l->used = job_does(j, (enum op)op);
		l->bytes = j->rate != 0;
		l->rate = l->bytes
		              ? direction_of(&axes[AXIS_rate], j->rate, (enum op)op)
		              : direction_of(&axes[AXIS_rate_iops], j->rate_iops, (enum op)op);
		if (l->used && l->rate)
			l->next_ns = first(p, l, j, job);
	}
}

void pace_begin(struct pace *p, uint64_t start_ns)
{
	for (int op = 0; op < PACE_LINES; op++)
		p->line[op].next_ns += start_ns;
}

uint64_t pace_due(const struct pace *p)
{
	uint64_t due = PACE_NEVER;

	for (int op = 0; op < PACE_LINES; op++) {
		const struct pace_line *l = &p->line[op];

		if (l->used && !l->rate)
			return 0;
		if (l->used && l->next_ns < due)
			due = l->next_ns;
	}
	return due;
}

int pace_next(const struct pace *p, uint64_t now_ns, uint64_t *due_ns)
{
	int next = -1, free = -1;

	for (int op = 0; op < PACE_LINES; op++) {
		const struct pace_line *l = &p->line[op];

		if (!l->used)
			continue;
		if (!l->rate)
			free = op;
		else if (l->next_ns <= now_ns &&
		         (next < 0 || l->next_ns < p->line[next].next_ns))
			next = op;
	}
	*due_ns = next < 0 ? 0 : p->line[next].next_ns;
	return next < 0 ? free : next;
}

void pace_step(struct pace *p, int op, uint32_t len)
{
	struct pace_line *l = &p->line[op];

	if (!l->rate)
		return;
	if (p->poisson)
		l->next_ns += random_gap(p, l, len);
	else
		even_gap(l, len);
}

uint64_t pace_waiting(const struct pace *p, uint64_t now_ns, uint32_t len)
{
	uint64_t n = 0;

	for (int op = 0; op < PACE_LINES; op++) {
		const struct pace_line *l = &p->line[op];

		if (l->used && l->rate && l->next_ns <= now_ns)
			n += (uint64_t)((unsigned __int128)(now_ns - l->next_ns) * l->rate /
			                (SEC * units(l, len))) +
			     1;
	}
	return n;
}
