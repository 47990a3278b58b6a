#include "run/buffers.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "run/smaps.h"

#define RESERVE (UINT64_C(64) << 20)

bool arena_fits(const struct arena *a, size_t need)
{
	return need <= a->reserved;
}

void arena_fini(struct arena *a)
{
	if (a->mem)
		(void)munmap(a->mem, a->reserved);
	*a = (struct arena){ .huge = a->huge };
}

/* Address space aligned for huge pages; memory comes with the first touch. */
static uint8_t *reserve(size_t size)
{
	uint8_t *p = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t head;

	if (p == MAP_FAILED)
		return NULL;
	head = (HUGE_PAGE - ((uintptr_t)p & (HUGE_PAGE - 1))) & (HUGE_PAGE - 1);
	if (head)
		(void)munmap(p, head);
	if (HUGE_PAGE - head)
		(void)munmap(p + head + size, HUGE_PAGE - head);
	return p + head;
}

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

int arena_grow(struct arena *a, size_t need, struct err *e)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (!arena_fits(a, need)) {
		size_t size = round_up(need, HUGE_PAGE);

		arena_fini(a);
		a->reserved = size > RESERVE ? size : RESERVE;
		a->mem = reserve(a->reserved);
		if (!a->mem) { /* strict overcommit, or a limit on address space */
			a->reserved = round_up(need, page);
			a->mem = reserve(a->reserved);
		}
		if (!a->mem) {
			*a = (struct arena){ .huge = a->huge };
			return err_set(e, -ENOMEM,
			               "cannot allocate %zu bytes of I/O buffers: %s", need,
			               err_name(ENOMEM));
		}
		/* fewer segments per large I/O; harmless where there are no huge pages */
		(void)madvise(a->mem, a->reserved, a->huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	}
	for (; a->touched < need; a->touched += page)
		*(volatile uint8_t *)(a->mem + a->touched) = 0;
	return 0;
}

void arena_ask_huge(struct arena *a)
{
	if (!a->huge || a->asked == a->touched)
		return;
	a->asked = a->touched;
	a->granted = smaps_huge_bytes(a->mem, round_up(a->touched, HUGE_PAGE));
	if (a->granted > a->touched)
		a->granted = a->touched;
}

void arena_trim(struct arena *a, size_t keep)
{
	keep = round_up(keep, HUGE_PAGE);
	if (a->touched <= keep)
		return;
	(void)madvise(a->mem + keep, a->touched - keep, MADV_DONTNEED);
	a->touched = keep;
	a->asked = 0; /* what is touched anew may be granted less */
	if (a->random > keep)
		a->random = keep;
}

/* The first n bytes stand at p already. */
static void repeat(uint8_t *p, size_t len, size_t n)
{
	for (size_t done = n; done < len; done += n) /* what is there doubles */
		memcpy(p + done, p, n = done < len - done ? done : len - done);
}

static void fill(uint8_t *p, size_t len, const uint8_t *bytes, size_t n)
{
	if (!n) {
		memset(p, 0, len);
		return;
	}
	n = n < len ? n : len;
	memcpy(p, bytes, n);
	repeat(p, len, n);
}

void arena_repeat(struct arena *a, size_t len, size_t stride, const uint8_t *bytes, size_t n)
{
	for (size_t at = 0; at < len; at += stride)
		fill(a->mem + at, stride < len - at ? stride : len - at, bytes, n);
	a->random = 0;
}

void arena_fill(struct arena *a, size_t len, uint64_t seed)
{
	struct rng r;

	if (a->random >= len)
		return;
	rng_seed(&r, seed);
	rng_fill(&r, a->mem + a->random, len - a->random);
	a->random = len;
}

void arena_spoil(struct arena *a, size_t from)
{
	if (a->random > from)
		a->random = from;
}

/* Of a buffer, wherever it lies: four of them are added to at a time where the machine can. */
typedef uint64_t words __attribute__((vector_size(32), aligned(1), may_alias));

/* Add one random number to every word: as random as before, and nothing of what was there is
 * left. */
static void stir(uint8_t *p, uint32_t len, uint64_t by)
{
	uint64_t w[sizeof(words) / sizeof(uint64_t)] = { 0 };

	for (; len >= sizeof(words); p += sizeof(words), len -= (uint32_t)sizeof(words))
		*(words *)p += by;
	memcpy(w, p, len);
	for (size_t i = 0; i < ARRAY_SIZE(w); i++)
		w[i] += by;
	memcpy(p, w, len);
}

/* All of a write follows from one seed: the same seed, the same data. */
static void mix(struct pattern *p, uint8_t *buf, uint32_t len)
{
	const struct recipe *c = &p->recipe;
	struct rng r;

	if (rng_below(&p->rng, 100) >= c->dedupe)
		p->content = rng_next(&p->rng);
	rng_seed(&r, p->content);
	for (uint32_t at = 0, n; at < len; at += n) {
		uint32_t random;

		n = c->chunk < len - at ? c->chunk : len - at;
		random = (uint32_t)((uint64_t)n * (100 - c->compress) / 100);
		rng_fill(&r, buf + at, random);
		fill(buf + at + random, n - random, c->bytes, c->n);
	}
}

void pattern_apply(struct pattern *p, void *buf, uint32_t len, uint64_t offset)
{
	if (p->fixed)
		return;
	if (p->mixed) {
		mix(p, buf, len);
		return;
	}
	if (p->refill) {
		rng_fill(&p->rng, buf, len);
		return;
	}
	if (len < STIR_BELOW) {
		stir(buf, len, rng_next(&p->rng));
		return;
	}
	for (uint32_t at = 0; at < len; at += STAMP_STEP) {
		uint64_t stamp[2] = { (offset + at) ^ p->key, p->sequence++ };

		memcpy((uint8_t *)buf + at, stamp,
		       len - at < sizeof(stamp) ? len - at : sizeof(stamp));
	}
}
