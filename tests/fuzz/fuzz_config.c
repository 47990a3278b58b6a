/* Any text as a config: a sweep, or at least one problem in words; never anything else. What is
 * accepted is accepted again as the effective config that a database would keep. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int load(struct sweep **sweep, const char *text)
{
	const struct config_source src = { .path = "fuzz.json", .text = text };
	struct strlist problems = { 0 };
	int r = config_load(sweep, &src, &problems);

	assert(r == 0 ? problems.len == 0 : problems.len > 0);
	strlist_fini(&problems);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sweep *sweep = NULL, *again = NULL;
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (!load(&sweep, text)) {
		assert(sweep->config_text);
		assert(!load(&again, sweep->config_text));
		sweep_free(again);
		sweep_free(sweep);
	}
	free(text);
	return 0;
}
