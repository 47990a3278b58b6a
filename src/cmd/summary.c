#include "cmd/summary.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/best.h"

#define EACH_RUN_MAX 8 /* up to so many runs are printed one by one */
#define REASONS_MAX  8 /* lines of reasons per status */

struct reason {
	char *kind;    /* the sentence without its numbers: what is counted as one */
	char *example; /* the first such sentence */
	bool several;  /* others differ from it: by the place of an I/O ... */
	bool numbers;  /* ... or by more */
	int64_t count;
};

struct reasons {
	struct reason *item;
	size_t len;
};

static void reasons_fini(struct reasons *l)
{
	for (size_t i = 0; i < l->len; i++) {
		free(l->item[i].kind);
		free(l->item[i].example);
	}
	free(l->item);
}

/* Leave out the words that hold a digit: "bs 1m is larger than size 512k" and "bs 2m is ..."
 * are one reason. */
static char *kind_of(const char *sentence)
{
	struct text t = { 0 };

	for (const char *p = sentence; *p;) {
		size_t n = strcspn(p, " "), digits = strcspn(p, "0123456789");

		if (digits >= n)
			text_addn(&t, p, n);
		p += n;
		p += strspn(p, " ");
	}
	return t.s ? t.s : xstrdup("");
}

static const char *after_number(const char *s)
{
	return s + strspn(s, "0123456789");
}

/* "write of 4096 bytes at offset 8192: EIO" without the place: it is only one row's. */
static void drop_place(char *sentence)
{
	static const char of[] = " of ", at[] = " bytes at offset ";

	for (char *p = strstr(sentence, of); p; p = strstr(p + 1, of)) {
		const char *bytes = p + strlen(of), *rest = after_number(bytes);

		if (rest == bytes || strncmp(rest, at, strlen(at)) != 0)
			continue;
		rest = after_number(rest + strlen(at));
		memmove(p, rest, strlen(rest) + 1);
		return;
	}
}

/* Do they differ by more than the place? */
static bool differ(const char *a, const char *b)
{
	AUTO(freep) char *x = xstrdup(a);
	AUTO(freep) char *y = xstrdup(b);

	drop_place(x);
	drop_place(y);
	return strcmp(x, y);
}

static void reasons_add(struct reasons *l, const char *sentence, int64_t count)
{
	char *kind = kind_of(sentence);

	for (size_t i = 0; i < l->len; i++)
		if (!strcmp(l->item[i].kind, kind)) {
			l->item[i].count += count;
			l->item[i].several |= strcmp(l->item[i].example, sentence) != 0;
			l->item[i].numbers |= differ(l->item[i].example, sentence);
			free(kind);
			return;
		}
	l->item = xrealloc(l->item, l->len + 1, sizeof(*l->item));
	l->item[l->len++] =
	    (struct reason){ .kind = kind, .example = xstrdup(sentence), .count = count };
}

static int by_count(const void *a, const void *b)
{
	int64_t x = ((const struct reason *)a)->count, y = ((const struct reason *)b)->count;

	return (x < y) - (x > y);
}

static int load_reasons(struct reasons *l, struct store *s, const char *status, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = rows_open(&rows, s,
	                  "SELECT error, count(DISTINCT run) FROM results WHERE status = ? "
	                  "GROUP BY error ORDER BY min(run)",
	                  e);

	if (r < 0)
		return r;
	rows_bind_text(rows, 1, status);
	while ((r = rows_next(rows, e)) > 0)
		reasons_add(l, rows_text(rows, 0), rows_int(rows, 1));
	return r;
}

/* "  12 skipped: bs 1m is larger than size 512k (and the like)" */
static int print_reasons(struct store *s, const char *status, struct err *e)
{
	AUTO(reasons_fini) struct reasons l = { 0 };
	char line[512];
	int r = load_reasons(&l, s, status, e);

	if (r < 0)
		return r;
	if (l.len)
		qsort(l.item, l.len, sizeof(*l.item), by_count);
	for (size_t i = 0; i < l.len && i < REASONS_MAX; i++) {
		if (l.item[i].several)
			drop_place(l.item[i].example);
		text_printable(line, sizeof(line), l.item[i].example);
		printf("  %" PRId64 " %s: %s%s\n", l.item[i].count, status,
		       *line ? line : "no reason recorded",
		       l.item[i].numbers ? " (and the like)" : "");
	}
	if (l.len > REASONS_MAX)
		printf("  and %zu more reasons why runs are %s\n", l.len - REASONS_MAX, status);
	return 0;
}

struct counts {
	int64_t runs, ok, failed, timeout, skipped, interrupted, doubted;
};

static int load_counts(struct counts *c, struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = rows_open(
	    &rows, s,
	    "SELECT count(*), sum(status = 'ok'), sum(status = 'failed'), sum(status = "
	    "'timeout'),"
	    " sum(status = 'skipped'), sum(status = 'interrupted'), sum(doubted) FROM"
	    " (SELECT run, status, max(doubts <> '') AS doubted FROM results GROUP BY run)",
	    e);

	if (r < 0)
		return r;
	r = rows_next(rows, e);
	if (r > 0)
		*c = (struct counts){ .runs = rows_int(rows, 0),
			              .ok = rows_int(rows, 1),
			              .failed = rows_int(rows, 2),
			              .timeout = rows_int(rows, 3),
			              .skipped = rows_int(rows, 4),
			              .interrupted = rows_int(rows, 5),
			              .doubted = rows_int(rows, 6) };
	return r < 0 ? r : 0;
}

static void print_counts(const struct counts *c, struct store *s)
{
	const char *said = store_get(s, "name");
	char name[256];

	text_printable(name, sizeof(name), said ? said : "");
	printf("%s%s%" PRId64 " runs: %" PRId64 " ok (%" PRId64 " in doubt), %" PRId64
	       " failed, %" PRId64 " timed out, %" PRId64 " skipped",
	       name, *name ? ": " : "", c->runs, c->ok, c->doubted, c->failed, c->timeout,
	       c->skipped);
	if (c->interrupted)
		printf(", %" PRId64 " interrupted", c->interrupted);
	putchar('\n');
}

/* What the sweep cost its targets; nothing if it only read. */
static void print_written(struct store *s)
{
	const char *text = store_get(s, "written_bytes");
	uint64_t bytes = 0;
	char is[32];

	if (text && !parse_u64(text, &bytes) && bytes)
		printf("written: %s (%" PRIu64 " bytes), ramps and layout included\n",
		       print_bytes(is, sizeof(is), bytes), bytes);
}

/* What the sweep learnt of itself that is no row's alone. */
static int print_changes(struct store *s, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	char line[700];
	int r = rows_open(&rows, s,
	                  "SELECT code, text FROM event WHERE level = 'warning' AND code IN ('drift', "
	                  "'pilot') ORDER BY id",
	                  e);

	if (r < 0)
		return r;
	while ((r = rows_next(rows, e)) > 0) {
		text_printable(line, sizeof(line), rows_text(rows, 1));
		printf("  %s: %s\n", rows_text(rows, 0), line);
	}
	return r;
}

static int print_each_run(struct store *s, struct err *e)
{
	int64_t run[EACH_RUN_MAX];
	size_t n = 0;
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = rows_open(&rows, s, "SELECT DISTINCT run FROM results ORDER BY run", e);

	if (r < 0)
		return r;
	while ((r = rows_next(rows, e)) > 0 && n < EACH_RUN_MAX)
		run[n++] = rows_int(rows, 0);
	for (size_t i = 0; i < n && r >= 0; i++) {
		putchar('\n');
		r = show_run(s, run[i], e);
	}
	return r;
}

static const char *const with_reason[] = { "failed", "timeout", "skipped" };

static void print_path(const char *what, const char *path)
{
	char safe[PATH_MAX];

	text_printable(safe, sizeof(safe), path);
	printf("%s%s\n", what, safe);
}

int summary_print(struct store *s, const char *db_path, const char *csv_path, struct err *e)
{
	struct counts c = { 0 };
	int r = load_counts(&c, s, e);

	if (r < 0)
		return r;
	print_counts(&c, s);
	for (size_t i = 0; i < ARRAY_SIZE(with_reason) && !r; i++)
		r = print_reasons(s, with_reason[i], e);
	if (!r)
		r = print_changes(s, e);
	if (r < 0)
		return r;
	print_written(s);
	print_path("results: ", db_path);
	if (csv_path)
		print_path("CSV:     ", csv_path);
	return c.runs <= EACH_RUN_MAX
	           ? print_each_run(s, e)
	           : best_answer(s, &(struct best_query){ 0 }, BEST_SHORT, e);
}
