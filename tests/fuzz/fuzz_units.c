/* Any text as a size, a time, a moment or a value of an axis; what is printed is read back as
 * the same. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/moment.h"
#include "base/units.h"
#include "model/axis.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
}

/* The evening before the clocks go forward, in Central Europe. */
#define NOW (INT64_C(1774731600) * (int64_t)SEC)

static void moment_again(const char *text)
{
	char buf[40];
	int64_t at, again;

	if (moment_parse(text, NOW, &at, NULL))
		return;
	assert(at > NOW);
	assert(!moment_parse(clock_utc(buf, sizeof(buf), at), NOW, &again, NULL));
	assert(again == at);
}

static void axis_value_again(const struct axis *a, const char *text)
{
	struct err e = { 0 };
	uint64_t v, again;
	char allowed[256], human[64];

	if (a->kind == AXIS_TEXT)
		return;
	axis_allowed(a, allowed, sizeof(allowed));
	if (axis_parse(a, a->name, text, &v, &e)) {
		assert(e.code && *e.text);
		return;
	}
	axis_print_human(a, v, human, sizeof(human));
	assert(!axis_parse(a, a->name, human, &again, &e));
	assert(again == v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), buf[64];
	uint64_t v, again;

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (!parse_size(text, &v)) {
		assert(!parse_size(print_size(buf, sizeof(buf), v), &again));
		assert(again == v);
	}
	if (!parse_time(text, &v)) {
		assert(!parse_time(print_seconds(buf, sizeof(buf), v), &again));
		assert(again == v);
		(void)print_duration(buf, sizeof(buf), v);
	}
	if (!parse_u64(text, &v))
		(void)print_bytes(buf, sizeof(buf), v);
	moment_again(text);
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++)
		axis_value_again(a, text);
	free(text);
	return 0;
}
