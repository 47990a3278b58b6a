/* Any bytes as a config: no crash, no leak, either a sweep or at least one problem; a sweep's
 * effective config loads again. Built with -fsanitize=fuzzer it is a fuzz target; with
 * -DFUZZ_MAIN a program that replays the files named on its command line. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct sweep *load(const char *text)
{
	struct strlist problems = { 0 };
	struct sweep *s = NULL;
	int r =
	    config_load(&s, &(struct config_source){ .path = "fuzz", .text = text }, &problems);

	assert(r ? problems.len > 0 && !s : !problems.len && s);
	strlist_fini(&problems);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct sweep *s, *again;

	assert(text);
	s = load(text);
	if (s) {
		again = load(s->config_text);
		assert(again && !strcmp(s->config_text, again->config_text));
		sweep_free(again);
	}
	sweep_free(s);
	free(text);
	return 0;
}

#ifdef FUZZ_MAIN
static int replay(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *f = fopen(path, "rb");
	size_t n;

	if (!f) {
		perror(path);
		return 1;
	}
	n = fread(data, 1, sizeof(data), f);
	(void)fclose(f);
	return LLVMFuzzerTestOneInput(data, n);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (replay(argv[i]))
			return 1;
	return 0;
}
#endif
