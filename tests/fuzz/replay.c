/* Runs a fuzz target once over each file named, without a fuzzer: so that what was found once
 * stays found. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *f = fopen(path, "rb");
	uint8_t *copy;
	size_t n;

	if (!f)
		return -1;
	n = fread(data, 1, sizeof(data), f);
	(void)fclose(f);
	copy = malloc(n ? n : 1); /* of its exact size, so that a sanitizer sees its end */
	if (!copy)
		return -1;
	for (size_t i = 0; i < n; i++)
		copy[i] = data[i];
	(void)LLVMFuzzerTestOneInput(copy, n);
	free(copy);
	printf("[       OK ] %s\n", path);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (replay(argv[i])) {
			(void)fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
	return argc < 2;
}
