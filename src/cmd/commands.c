#include <string.h>

#include "cmd/cmd.h"

/* The verbs of the program; `iosweep help` prints this table. */
const struct command commands[] = {
	{ .name = "help", .args = "[TOPIC]", .summary = "this text, or about one topic or command",
	  .options = "", .max_args = 1, .run = cmd_help },
	{ .name = "clean", .args = "DB", .summary = "remove what an abandoned sweep left",
	  .help = "Removes the files that the sweep made: only those that still carry its marker and are still the same\n"
		  "file. The results stay. Refused while a sweep runs on DB.",
	  .options = "quiet", .min_args = 1, .max_args = 1, .run = cmd_clean },
	{ 0 },
};

const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}
