/* run/buffers.h: the buffer memory of one job thread. Growing only while that is cheap; random
 * data is made once and changed per write, so that no two 4 KiB written are alike. */
#ifndef RUN_BUFFERS_H
#define RUN_BUFFERS_H

#include "base/err.h"
#include "base/rng.h"
#include "engine/engine.h"

#define STAMP_STEP 4096
/* Smaller writes have nothing in common with any before: a compressor that looks at several of
 * them finds nothing. Larger ones are random within and differ in each 4 KiB: no file system
 * compresses across so much. */
#define STIR_BELOW (128 * 1024)

struct arena {
	uint8_t *mem;
	size_t reserved; /* address space: fixed while an engine may know it */
	size_t touched;  /* has memory behind it */
	size_t random;   /* this prefix holds random data */
	bool huge;       /* whole huge pages, where the kernel grants them; else it has none */
	size_t asked;    /* what was touched when arena_ask_huge() asked ... */
	size_t granted;  /* ... and how much of it had huge pages */
};

#define HUGE_PAGE (UINT64_C(2) << 20)

/* Make [0, need) usable: touched, aligned to 2 MiB. When !arena_fits() the address changes:
 * engines that know the old one must be closed before. -ENOMEM. A huge page counts as a whole
 * where locked memory is limited, however little of it is used: hence arenas with them and
 * without. */
int arena_grow(struct arena *a, size_t need, struct err *e);
bool arena_fits(const struct arena *a, size_t need); /* arena_grow() would not move it */
void arena_trim(struct arena *a, size_t keep);       /* give memory beyond `keep` back */
void arena_fini(struct arena *a);
/* Ask the kernel how much of a->touched has huge pages, if that changed: into a->granted. */
void arena_ask_huge(struct arena *a);

/* Random data in [0, len), if it is not there already. */
void arena_fill(struct arena *a, size_t len, uint64_t seed);
/* These n bytes over and over, anew in each stride of [0, len); n 0: zeros. */
void arena_repeat(struct arena *a, size_t len, size_t stride, const uint8_t *bytes, size_t n);
/* Bytes from `from` on will be read into: random no more. */
void arena_spoil(struct arena *a, size_t from);

/* What a write is made of when some of it is to compress, or to have been written before. */
struct recipe {
	const uint8_t *bytes; /* of what compresses: repeated from its start, borrowed ... */
	uint32_t n;           /* ... 0: zeros */
	uint32_t chunk;       /* bytes that hold one random part and one that compresses */
	unsigned compress, dedupe; /* % */
};

/* Data of the writes of one job. */
struct pattern {
	uint64_t key, sequence;
	bool fixed; /* the buffers stay as they are */
	bool refill;
	bool mixed; /* by the recipe */
	struct recipe recipe;
	uint64_t content; /* mixed: the seed of the write before */
	struct rng rng;   /* seeded */
};

/* Make the buffer unlike any written before, or what is asked for instead: called once per write, when it is not in flight.
 */
void pattern_apply(struct pattern *p, void *buf, uint32_t len, uint64_t offset);

#endif
