#include "run/smaps.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* "7f0000000000-7f0000200000 rw-p ..." begins the lines of a mapping: does it reach there? Other
 * lines leave it as it is. */
static bool overlaps(const char *line, uintptr_t from, uintptr_t to, bool before)
{
	char *end;
	uintptr_t begin = strtoul(line, &end, 16);

	if (*end != '-')
		return before;
	return begin < to && strtoul(end + 1, NULL, 16) > from;
}

size_t smaps_huge_bytes(const void *from, size_t len)
{
	static const char key[] = "AnonHugePages:";
	AUTO(fclosep) FILE *f = fopen("/proc/self/smaps", "re");
	AUTO(freep) char *line = NULL;
	bool ours = false;
	size_t room = 0, bytes = 0;

	while (f && getline(&line, &room, f) > 0) {
		ours = overlaps(line, (uintptr_t)from, (uintptr_t)from + len, ours);
		if (ours && !strncmp(line, key, sizeof(key) - 1))
			bytes += strtoul(line + sizeof(key) - 1, NULL, 10) * 1024;
	}
	return bytes < len ? bytes : len;
}
