/* cmd/cmd.h: one command of the program, and the options it understands. Each command is one
 * file; the table of them is in commands.c. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>

#include "base/exit.h"
#include "base/text.h"

enum progress_mode { PROGRESS_AUTO, PROGRESS_TTY, PROGRESS_PLAIN, PROGRESS_NONE };

struct options {
	const char *db, *csv, *out_dir, *output, *where, *format, *until, *for_time, *redo,
	    *reuse;
	const char *run, *layout, *by, *metric, *within, *fail_on, *pivot;
	const char *x, *y, *series, *panel, *label, *kind, *ratio, *compare;
	struct strlist set, tag, destroy, overwrite_signature, retry, limit, a, b, ignore;
	struct strlist cmdline, section, sweep, without;
	bool json, quiet, verbose, strict, yes_large, list, markdown, all, keep, wide, intervals, histograms, keep_going, fio, sum_jobs;
	bool plot;
	enum progress_mode progress;
	char **args; /* what is left: CONFIG, DB, ... */
	int nargs;
};

struct command {
	const char *name;
	const char *args;       /* "CONFIG|-", "DB [ID]" */
	const char *summary;    /* one line for `help` */
	const char *help;       /* more lines for `help NAME`, or NULL */
	const char *options;    /* space-separated long names it takes, e.g. "set where json" */
	int min_args, max_args; /* max_args -1: any number */
	int (*run)(const struct options *o); /* returns an exit code */
};

extern const struct command commands[]; /* ends with a NULL name */
const struct command *command_find(const char *name);

/* Parse argv (argv[0] is the verb) for this command. 0, or EXIT_USAGE after printing what is
 * wrong to stderr. EXIT_OK with o->args == NULL: --help was printed. */
int options_parse(struct options *o, const struct command *c, int argc, char **argv);
void options_fini(struct options *o);

/* "iosweep: <text>" to stderr. */
__attribute__((format(printf, 1, 2))) void complain(const char *fmt, ...);

int cmd_best(const struct options *o);
int cmd_clean(const struct options *o);
int cmd_compare(const struct options *o);
int cmd_export(const struct options *o);
int cmd_help(const struct options *o);
int cmd_import(const struct options *o);
int cmd_import_job(const struct options *o);
int cmd_list(const struct options *o);
int cmd_plan(const struct options *o);
int cmd_plot(const struct options *o);
int cmd_report(const struct options *o);
int cmd_probe(const struct options *o);
int cmd_resume(const struct options *o);
int cmd_run(const struct options *o);
int cmd_show(const struct options *o);

#endif
