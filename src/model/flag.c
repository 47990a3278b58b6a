#include "model/flag.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* An optional third argument is the printed name, where it is no C identifier. */
#define NAME_(id, help, name, ...) name
#define NAME(id, ...) NAME_(id, __VA_ARGS__, #id, )
#define HELP_(help, ...) help
#define HELP(...) HELP_(__VA_ARGS__, )

static const struct flag flags[FLAG_COUNT] = {
#define DOUBT(id, ...) [FLAG_##id] = { .name = NAME(id, __VA_ARGS__), .help = HELP(__VA_ARGS__), .doubt = true },
#define NOTE(id, ...) [FLAG_##id] = { .name = NAME(id, __VA_ARGS__), .help = HELP(__VA_ARGS__), .doubt = false },
#include "model/flags.def"
};

const uint64_t flag_doubt_mask = 0
#define DOUBT(id, ...) | FLAG_BIT(id)
#define NOTE(id, ...)
#include "model/flags.def"
	;

const struct flag *flag_at(size_t i)
{
	assert(i < FLAG_COUNT);
	return &flags[i];
}

size_t flag_find(const char *name, size_t n)
{
	size_t i = 0;

	while (i < FLAG_COUNT &&
	       (strlen(flags[i].name) != n || strncmp(flags[i].name, name, n) != 0))
		i++;
	return i;
}

void flag_print(uint64_t bits, bool doubts, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < FLAG_COUNT && n < size; i++)
		if ((bits & (1ULL << i)) && flags[i].doubt == doubts)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", flags[i].name);
}

uint64_t flag_parse(const char *words)
{
	uint64_t bits = 0;

	for (const char *p = words; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t i = flag_find(p, strcspn(p, " "));

		if (i < FLAG_COUNT)
			bits |= UINT64_C(1) << i;
	}
	return bits;
}
