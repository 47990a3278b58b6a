/* cmd/exit_of.h: the exit codes of commands that ask a database, or change one: one rule for all. */
#ifndef CMD_EXIT_OF_H
#define CMD_EXIT_OF_H

#include "base/exit.h"
#include "sink/store.h"

/* `error`: 0, or a -errno of a question to an open database, or of the file its answer goes to. */
int exit_of_error(int error);
/* `error`: 0, or a -errno of store_resume(). */
int exit_of_resume(int error);

/* store_open() for the command `verb`: EXIT_OK, or a code after saying what is wrong. Nothing is to be closed then. */
int open_to_ask(struct store **out, const char *verb, const char *path);

#endif
