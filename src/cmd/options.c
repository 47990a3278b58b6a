#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/export.h"
#include "cmd/plot_data.h"

struct option_row {
	const char *name; /* long name */
	const char *arg;  /* metavariable, NULL: a switch */
	const char *help; /* "": its choices */
	char letter; /* short form, 0: none */
	size_t off;  /* where it goes in struct options */
	enum { SWITCH, TEXT, LIST, PROGRESS } kind;
};

#define OFF(field) offsetof(struct options, field)

static const struct option_row rows[] = {
	{ "db", "FILE", "results database; the CSV then is FILE with .csv", 0, OFF(db), TEXT },
	{ "csv", "FILE", "results CSV", 0, OFF(csv), TEXT },
	{ "out", "DIR",
	  "directory for default file names, created one level deep (default results/)", 0,
	  OFF(out_dir), TEXT },
	{ "output", "FILE|DIR|-", "write there instead of stdout", 'o', OFF(output), TEXT },
	{ "format", "NAME", "", 0, OFF(format), TEXT },
	{ "run", "ID", "only the run of this number, or those of this combination", 0, OFF(run), TEXT },
	{ "where", "SQL", "only rows that match this SQL expression over the result columns; also size('64k'), seconds('5m')", 0,
	  OFF(where), TEXT },
	{ "by", "COLUMNS",
	  "axis columns that make a group: one answer each (filename,rw,direct,size,...)", 0, OFF(by),
	  TEXT },
	{ "metric", "NAME", "what is ranked or compared (run_bw_mib_s); see: iosweep help metrics", 0,
	  OFF(metric), TEXT },
	{ "within", "PERCENT", "of the peak: what counts as reaching it (95%)", 0, OFF(within),
	  TEXT },
	{ "x", "COLUMN", "along the horizontal axis", 0, OFF(x), TEXT },
	{ "y", "COLUMN", "along the vertical axis (of a heat map: its colour)", 0, OFF(y),
	  TEXT },
	{ "series", "COLUMN", "a line, or a row of a heat map, for each value", 0, OFF(series),
	  TEXT },
	{ "panel", "COLUMN", "a panel for each value", 0, OFF(panel), TEXT },
	{ "label", "COLUMN", "written beside each point, and the order of a line", 0,
	  OFF(label), TEXT },
	{ "kind", "KIND", "", 0, OFF(kind), TEXT },
	{ "ratio", "AXIS=ONE/OTHER",
	  "y of the one over y of the other (ioengine=io_uring/libaio)", 0, OFF(ratio), TEXT },
	{ "all", NULL, "each cell, instead of the best over what is not named", 0, OFF(all),
	  SWITCH },
	{ "keep", NULL, "leave the data and the script beside the picture", 0, OFF(keep),
	  SWITCH },
	{ "compare", "B", "another sweep beside it, and what changed", 0, OFF(compare), TEXT },
	{ "wide", NULL, "one row per run: read_, write_, ... columns", 0, OFF(wide), SWITCH },
	{ "pivot", "ROW,COLUMN,VALUE", "a matrix: the best VALUE (bs,iodepth,bw_mib_s)", 0,
	  OFF(pivot), TEXT },
	{ "intervals", NULL, "one row per run, op and second; with fio-json: its logs", 0, OFF(intervals), SWITCH },
	{ "histograms", NULL, "one row per run, op and latency bucket", 0, OFF(histograms),
	  SWITCH },
	{ "a", "AXIS=VALUE", "rows of side A (repeatable)", 0, OFF(a), LIST },
	{ "b", "AXIS=VALUE", "rows of side B (repeatable)", 0, OFF(b), LIST },
	{ "ignore", "AXES", "axes in which compared cells may differ", 0, OFF(ignore), LIST },
	{ "fail-on", "regression[:PCT]",
	  "exit 1 when a cell got worse, surely (by PCT or more)", 0, OFF(fail_on), TEXT },
	{ "markdown", NULL, "print Markdown", 0, OFF(markdown), SWITCH },
	{ "limit", "METRIC<=N", "most IOPS within this limit (repeatable): 'lat_p99_us<=2000'",
	  0, OFF(limit), LIST },
	{ "set", "KEY=VALUE",
	  "replace a config key (repeatable); commas split VALUE into a list", 0, OFF(set),
	  LIST },
	{ "cmdline", "'fio --name=...'", "jobs as a command line of fio has them (repeatable)", 0,
	  OFF(cmdline), LIST },
	{ "section", "NAME", "only this section (repeatable)", 0, OFF(section), LIST },
	{ "sweep", "KEY=VALUES",
	  "values in the place of what the jobs say (repeatable): bs=4k..1m*2, iodepth=1,8,32", 0,
	  OFF(sweep), LIST },
	{ "without", "OPTION,...", "leave these options of the jobs out (repeatable)", 0, OFF(without),
	  LIST },
	{ "tag", "KEY=VALUE", "tag the sweep (repeatable)", 0, OFF(tag), LIST },
	{ "destroy", "DEVICE",
	  "allow writing to this block device: all data on it is lost (repeatable)", 0,
	  OFF(destroy), LIST },
	{ "overwrite-signature", "TYPE",
	  "with --destroy: give up a signature of this type found there (repeatable)", 0,
	  OFF(overwrite_signature), LIST },
	{ "retry", "STATUS,...",
	  "also measure rows again that ended failed, timeout or skipped", 0, OFF(retry),
	  LIST },
	{ "redo", "SQL",
	  "also measure rows again for which this SQL expression over the result columns is "
	  "true",
	  0, OFF(redo), TEXT },
	{ "reuse", "DB",
	  "take over what this database has measured of the same combinations on the same "
	  "targets",
	  0, OFF(reuse), TEXT },
	{ "until", "TIME",
	  "no run that cannot end by then: the next 07:00 here, or 2026-12-01T07:00", 0,
	  OFF(until), TEXT },
	{ "for", "TIME", "no run that cannot end within so long, e.g. 8h", 0, OFF(for_time),
	  TEXT },
	{ "layout", "NAME", "of the folder: bench-fio", 0, OFF(layout), TEXT },
	{ "sum-jobs", NULL,
	  "jobs that fio ran as clones of one, or on several clients, as one run", 0,
	  OFF(sum_jobs), SWITCH },
	{ "json", NULL, "print one JSON document", 0, OFF(json), SWITCH },
	{ "list", NULL, "also list every combination in run order", 0, OFF(list), SWITCH },
	{ "fio", NULL, "print a shell script that runs the plan with fio, one JSON per run", 0, OFF(fio),
	  SWITCH },
	{ "progress", "MODE", "", 0, OFF(progress), PROGRESS },
	{ "quiet", NULL, "errors only, no summary", 'q', OFF(quiet), SWITCH },
	{ "verbose", NULL, "say more", 'v', OFF(verbose), SWITCH },
	{ "plot", NULL, "at the end, also draw what was measured in the terminal (by gnuplot)", 0, OFF(plot),
	  SWITCH },
	{ "keep-going", NULL,
	  "after 3 failures in a row on a target and engine, still try the rest of its rows", 0,
	  OFF(keep_going), SWITCH },
	{ "strict", NULL, "any skipped row gives exit code 1", 0, OFF(strict), SWITCH },
	{ "yes-large", NULL, "allow more than 1,000,000 combinations", 0, OFF(yes_large),
	  SWITCH },
};

#define ROWS    ARRAY_SIZE(rows)
#define CHOICES 32 /* of one option, at most */

/* In the order of enum progress_mode. */
static const char *progress_name(uint64_t i)
{
	static const char *const mode[] = { "auto", "tty", "plain", "none" };

	return i < ARRAY_SIZE(mode) ? mode[i] : NULL;
}

/* What takes names of a table only. */
static const struct option_choices {
	const char *option;
	const char *(*name)(uint64_t i); /* NULL past the last */
} choices[] = {
	{ "format", export_format_name },
	{ "kind", plot_kind_name },
	{ "progress", progress_name },
};

void complain(const char *fmt, ...)
{
	va_list ap;

	(void)fputs("iosweep: ", stderr);
	va_start(ap, fmt);
	(void)vfprintf(stderr, fmt, ap);
	va_end(ap);
	(void)fputc('\n', stderr);
}

/* NULL: it takes any text. */
static const struct option_choices *choices_of(const struct option_row *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
		if (!strcmp(choices[i].option, r->name))
			return &choices[i];
	return NULL;
}

/* "auto, tty, plain or none" */
static void add_choices(struct text *t, const struct option_choices *c)
{
	const char *name;

	for (uint64_t i = 0; (name = c->name(i)); i++)
		text_addf(t, "%s%s", !i ? "" : c->name(i + 1) ? ", " : " or ", name);
}

static void print_options(const char *names)
{
	char left[64];

	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *r = &rows[i];
		const struct option_choices *c = choices_of(r);
		AUTO(text_fini) struct text help = { 0 };

		if (!text_has_word(names, r->name))
			continue;
		if (c)
			add_choices(&help, c);
		else
			text_add(&help, r->help);
		(void)snprintf(left, sizeof(left), "%c%c%s--%s%s%s", r->letter ? '-' : ' ',
		               r->letter ? r->letter : ' ', r->letter ? ", " : "  ", r->name,
		               r->arg ? " " : "", r->arg ? r->arg : "");
		printf("  %-32s %s\n", left, text_get(&help));
	}
}

/* Which of its choices `text` is, 0 when it takes any; < 0 after saying that it is none. */
static int find_choice(const struct command *c, const struct option_row *r, const char *text)
{
	const struct option_choices *choice = choices_of(r);
	const char *name[CHOICES], *near;
	AUTO(text_fini) struct text allowed = { 0 };
	size_t n = 0;

	if (!choice)
		return 0;
	for (; n < CHOICES && (name[n] = choice->name(n)); n++)
		if (!strcmp(name[n], text))
			return (int)n;
	near = text_nearest(text, name, n);
	add_choices(&allowed, choice);
	complain("%s: --%s: '%s'%s%s%s: allowed: %s", c->name, r->name, text,
	         near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "",
	         text_get(&allowed));
	return -EINVAL;
}

static int set_option(struct options *o, const struct command *c, const struct option_row *r,
                      const char *text)
{
	void *field = (char *)o + r->off;
	int which = find_choice(c, r, text);

	if (which < 0)
		return EXIT_USAGE;
	switch (r->kind) {
	case SWITCH:
		*(bool *)field = true;
		break;
	case TEXT:
		*(const char **)field = text;
		break;
	case LIST:
		strlist_add(field, text);
		break;
	case PROGRESS:
		*(enum progress_mode *)field = (enum progress_mode)which;
		break;
	}
	return EXIT_OK;
}

static void print_usage(const struct command *c)
{
	printf("usage: iosweep %s%s %s\n\n  %s\n", c->name, *c->options ? " [OPTION]..." : "",
	       c->args, c->summary);
	if (c->help)
		printf("\n%s\n", c->help);
	if (*c->options) {
		puts("\noptions:");
		print_options(c->options);
	}
}

/* The long options this command takes, in getopt's form; val is 1000 + row. */
static void build(struct option *out, char *letters, const struct command *c)
{
	size_t n = 0, l = 0;

	letters[l++] = ':';
	letters[l++] = 'h';
	for (size_t i = 0; i < ROWS; i++) {
		if (!text_has_word(c->options, rows[i].name))
			continue;
		out[n++] = (struct option){ rows[i].name,
			                    rows[i].arg ? required_argument : no_argument, NULL,
			                    1000 + (int)i };
		if (rows[i].letter) {
			letters[l++] = rows[i].letter;
			if (rows[i].arg)
				letters[l++] = ':';
		}
	}
	out[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	out[n] = (struct option){ 0 };
	letters[l] = '\0';
}

static const struct option_row *row_of(int val)
{
	if (val >= 1000)
		return &rows[val - 1000];
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].letter == val)
			return &rows[i];
	return NULL;
}

/* getopt takes any beginning of a name; what gives a disk up is to be written out. argv[optind]
 * is the word behind the option and its value. */
static bool written_out(const struct option_row *row, char *const *argv)
{
	const char *word = argv[optind - 1 - (optarg && optarg == argv[optind - 1])];
	size_t n = strlen(row->name);

	return !strncmp(word, "--", 2) && !strncmp(word + 2, row->name, n) &&
	       (!word[2 + n] || word[2 + n] == '=');
}

static int abbreviated(const struct command *c, const struct option_row *row)
{
	complain("%s: --%s must be written out", c->name, row->name);
	return EXIT_USAGE;
}

static int bad_option(const struct command *c, int what, char *const *argv)
{
	const char *word = argv[optind - 1];

	if (what == ':')
		complain("%s: option '%s' needs a value", c->name, word);
	else
		complain("%s: unknown option '%s'; see: iosweep help %s", c->name, word,
		         c->name);
	return EXIT_USAGE;
}

static int check_args(const struct options *o, const struct command *c)
{
	if (o->nargs >= c->min_args && (c->max_args < 0 || o->nargs <= c->max_args))
		return 0;
	if (o->nargs < c->min_args)
		complain("%s: something is missing; usage: iosweep %s %s", c->name, c->name,
		         c->args);
	else
		complain("%s: unexpected argument '%s'; usage: iosweep %s %s", c->name,
		         o->args[c->max_args], c->name, c->args);
	return EXIT_USAGE;
}

int options_parse(struct options *o, const struct command *c, int argc, char **argv)
{
	struct option longs[ROWS + 2];
	char letters[2 * ROWS + 4];
	const struct option_row *row;
	int val, r;

	*o = (struct options){ 0 };
	build(longs, letters, c);
	optind = 0; /* start over: GNU getopt's way */
	opterr = 0;
	while ((val = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (val == 'h') {
			print_usage(c);
			return EXIT_OK;
		}
		if (val == '?' || val == ':')
			return bad_option(c, val, argv);
		row = row_of(val);
		if (val >= 1000 && !written_out(row, argv))
			return abbreviated(c, row);
		r = row ? set_option(o, c, row, optarg) : bad_option(c, '?', argv);
		if (r)
			return r;
	}
	o->args = argv + optind;
	o->nargs = argc - optind;
	return check_args(o, c);
}

void options_fini(struct options *o)
{
	strlist_fini(&o->set);
	strlist_fini(&o->tag);
	strlist_fini(&o->destroy);
	strlist_fini(&o->overwrite_signature);
	strlist_fini(&o->retry);
	strlist_fini(&o->limit);
	strlist_fini(&o->a);
	strlist_fini(&o->b);
	strlist_fini(&o->ignore);
	strlist_fini(&o->cmdline);
	strlist_fini(&o->section);
	strlist_fini(&o->sweep);
	strlist_fini(&o->without);
}
