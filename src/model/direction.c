#include "model/direction.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"

/* What is packed: PAIR, KILO when both are in units of 1024, 31 bits of writes, 31 of reads. */
#define PAIR      (UINT64_C(1) << 63)
#define KILO      (UINT64_C(1) << 62)
#define PART_BITS 31
#define PART_MAX  ((UINT64_C(1) << PART_BITS) - 1)

static int pack(uint64_t read, uint64_t write, uint64_t *value)
{
	uint64_t kilo = 0;

	if (read == write) {
		*value = read;
		return 0;
	}
	if ((read | write) > PART_MAX) {
		if ((read | write) % KIB)
			return -ERANGE;
		read /= KIB;
		write /= KIB;
		kilo = KILO;
	}
	if ((read | write) > PART_MAX)
		return -ERANGE;
	*value = PAIR | kilo | write << PART_BITS | read;
	return 0;
}

static int parse_part(const struct axis *a, const char *text, size_t len, uint64_t *value)
{
	char part[64];

	*value = axis_default(a);
	if (!len)
		return 0;
	if (len >= sizeof(part))
		return -EINVAL;
	memcpy(part, text, len);
	part[len] = '\0';
	return axis_parse(a, a->name, part, value, NULL);
}

int direction_parse(const struct axis *a, const char *text, uint64_t *value)
{
	size_t first = strcspn(text, ",");
	uint64_t read, write;
	int r;

	if (text[first] != ',' || strchr(text + first + 1, ','))
		return -EINVAL;
	r = parse_part(a, text, first, &read);
	if (!r)
		r = parse_part(a, text + first + 1, strlen(text + first + 1), &write);
	return r ? r : pack(read, write, value);
}

bool direction_differs(const struct axis *a, uint64_t value)
{
	return a->directions && value & PAIR && value != AXIS_UNSET;
}

uint64_t direction_of(const struct axis *a, uint64_t value, enum op op)
{
	uint64_t part;

	if (!direction_differs(a, value))
		return value;
	part = (op == OP_READ ? value : value >> PART_BITS) & PART_MAX;
	return value & KILO ? part * KIB : part;
}
