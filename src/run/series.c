#include "run/series.h"

#include <string.h>

uint64_t series_width(uint64_t window_ns)
{
	uint64_t width = SERIES_SLOT_NS;

	while (window_ns / width >= SERIES_MAX)
		width *= 2;
	return width;
}

void series_begin(struct series *s, uint64_t slot_ns)
{
	memset(s->slot, 0, s->used * sizeof(*s->slot));
	s->slot_ns = slot_ns;
	s->used = 1;
	s->current = 0;
	s->seen = (struct series_slot){ 0 };
}

static void slot_add(struct series_slot *into, const struct series_slot *from)
{
	for (int op = 0; op < OP_COUNT; op++) {
		into->ios[op] += from->ios[op];
		into->bytes[op] += from->bytes[op];
		into->lat_sum_ns[op] += from->lat_sum_ns[op];
	}
}

static void fold(struct series *s)
{
	uint32_t n = (s->used + 1) / 2;

	for (uint32_t i = 0; i < n; i++) {
		struct series_slot sum = s->slot[2 * (size_t)i];

		if (2 * i + 1 < s->used)
			slot_add(&sum, &s->slot[2 * (size_t)i + 1]);
		s->slot[i] = sum;
	}
	memset(&s->slot[n], 0, (s->used - n) * sizeof(*s->slot));
	s->used = n;
	s->current /= 2;
	s->slot_ns *= 2;
}

void series_widen(struct series *s, uint64_t slot_ns)
{
	while (s->slot_ns < slot_ns)
		fold(s);
}

void series_end(struct series *s, const struct series_slot *totals)
{
	struct series_slot *slot = &s->slot[s->current];

	for (int op = 0; op < OP_COUNT; op++) {
		slot->ios[op] += totals->ios[op] - s->seen.ios[op];
		slot->bytes[op] += totals->bytes[op] - s->seen.bytes[op];
		slot->lat_sum_ns[op] += totals->lat_sum_ns[op] - s->seen.lat_sum_ns[op];
	}
	s->seen = *totals;
}

uint64_t series_advance(struct series *s, uint64_t since_start_ns,
                        const struct series_slot *totals)
{
	series_end(s, totals);
	while (since_start_ns / s->slot_ns >= SERIES_MAX)
		fold(s);
	if (since_start_ns / s->slot_ns > s->current)
		s->current = (uint32_t)(since_start_ns / s->slot_ns);
	if (s->current >= s->used)
		s->used = s->current + 1;
	return (s->current + UINT64_C(1)) * s->slot_ns;
}
