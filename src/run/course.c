#include "run/course.h"

#include "run/marks.h"
#include "stat/tail.h"

#define P99         0.99
#define BATCHES_MIN 10

/* Slots that lie in the time in which all jobs worked; it ends within microseconds of a slot's
 * end. */
static unsigned whole_slots(const struct sample *s)
{
	uint64_t n = s->slot_ns ? (s->together_ns + s->slot_ns / 100) / s->slot_ns : 0;

	return n < s->slots ? (unsigned)n : s->slots;
}

static struct stat_series series_of(const struct sample *s, unsigned ops, double precision,
                                    double *count)
{
	unsigned n = whole_slots(s);

	for (unsigned i = 0; i < n; i++) {
		count[i] = 0;
		for (unsigned op = 0; op < OP_COUNT; op++)
			if (ops & 1U << op)
				count[i] += (double)s->slot[i].ios[op];
	}
	return (struct stat_series){ .count = count,
		                     .n = n,
		                     .slot_s = (double)s->slot_ns / 1e9,
		                     .precision = precision };
}

/* The bucket that holds the percentile. */
static unsigned bucket_of(const struct hist *h, double p)
{
	const uint64_t top = (UINT64_C(1) << HIST_TOP_BITS) - 1;
	double value = hist_percentile(h, 100 * p);

	return hist_index(value < (double)top ? (uint64_t)value : top);
}

static uint64_t widest(struct pool *p, unsigned jobs)
{
	uint64_t width = 0;

	for (unsigned i = 0; i < jobs; i++)
		if (p->lane[i]->tally.marks.width_ns > width)
			width = p->lane[i]->tally.marks.width_ns;
	for (unsigned i = 0; i < jobs; i++)
		marks_widen(&p->lane[i]->tally.marks, width);
	return width;
}

struct batches {
	uint64_t above[TAIL_MAX], all[TAIL_MAX];
	unsigned n;
};

static void add_batches(struct batches *b, const struct tally *t, enum op op, unsigned bucket)
{
	struct tail_counts before = { 0 };

	for (unsigned i = 0; i < b->n; i++) {
		struct tail_counts now =
		    marks_at(&t->marks, &t->lat[op], op, bucket, (i + 1) * t->marks.width_ns);

		b->above[i] += (uint32_t)(now.above - before.above);
		b->all[i] += (uint32_t)(now.all - before.all);
		before = now;
	}
}

static void judge_tail(struct sample *s, struct pool *p, unsigned jobs, enum op op)
{
	const struct hist *h = &s->op[op].lat;
	struct op_verdict *v = &s->op[op].verdict;
	uint64_t width = widest(p, jobs);
	struct batches b = { .n = 0 };
	double half;

	if (!width || s->together_ns / width < BATCHES_MIN)
		return;
	b.n = s->together_ns / width < TAIL_MAX ? (unsigned)(s->together_ns / width) : TAIL_MAX;
	for (unsigned i = 0; i < jobs; i++)
		add_batches(&b, &p->lane[i]->tally, op, bucket_of(h, P99));
	half = stat_share_half_width(b.above, b.all, b.n, P99, STAT_CONFIDENCE);
	v->tail = stat_tail_resolved(P99, half);
	v->tail_unresolved = !v->tail && v->judged;
	if (!v->tail)
		return;
	v->p99_low_ns = hist_percentile(h, 100 * (P99 - half));
	v->p99_high_ns = hist_percentile(h, 100 * (P99 + half));
}

#define MOVES (1U << OP_READ | 1U << OP_WRITE | 1U << OP_TRIM)

void course_judge(struct sample *s, struct pool *p, unsigned n, double precision,
                  struct stat_room *room)
{
	uint64_t moved = s->op[OP_READ].ios + s->op[OP_WRITE].ios + s->op[OP_TRIM].ios;
	struct stat_series all = series_of(s, MOVES, precision, room->count);

	stat_judge(&s->verdict, &all, room);
	for (unsigned op = 0; op < OP_COUNT; op++) {
		struct stat_series one;

		if (!s->op[op].ios)
			continue;
		one = series_of(s, s->op[op].ios == moved ? MOVES : 1U << op, precision,
		                room->count);
		stat_judge_op(&s->op[op].verdict, &one, room);
		judge_tail(s, p, n, (enum op)op);
	}
}
