#include <string.h>

#include "cmd/cmd.h"

/* The verbs of the program; `iosweep help` prints this table. */
const struct command commands[] = {
	{ .name = "help", .args = "[TOPIC]", .summary = "this text, or about one topic or command",
	  .options = "", .max_args = 1, .run = cmd_help },
	{ 0 },
};

const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}
