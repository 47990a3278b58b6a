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

void arena_fill(struct arena *a, size_t len, bool zero, uint64_t seed)
{
	struct rng r;

	if (zero) {
		memset(a->mem, 0, len);
		a->random = 0;
		return;
	}
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

void pattern_apply(struct pattern *p, void *buf, uint32_t len, uint64_t offset)
{
	if (p->zero)
		return;
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
