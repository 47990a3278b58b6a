#include "model/hist.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define PACK_VERSION 1

void hist_used(const struct hist *h, unsigned *first, unsigned *end)
{
	const uint64_t top = (UINT64_C(1) << HIST_TOP_BITS) - 1;

	*first = h->n ? hist_index(h->min < top ? h->min : top) : 0;
	*end = h->n ? hist_index(h->max < top ? h->max : top) + 1 : 0;
}

uint64_t hist_low(unsigned index)
{
	unsigned shift;

	if (index < 256)
		return index;
	shift = (index >> HIST_SUB_BITS) - 1;
	return (uint64_t)((index & 127) | 128) << shift;
}

uint64_t hist_high(unsigned index)
{
	if (index < 256)
		return index;
	return hist_low(index) + (UINT64_C(1) << ((index >> HIST_SUB_BITS) - 1)) - 1;
}

void hist_clear(struct hist *h)
{
	unsigned first, end;

	hist_used(h, &first, &end);
	memset(&h->bucket[first], 0, (end - first) * sizeof(h->bucket[0]));
	h->n = h->sum = h->min = h->max = h->overflow = 0;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	unsigned first, end;

	if (!from->n)
		return;
	hist_used(from, &first, &end);
	for (unsigned i = first; i < end; i++)
		into->bucket[i] += from->bucket[i];
	if (!into->n || from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	if (__builtin_add_overflow(into->sum, from->sum, &into->sum))
		into->sum = UINT64_MAX;
	into->n += from->n;
	into->overflow += from->overflow;
}

static double midpoint(unsigned index)
{
	return ((double)hist_low(index) + (double)hist_high(index)) / 2;
}

double hist_percentile(const struct hist *h, double p)
{
	double rank = ceil(p * (double)h->n / 100);
	double value = (double)h->max;
	uint64_t seen = 0;
	unsigned first, end;

	hist_used(h, &first, &end);
	for (unsigned i = first; i < end; i++) {
		seen += h->bucket[i];
		if (seen && (double)seen >= rank) {
			value = midpoint(i);
			break;
		}
	}
	if (value < (double)h->min)
		return (double)h->min;
	return value > (double)h->max ? (double)h->max : value;
}

double hist_mean(const struct hist *h)
{
	return (double)h->sum / (double)h->n;
}

double hist_stddev(const struct hist *h)
{
	double mean = hist_mean(h), sum = 0, d;
	unsigned first, end;

	if (h->min == h->max)
		return 0;
	hist_used(h, &first, &end);
	for (unsigned i = first; i < end; i++) {
		d = midpoint(i) - mean;
		sum += (double)h->bucket[i] * d * d;
	}
	d = (double)h->max - mean;
	sum += (double)h->overflow * d * d;
	return sqrt(sum / (double)h->n);
}

struct packer {
	uint8_t *out;
	size_t size, len;
};

static void put_byte(struct packer *p, uint8_t b)
{
	if (p->len < p->size)
		p->out[p->len] = b;
	p->len++;
}

static void put_varint(struct packer *p, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		put_byte(p, (uint8_t)(v | 128));
	put_byte(p, (uint8_t)v);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written through the packer */
size_t hist_pack(const struct hist *h, uint8_t *out, size_t size)
{
	struct packer p = { .out = out, .size = size };
	unsigned next = 0, first, end;

	put_byte(&p, PACK_VERSION);
	put_byte(&p, HIST_SUB_BITS);
	put_byte(&p, 0);
	put_varint(&p, h->n);
	put_varint(&p, h->sum);
	put_varint(&p, h->min);
	put_varint(&p, h->max);
	put_varint(&p, h->overflow);
	hist_used(h, &first, &end);
	for (unsigned i = first; i < end; i++) {
		if (!h->bucket[i])
			continue;
		put_varint(&p, i - next);
		put_varint(&p, h->bucket[i]);
		next = i + 1;
	}
	return p.len;
}

struct unpacker {
	const uint8_t *in, *end;
};

static int get_varint(struct unpacker *u, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte;

		if (u->in == u->end)
			return -EINVAL;
		byte = *u->in++;
		if (shift == 63 && byte > 1)
			return -EINVAL;
		*v |= (byte & 127) << shift;
		if (byte < 128)
			return 0;
	}
	return -EINVAL;
}

/* Do the exact numbers fit the buckets? Keeps hist_used() true for histograms from files. */
static int check(const struct hist *h, uint64_t counted, struct err *e)
{
	const uint64_t top = (UINT64_C(1) << HIST_TOP_BITS) - 1;
	unsigned first, end;
	unsigned __int128 low = (unsigned __int128)h->n * h->min,
			  high = (unsigned __int128)h->n * h->max;

	if (counted != h->n)
		return err_set(e, -EINVAL, "histogram: the buckets do not add up to n");
	if (h->min > h->max || (!h->n && (h->sum || h->max)))
		return err_set(e, -EINVAL, "histogram: min, max and n contradict each other");
	if (h->n && h->sum != UINT64_MAX && (h->sum < low || h->sum > high))
		return err_set(e, -EINVAL,
		               "histogram: the sum is not between n x min and n x max");
	if ((h->overflow != 0) != (h->max > top))
		return err_set(e, -EINVAL, "histogram: max and overflow contradict each other");
	if (h->n == h->overflow)
		return h->n && h->min <= top
		           ? err_set(e, -EINVAL, "histogram: min is in no bucket")
		           : 0;
	hist_used(h, &first, &end);
	if (!h->bucket[first] || (!h->overflow && !h->bucket[end - 1]))
		return err_set(e, -EINVAL, "histogram: min or max is in no bucket");
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		if (h->bucket[i] && (i < first || i >= end))
			return err_set(e, -EINVAL,
			               "histogram: a bucket lies outside min and max");
	return 0;
}

int hist_unpack(struct hist *h, const uint8_t *in, size_t size, struct err *e)
{
	struct unpacker u = { .in = in, .end = in + size };
	uint64_t counted, gap, count, next = 0;

	memset(h, 0, sizeof(*h));
	if (size < 3 || in[0] != PACK_VERSION || in[1] != HIST_SUB_BITS || in[2] != 0)
		return err_set(e, -EINVAL, "histogram: not version %d with %d sub-bucket bits",
		               PACK_VERSION, HIST_SUB_BITS);
	u.in += 3;
	if (get_varint(&u, &h->n) || get_varint(&u, &h->sum) || get_varint(&u, &h->min) ||
	    get_varint(&u, &h->max) || get_varint(&u, &h->overflow))
		return err_set(e, -EINVAL, "histogram: cut short in its header");
	counted = h->overflow;
	while (u.in < u.end) {
		if (get_varint(&u, &gap) || get_varint(&u, &count))
			return err_set(e, -EINVAL, "histogram: cut short in its buckets");
		if (gap >= HIST_BUCKETS - next || !count)
			return err_set(e, -EINVAL, "histogram: no such bucket");
		next += gap;
		h->bucket[next++] = count;
		if (__builtin_add_overflow(counted, count, &counted))
			return err_set(e, -EINVAL, "histogram: the buckets do not add up to n");
	}
	return check(h, counted, e);
}
