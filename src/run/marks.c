#include "run/marks.h"

#include <string.h>

void marks_begin(struct marks *m, uint64_t width_ns)
{
	m->width_ns = width_ns;
	m->n = m->used = 0;
}

static uint32_t length(const struct mark *k)
{
	uint32_t n = 0;

	for (int op = 0; op < OP_COUNT; op++)
		n += k->op[op].n;
	return n;
}

/* Of the marks that share a multiple of the doubled width the first stays: it was the first to
 * reach it. */
static void fold(struct marks *m)
{
	uint64_t last = 0;
	unsigned n = 0;

	m->width_ns *= 2;
	m->used = 0;
	for (unsigned i = 0; i < m->n; i++) {
		struct mark k = m->mark[i];

		k.at_ns -= k.at_ns % m->width_ns;
		if (k.at_ns <= last)
			continue;
		last = k.at_ns;
		memmove(m->count + m->used, m->count + k.from, length(&k) * sizeof(*m->count));
		k.from = m->used;
		m->used += length(&k);
		m->mark[n++] = k;
	}
	m->n = n;
}

void marks_widen(struct marks *m, uint64_t width_ns)
{
	while (m->width_ns < width_ns)
		fold(m);
}

/* Without its counts. */
static struct mark outline(const struct hist lat[OP_COUNT], uint64_t at_ns)
{
	struct mark k = { .at_ns = at_ns };

	for (int op = 0; op < OP_COUNT; op++) {
		unsigned first, end;

		hist_used(&lat[op], &first, &end);
		k.op[op].first = (uint16_t)first;
		k.op[op].n = (uint16_t)(end - first);
		k.op[op].all = (uint32_t)lat[op].n;
		k.op[op].beyond = (uint32_t)lat[op].overflow;
	}
	return k;
}

void marks_take(struct marks *m, const struct hist *lat, uint64_t since_start_ns)
{
	uint64_t at = since_start_ns - since_start_ns % m->width_ns;
	struct mark k;

	if (!at || (m->n && at <= m->mark[m->n - 1].at_ns))
		return;
	k = outline(lat, at);
	while (m->n == TAIL_MAX || m->used + length(&k) > MARKS_ROOM)
		fold(m);
	k.at_ns -= k.at_ns % m->width_ns;
	if (!k.at_ns || (m->n && k.at_ns <= m->mark[m->n - 1].at_ns))
		return;
	k.from = m->used;
	for (int op = 0; op < OP_COUNT; op++)
		for (unsigned i = 0; i < k.op[op].n; i++)
			m->count[m->used++] = (uint32_t)lat[op].bucket[k.op[op].first + i];
	m->mark[m->n++] = k;
}

static uint32_t sum_above(const struct marks *m, const struct mark *k, int op, unsigned bucket)
{
	uint32_t from = k->from, sum = k->op[op].beyond;
	unsigned skip = 0;

	for (int i = 0; i < op; i++)
		from += k->op[i].n;
	if (bucket >= k->op[op].first)
		skip = bucket + 1 - k->op[op].first;
	for (unsigned i = skip; i < k->op[op].n; i++)
		sum += m->count[from + i];
	return sum;
}

static struct tail_counts at_end(const struct hist *h, unsigned bucket)
{
	uint64_t sum = h->overflow;
	unsigned first, end;

	hist_used(h, &first, &end);
	for (unsigned i = bucket + 1 > first ? bucket + 1 : first; i < end; i++)
		sum += h->bucket[i];
	return (struct tail_counts){ (uint32_t)sum, (uint32_t)h->n };
}

struct tail_counts marks_at(const struct marks *m, const struct hist *end, enum op op,
                            unsigned bucket, uint64_t at_ns)
{
	for (unsigned i = 0; i < m->n; i++)
		if (m->mark[i].at_ns >= at_ns)
			return (struct tail_counts){ sum_above(m, &m->mark[i], (int)op, bucket),
				                     m->mark[i].op[op].all };
	return at_end(end, bucket);
}
