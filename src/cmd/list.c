/* iosweep list: the sweeps in a folder. Reads, and writes nothing. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/draw.h"
#include "cmd/show_standing.h"
#include "sink/cell.h"

#define INDENT     2
#define TARGET_MIN 12 /* columns of a target, with the blank before it */

struct entry {
	char *file, *name, *host;
	char *reason; /* why it cannot be read; then nothing but file and bytes is known */
	struct strlist targets;
	struct show_standing standing;
	int64_t created_ns;
	uint64_t bytes; /* with its log */
	bool spooled;
};

struct entries {
	struct entry *item;
	size_t len;
};

static void entries_fini(struct entries *l)
{
	for (size_t i = 0; i < l->len; i++) {
		free(l->item[i].file);
		free(l->item[i].name);
		free(l->item[i].host);
		free(l->item[i].reason);
		strlist_fini(&l->item[i].targets);
	}
	free(l->item);
}

static uint64_t size_of(const char *file)
{
	AUTO(text_fini) struct text log = { 0 };
	struct stat st;
	uint64_t bytes = stat(file, &st) ? 0 : (uint64_t)st.st_size;

	text_addf(&log, "%s-wal", file);
	return bytes + (stat(text_get(&log), &st) ? 0 : (uint64_t)st.st_size);
}

static int load_names(struct entry *en, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s,
	                   "SELECT * FROM (SELECT filename, NULL FROM target UNION "
	                   "SELECT filename, NULL FROM combination) "
	                   "UNION ALL SELECT host, id FROM "
	                   "(SELECT host, id FROM environment ORDER BY id DESC LIMIT 1)",
	                   e);

	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1) {
		if (rows_null(r, 1)) {
			strlist_add(&en->targets, rows_text(r, 0));
		} else {
			free(en->host);
			en->host = xstrdup(rows_text(r, 0));
		}
	}
	return rc;
}

static int load(struct entry *en, struct store *s, struct err *e)
{
	const char *name = store_get(s, "name"), *created = store_get(s, "created_wall_ns");
	int r = show_standing_load(&en->standing, s, e);

	en->name = xstrdup(name ? name : "");
	en->created_ns = created ? strtoll(created, NULL, 10) : 0;
	en->spooled = store_spooled(s);
	return r ? r : load_names(en, s, e);
}

/* The reason without the name of the file, which stands before it. */
static char *reason_of(const char *file, const char *said)
{
	size_t n = strlen(file);

	return xstrdup(!strncmp(said, file, n) && !strncmp(said + n, ": ", 2) ? said + n + 2
	                                                                      : said);
}

/* Can it be read? */
static bool look(struct entries *l, const char *file)
{
	struct entry en = { .file = xstrdup(file), .bytes = size_of(file) };
	struct store *s = NULL;
	struct err e = { 0 };
	int r = store_open(&s, file, &e);

	if (!r)
		r = load(&en, s, &e);
	if (r)
		en.reason = reason_of(file, e.text);
	(void)store_close(s, NULL);
	l->item = xrealloc(l->item, l->len + 1, sizeof(*l->item));
	l->item[l->len++] = en;
	return !r;
}

static int is_database(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 3 && !strcmp(d->d_name + n - 3, ".db") && d->d_name[0] != '.';
}

/* false: what was named cannot be read, and why is said. One file of a folder may be anything.
 */
static bool look_into(struct entries *l, const char *dir)
{
	const bool slash = *dir && dir[strlen(dir) - 1] == '/';
	struct dirent **found = NULL;
	struct stat st;
	char safe[512];
	int n;

	if (!stat(dir, &st) && !S_ISDIR(st.st_mode))
		return look(l, dir);
	n = scandir(dir, &found, is_database, alphasort);
	if (n < 0) {
		text_printable(safe, sizeof(safe), dir);
		complain("list: %s: %s", safe, err_name(errno));
		return false;
	}
	for (int i = 0; i < n; i++) {
		AUTO(text_fini) struct text file = { 0 };

		text_addf(&file, "%s%s%s", dir, slash ? "" : "/", found[i]->d_name);
		(void)look(l, text_get(&file));
		free(found[i]);
	}
	free(found);
	return true;
}

/* What cannot be read comes last, the rest as it began. */
static int by_time(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (!x->reason != !y->reason)
		return x->reason ? 1 : -1;
	if (x->created_ns != y->created_ns)
		return x->created_ns < y->created_ns ? -1 : 1;
	return strcmp(x->file, y->file);
}

static int64_t failed(const struct show_standing *p)
{
	return p->status[STATUS_FAILED] + p->status[STATUS_TIMEOUT];
}

/* Who measured what: the host, and as many targets as a line holds. */
static void print_targets(const struct entry *en)
{
	AUTO(text_fini) struct text line = { 0 };
	char shown[512];
	size_t left = DRAW_WIDTH - 2 * INDENT;

	left -= draw_clip(shown, sizeof(shown), en->host ? en->host : "", 30);
	text_addf(&line, "%s:", shown);
	left--;
	for (size_t i = 0; i < en->targets.len; i++) {
		const size_t behind = en->targets.len - i - 1;
		/* for the words on those behind it, should none of them fit */
		const size_t room =
		    behind ? (size_t)snprintf(NULL, 0, " and %zu more", behind) : 0;
		size_t w;

		if (left < TARGET_MIN + room) {
			text_addf(&line, " and %zu more", behind + 1);
			break;
		}
		w = draw_clip(shown, sizeof(shown), en->targets.item[i], left - 1 - room);
		text_addf(&line, " %s", shown);
		left -= w + 1;
	}
	printf("%*s%s\n", 2 * INDENT, "", text_get(&line));
}

static void print_entry(const struct entry *en)
{
	const struct show_standing *p = &en->standing;
	char shown[512], when[40], size[32], name[512];

	(void)draw_clip(shown, sizeof(shown), en->file, DRAW_WIDTH);
	puts(shown);
	if (en->reason) {
		text_printable(shown, sizeof(shown), en->reason);
		printf("%*sunreadable: %s\n", INDENT, "", shown);
		return;
	}
	(void)draw_clip(name, sizeof(name), en->name, 30);
	printf("%*s%s: %s, %s, %s\n", INDENT, "", name, p->state,
	       clock_local(when, sizeof(when), en->created_ns),
	       print_bytes(size, sizeof(size), en->bytes));
	printf("%*s%" PRId64 "/%" PRId64 " runs, %" PRId64 " failed, %" PRId64 " in doubt%s\n",
	       2 * INDENT, "", p->done, p->planned, failed(p), p->doubted,
	       en->spooled ? "; rows wait in a spool" : "");
	print_targets(en);
}

/* ,"name":"value" */
static void add_text(struct text *t, const char *name, const char *value)
{
	text_addf(t, ",\"%s\":", name);
	json_add_string(t, value ? value : "");
}

static void add_sweep(struct text *t, const struct entry *en)
{
	const struct show_standing *p = &en->standing;
	char when[40];

	text_add(t, "{\"file\":");
	json_add_string(t, en->file);
	add_text(t, "name", en->name);
	add_text(t, "created_utc", clock_utc(when, sizeof(when), en->created_ns));
	add_text(t, "host", en->host);
	text_add(t, ",\"targets\":[");
	for (size_t i = 0; i < en->targets.len; i++) {
		text_add(t, i ? "," : "");
		json_add_string(t, en->targets.item[i]);
	}
	text_add(t, "]");
	add_text(t, "state", p->state);
	text_addf(t,
	          ",\"planned_runs\":%" PRId64 ",\"done\":%" PRId64 ",\"failed\":%" PRId64
	          ",\"doubted\":%" PRId64 ",\"size_bytes\":%" PRIu64 ",\"spooled\":%s}",
	          p->planned, p->done, failed(p), p->doubted, en->bytes,
	          en->spooled ? "true" : "false");
}

static void print_json(const struct entries *l)
{
	AUTO(text_fini) struct text sweeps = { 0 };
	AUTO(text_fini) struct text unreadable = { 0 };

	for (size_t i = 0; i < l->len; i++) {
		const struct entry *en = &l->item[i];
		struct text *t = en->reason ? &unreadable : &sweeps;

		text_add(t, t->len ? ",\n" : "\n");
		if (!en->reason) {
			add_sweep(t, en);
			continue;
		}
		text_add(t, "{\"file\":");
		json_add_string(t, en->file);
		add_text(t, "reason", en->reason);
		text_add(t, "}");
	}
	printf("{\"schema_version\":1,\n\"sweeps\":[%s],\n\"unreadable\":[%s]}\n",
	       text_get(&sweeps), text_get(&unreadable));
}

/* Without a word where to look it is the place where `run` puts them; that there is none yet is
 * no error. */
static bool look_everywhere(struct entries *l, const struct options *o)
{
	struct stat st;
	bool all = true;

	if (!o->nargs)
		return (stat("results", &st) && errno == ENOENT) || look_into(l, "results");
	for (int i = 0; i < o->nargs; i++)
		all &= look_into(l, o->args[i]);
	return all;
}

/* "list: no sweeps in a, b" */
static void say_none(const struct options *o)
{
	AUTO(text_fini) struct text where = { 0 };
	AUTO(freep) char *safe = NULL;

	for (int i = 0; i < o->nargs; i++)
		text_addf(&where, "%s%s", i ? ", " : "", o->args[i]);
	safe = text_printable_copy(where.len ? where.s : "results/");
	complain("list: no sweeps in %s", safe);
}

int cmd_list(const struct options *o)
{
	struct entries l = { 0 };
	bool all = look_everywhere(&l, o);

	if (l.len)
		qsort(l.item, l.len, sizeof(*l.item), by_time);
	if (o->json)
		print_json(&l);
	for (size_t i = 0; i < l.len && !o->json; i++)
		print_entry(&l.item[i]);
	if (!l.len && all && !o->json)
		say_none(o);
	entries_fini(&l);
	return all ? EXIT_OK : EXIT_INPUT;
}
