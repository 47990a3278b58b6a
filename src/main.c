/* main.c: the verb, its options, its exit code. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "host/facts.h"

static int usage(const char *word)
{
	const char *name[32];
	size_t n = 0;
	const char *near;

	if (!word) {
		complain("no command given; see: iosweep help");
		return EXIT_USAGE;
	}
	for (const struct command *c = commands; c->name && n < 32; c++)
		name[n++] = c->name;
	near = text_nearest(word, name, n);
	complain("unknown command '%s'%s%s%s; see: iosweep help", word,
	         near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
	return EXIT_USAGE;
}

/* Of a write that failed before the last one stdio has forgotten why; a pipe without a reader still
 * says so. */
static bool reader_is_gone(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && p.revents & POLLERR;
}

/* What was printed must have arrived; a reader that wants no more is no failure. */
static int check_stdout(void)
{
	int error = fflush(stdout) ? errno : 0;

	if (error == EPIPE || (!error && !ferror(stdout)) || reader_is_gone())
		return EXIT_OK;
	complain("stdout: %s", error ? err_name(error) : "a part of it could not be written");
	return EXIT_STORE;
}

static int run(const struct command *c, int argc, char **argv)
{
	struct options o;
	int r = options_parse(&o, c, argc, argv);

	if (!r && o.args)
		r = c->run(&o);
	options_fini(&o);
	return r ? r : check_stdout();
}

/* Started with a closed stdin, stdout or stderr: the next file opened would take its number,
 * and its messages. */
static void open_standard(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	static char help[] = "help";
	const struct command *c;

	open_standard();
	limits_raise_files();

	if (argc < 2)
		return usage(NULL);
	if (!strcmp(argv[1], "--version")) {
		printf("iosweep %s\n", IOSWEEP_VERSION);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		argv[1] = help;
	c = command_find(argv[1]);
	if (!c)
		return usage(argv[1]);
	return run(c, argc - 1, argv + 1);
}
