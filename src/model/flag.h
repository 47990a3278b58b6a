/* model/flag.h: doubts and notes as bits of one uint64_t, from the table flags.def. */
#ifndef MODEL_FLAG_H
#define MODEL_FLAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum flag_id {
#define DOUBT(id, ...) FLAG_##id,
#define NOTE(id, ...) FLAG_##id,
#include "model/flags.def"
	FLAG_COUNT
};

/* What stands before the second of the window in the sentences of doubts that know one. */
#define FLAG_FROM_SECOND  "from second "
#define FLAG_IN_THE_FIRST "in the first "

#define FLAG_BIT(id) (1ULL << FLAG_##id)

struct flag {
	const char *name; /* as printed: "short-window" */
	const char *help; /* the rule with its numbers */
	bool doubt;       /* else a note */
};

const struct flag *flag_at(size_t i); /* i < FLAG_COUNT */
/* The flag whose name are the n bytes at `name`; FLAG_COUNT: none. */
size_t flag_find(const char *name, size_t n);

/* The space-separated names of the doubts (or notes) in `bits`; "" when none. */
void flag_print(uint64_t bits, bool doubts, char *buf, size_t size);
/* The bits of such names; what is none counts for nothing. */
uint64_t flag_parse(const char *words);

static inline bool flag_any_doubt(uint64_t bits)
{
	extern const uint64_t flag_doubt_mask;
	return (bits & flag_doubt_mask) != 0;
}

#endif
