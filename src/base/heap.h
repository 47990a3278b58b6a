/* base/heap.h: a binary heap of caller's memory: the least key first, and of equal keys the
 * least order. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct heap_item {
	uint64_t key, order;
	void *what;
};

static inline bool heap_before(const struct heap_item *a, const struct heap_item *b)
{
	return a->key != b->key ? a->key < b->key : a->order < b->order;
}

/* n: items so far, of which there is room for one more. */
static inline void heap_push(struct heap_item *heap, unsigned n, struct heap_item item)
{
	unsigned i = n;

	for (; i; i = (i - 1) / 2) {
		unsigned up = (i - 1) / 2;

		if (!heap_before(&item, &heap[up]))
			break;
		heap[i] = heap[up];
	}
	heap[i] = item;
}

/* Put item where heap[0] was, n > 0 items. */
static inline void heap_replace(struct heap_item *heap, unsigned n, struct heap_item item)
{
	unsigned i = 0, child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && heap_before(&heap[child + 1], &heap[child]))
			child++;
		if (!heap_before(&heap[child], &item))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = item;
}

/* Take heap[0] away: n - 1 items are left. */
static inline struct heap_item heap_pop(struct heap_item *heap, unsigned n)
{
	struct heap_item top = heap[0];

	if (n > 1)
		heap_replace(heap, n - 1, heap[n - 1]);
	return top;
}

#endif
