/* Any bytes as a stored histogram: refused, or one whose parts agree and that packs to the same
 * again. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/hist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hist *h = calloc(1, sizeof(*h)), *again = calloc(1, sizeof(*again));
	struct err e = { 0 };

	assert(h && again);
	if (hist_unpack(h, data, size, &e)) {
		assert(e.code && *e.text);
	} else {
		size_t n = hist_pack(h, NULL, 0);
		uint8_t *packed = malloc(n);

		assert(packed && hist_pack(h, packed, n) == n);
		assert(!hist_unpack(again, packed, n, &e));
		assert(!memcmp(h, again, sizeof(*h)));
		if (h->n)
			assert(hist_percentile(h, 99) >= (double)h->min &&
			       hist_percentile(h, 99) <= (double)h->max);
		free(packed);
	}
	free(h);
	free(again);
	return 0;
}
