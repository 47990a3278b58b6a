/* Use up the asynchronous I/O events of this machine (fs.aio-max-nr) but for LEFT, until stdin
 * ends. hold_aio LEFT */
#include <libaio.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long value(const char *path)
{
	char text[32] = "";
	FILE *f = fopen(path, "re");

	if (f) {
		if (!fgets(text, sizeof(text), f))
			text[0] = '\0';
		(void)fclose(f);
	}
	return strtol(text, NULL, 10);
}

int main(int argc, char **argv)
{
	long take = value("/proc/sys/fs/aio-max-nr") - value("/proc/sys/fs/aio-nr") -
	            (argc > 1 ? strtol(argv[1], NULL, 10) : 0);
	io_context_t ctx = NULL;
	char byte;

	if (take < 1 || take > 65536 || io_setup((int)take, &ctx))
		return 77;
	puts("held");
	(void)fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return io_destroy(ctx) ? 1 : 0;
}
