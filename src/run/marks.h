/* run/marks.h: what the latency histograms of one job held at up to TAIL_MAX moments of its
 * window, evenly apart: how many I/Os were slower than some threshold is then known for every
 * batch of time, whatever the threshold turns out to be. Taken where slots of the series end,
 * so that an I/O costs nothing here. */
#ifndef RUN_MARKS_H
#define RUN_MARKS_H

#include "model/sample.h"

#define MARKS_ROOM (1u << 16) /* counts; a mark has one for each bucket that may be in use */

struct mark {
	uint64_t at_ns; /* into the window: holds for every multiple of width_ns after the mark
	                   before, up to here */
	uint32_t from;  /* its counts */
	struct {
		uint16_t first, n;    /* buckets */
		uint32_t all, beyond; /* hist.n and .overflow; as the counts, modulo 2^32 */
	} op[OP_COUNT];
};

struct marks {
	uint32_t *count; /* MARKS_ROOM */
	uint64_t width_ns;
	unsigned n;
	uint32_t used;
	struct mark mark[TAIL_MAX];
};

void marks_begin(struct marks *m, uint64_t width_ns);
/* The time is since_start_ns into the window. Nothing is taken before the next multiple of the
 * width; when there is no room the width doubles, and of two marks one stays.
 * lat: OP_COUNT of them. */
void marks_take(struct marks *m, const struct hist *lat, uint64_t since_start_ns);
void marks_widen(struct marks *m, uint64_t width_ns);

struct tail_counts {
	uint32_t above, all; /* modulo 2^32: only differences mean something */
};

/* I/Os of an op in buckets above `bucket`, and all of them, until at_ns (a multiple of
 * width_ns); end: the histogram when the window had ended. */
struct tail_counts marks_at(const struct marks *m, const struct hist *end, enum op op,
                            unsigned bucket, uint64_t at_ns);

#endif
