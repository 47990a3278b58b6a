#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "config/settings.h"
#include "config/sim_keys.h"
#include "engine/engine.h"
#include "model/axis.h"
#include "model/column.h"
#include "model/flag.h"

#define LEFT  26 /* width of the left column */
#define RIGHT 74 /* of the text beside it */

/* Print a name and, beside or below it, its text in lines of at most RIGHT columns. */
static void entry(const char *name, const char *text)
{
	int at = printf("  %s", name);

	if (at > LEFT) {
		putchar('\n');
		at = 0;
	}
	while (*text) {
		size_t n = strlen(text);

		if (n > RIGHT)
			for (n = RIGHT; n > 1 && text[n] != ' ';)
				n--;
		printf("%*s%.*s\n", LEFT + 2 - at, "", (int)n, text);
		at = 0;
		text += n;
		text += strspn(text, " ");
	}
}

/* "bs [blocksize]": a name with its other spellings. */
static void name_add(struct text *t, const char *name, const char *const *other, size_t others)
{
	bool any = false;

	text_add(t, name);
	for (size_t i = 0; i < others; i++) {
		if (!other[i])
			continue;
		text_addf(t, "%s%s", any ? " " : " [", other[i]);
		any = true;
	}
	text_add(t, any ? "]" : "");
}

static void print_axis(const struct axis *a)
{
	const char *const other[] = { a->alias, a->inverse, a->complement };
	AUTO(text_fini) struct text name = { 0 }, text = { 0 };
	char allowed[256];

	name_add(&name, a->name, other, ARRAY_SIZE(other));
	axis_allowed(a, allowed, sizeof(allowed));
	text_addf(&text, "%s. Allowed: %s%s%s. Default: %s.", a->help, allowed,
	          a->synonym ? "; also " : "", a->synonym ? a->synonym : "",
	          a->def ? a->def : a->def_text);
	entry(text_get(&name), text_get(&text));
}

static void print_setting(const struct setting *s)
{
	AUTO(text_fini) struct text name = { 0 }, text = { 0 };

	name_add(&name, s->name, &s->alias, 1);
	text_addf(&text, "%s. Value: %s. Default: %s.", s->help, s->value, s->def);
	entry(text_get(&name), text_get(&text));
}

static void help_axes(void)
{
	puts("Every option of a config may be a list, and a list is an axis of the sweep. "
	     "Names are fio's; in\n"
	     "brackets other spellings.\n");
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++)
		if (!a->setting)
			print_axis(a);
	puts("\nSettings of the whole sweep, never an axis:\n");
	for (size_t i = 0; i < setting_count; i++)
		print_setting(&settings[i]);
	puts("\nA list may hold ranges: {\"from\": \"4k\", \"to\": \"4m\", \"times\": 2} or "
	     "{\"from\": 1, \"to\": 32, \"plus\": 4}.");
}

static void help_metrics(void)
{
	struct column column[COLUMN_MAX];
	size_t n = column_list(column, 0);

	puts("The columns of the view `results` and of the CSV, in order. An empty cell (NULL) "
	     "is a value that\n"
	     "there is not, never 0. After these come one column for each other axis that the "
	     "sweep sweeps.\n");
	for (size_t i = 0; i < n; i++) {
		AUTO(text_fini) struct text text = { 0 };

		text_add(&text, column[i].help);
		if (column[i].unit && strcmp(column[i].unit, "1") != 0)
			text_addf(&text, " [%s]", column[i].unit);
		entry(column[i].name, text_get(&text));
	}
}

static void print_flags(bool doubt)
{
	for (size_t i = 0; i < FLAG_COUNT; i++)
		if (flag_at(i)->doubt == doubt)
			entry(flag_at(i)->name, flag_at(i)->help);
}

static void help_flags(void)
{
	puts("doubts: such a row never wins a sweet spot, and charts draw it hollow.\n");
	print_flags(true);
	puts("\nnotes: worth knowing; the row counts.\n");
	print_flags(false);
}

static void help_engines(void)
{
	const struct engine_ops *ops;

	puts("ioengine: how I/Os reach the kernel. `iosweep probe` says which of them work "
	     "here.\n");
	for (uint64_t i = 0; (ops = engine_ops(i)); i++)
		entry(ops->name, ops->help);
}

static void print_sim_key(const struct sim_key *k)
{
	AUTO(text_fini) struct text name = { 0 }, text = { 0 };
	bool top = !*k->section;

	text_addf(&name, "%s%s%s", top ? "" : "  ", top ? "" : ".", k->name);
	text_addf(&text, "%s. Value: %s. %s%s.", k->help, k->value, k->def ? "Default: " : "Required",
	          k->def ? k->def : "");
	entry(text_get(&name), text_get(&text));
}

static void help_sim(void)
{
	puts("With \"ioengine\": \"sim\" a filename names a JSON file that describes a device, and the runs are\n"
	     "simulated on a clock of its own. configs/sim/ has examples. Sizes and times are written as in a config.");
	for (size_t i = 0; i < sim_section_count; i++) {
		const struct sim_section *s = &sim_sections[i];

		printf("\n%s%s%s\n", s->name, *s->name ? ": " : "", s->help);
		for (size_t k = 0; k < sim_key_count; k++)
			if (!strcmp(sim_keys[k].section, s->name))
				print_sim_key(&sim_keys[k]);
	}
}

static void help_exit_codes(void)
{
	static const struct {
		enum exit_code code;
		const char *help;
	} table[] = {
		{ EXIT_OK, "everything planned was measured and stored, or skipped because of "
		           "the config" },
		{ EXIT_ROWS,
		  "finished, but runs failed or timed out, or were skipped because of the "
		  "machine (engine unusable, target missing, limits); with --strict: any "
		  "skipped run; compare --fail-on: a cell got worse" },
		{ EXIT_USAGE,
		  "usage; too many combinations; the database exists or is in use" },
		{ EXIT_INPUT, "an input file is invalid: config, foreign or corrupt database" },
		{ EXIT_REFUSED, "refused for safety: nothing was written" },
		{ EXIT_NOTHING, "nothing can run here; nothing to draw, or in common to compare" },
		{ EXIT_STORE, "results could not be stored" },
		{ EXIT_UNTIL,
		  "stopped as asked (--until, --for); `iosweep resume DB` goes on" },
		{ EXIT_HUP, "stopped by SIGHUP; `iosweep resume DB` goes on" },
		{ EXIT_INT, "stopped by SIGINT (Ctrl-C); `iosweep resume DB` goes on" },
		{ EXIT_TERM, "stopped by SIGTERM; `iosweep resume DB` goes on" },
	};
	char code[16];

	puts("When several apply: 6, then the signals, then 4, then 7, then 1.\n");
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		(void)snprintf(code, sizeof(code), "%d", (int)table[i].code);
		entry(code, table[i].help);
	}
}

static const struct topic {
	const char *name, *summary;
	void (*print)(void);
} topics[] = {
	{ "axes", "what a config may hold", help_axes },
	{ "metrics", "the columns of the results", help_metrics },
	{ "flags", "the words in `doubts` and `notes`", help_flags },
	{ "engines", "how I/Os reach the kernel: io_uring, libaio, psync, ...", help_engines },
	{ "sim", "how a simulated device is described", help_sim },
	{ "exit-codes", "what the program returns", help_exit_codes },
};

static void print_commands(void)
{
	char left[64];

	puts("iosweep finds where a storage device performs best: it runs every combination of "
	     "block size, jobs,\n"
	     "depth, pattern, engine and target that a config lists, and stores what it "
	     "measured.\n\ncommands:");
	for (const struct command *c = commands; c->name; c++) {
		(void)snprintf(left, sizeof(left), "iosweep %s %s", c->name, c->args);
		entry(left, c->summary);
	}
	puts("\ntopics:");
	for (size_t i = 0; i < ARRAY_SIZE(topics); i++) {
		(void)snprintf(left, sizeof(left), "iosweep help %s", topics[i].name);
		entry(left, topics[i].summary);
	}
	puts("\nAlso: iosweep COMMAND --help, iosweep --version.");
}

/* The same as COMMAND --help. */
static int print_command(const struct command *c)
{
	char name[32], help[] = "--help", *argv[] = { name, help, NULL };
	struct options o;
	int r;

	(void)snprintf(name, sizeof(name), "%s", c->name);
	r = options_parse(&o, c, 2, argv);
	options_fini(&o);
	return r;
}

static int unknown(const char *word)
{
	const char *name[32 + ARRAY_SIZE(topics)], *near;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
		name[n++] = topics[i].name;
	for (const struct command *c = commands; c->name && n < ARRAY_SIZE(name); c++)
		name[n++] = c->name;
	near = text_nearest(word, name, n);
	complain("help: unknown topic '%s'%s%s%s; see: iosweep help", word,
	         near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
	return EXIT_USAGE;
}

int cmd_help(const struct options *o)
{
	const struct command *c;

	if (o->nargs == 0) {
		print_commands();
		return EXIT_OK;
	}
	for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
		if (!strcmp(topics[i].name, o->args[0])) {
			topics[i].print();
			return EXIT_OK;
		}
	c = command_find(o->args[0]);
	return c ? print_command(c) : unknown(o->args[0]);
}
