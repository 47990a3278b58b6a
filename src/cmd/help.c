#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

static void print_commands(void)
{
	puts("iosweep finds where a storage device performs best: it runs every combination of block size, jobs,\n"
	     "depth, pattern, engine and target that a config lists, and stores what it measured.\n");
	puts("commands:");
	for (const struct command *c = commands; c->name; c++) {
		char left[64];

		(void)snprintf(left, sizeof(left), "%s %s", c->name, c->args);
		printf("  iosweep %-20s %s\n", left, c->summary);
	}
	puts("\nAlso: iosweep COMMAND --help, iosweep --version.");
}

int cmd_help(const struct options *o)
{
	if (o->nargs == 0) {
		print_commands();
		return EXIT_OK;
	}
	complain("help: unknown topic '%s'", o->args[0]);
	return EXIT_USAGE;
}
