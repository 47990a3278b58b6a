#include "cmd/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "model/metrics.h"

#define BINS_MAX  30
#define BAR_WIDTH 30
#define ROWS      6
#define LABEL     9 /* columns of a value beside a course */
#define STRETCH   6 /* columns of a slot, at most */

/* The locale is not set, so that numbers stay as they are: its names say what the terminal
 * shows. */
static bool says_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *v = getenv(names[i]);

		if (v && *v)
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

struct draw_style draw_style_of(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return (struct draw_style){ .utf8 = says_utf8(),
		                    .colour = isatty(fileno(out)) && !(no && *no) && term &&
		                              strcmp(term, "dumb") != 0 };
}

void draw_coloured(struct text *t, const struct draw_style *st, enum draw_colour c,
                   const char *s)
{
	static const char *const code[] = { "32", "33", "31", "34", "90" };

	if (st->colour)
		text_addf(t, "\x1b[%sm%s\x1b[0m", code[c], s);
	else
		text_add(t, s);
}

/* --- names --- */

/* Those before U+1100 take one column, all others perhaps two. */
static size_t columns_of(const char *s, size_t bytes)
{
	return bytes > 3 || (bytes == 3 && (unsigned char)*s >= 0xe1 &&
	                     !((unsigned char)*s == 0xe2 && (unsigned char)s[1] < 0xba))
	           ? 2
	           : 1;
}

static size_t width_of(const char *s)
{
	size_t w = 0, n;

	for (; *s; s += n) {
		n = text_utf8(s, strlen(s));
		n = n ? n : 1;
		w += columns_of(s, n);
	}
	return w;
}

size_t draw_clip(char *buf, size_t size, const char *s, size_t columns)
{
	AUTO(freep) char *safe = text_printable_copy(s);
	const char *p = safe;
	size_t w = width_of(p);

	if (w > columns) {
		while (*p && w + 3 > columns) {
			size_t n = text_utf8(p, strlen(p));

			w -= columns_of(p, n);
			p += n;
		}
		w += 3;
	}
	(void)snprintf(buf, size, "%s%s", p == safe ? "" : "...", p);
	return w;
}

/* --- histogram --- */

struct bins {
	double per_decade;
	long first;
	size_t n;
	uint64_t count[BINS_MAX];
};

static long bin_of(double per_decade, double ns)
{
	return (long)floor(log10(ns < 1 ? 1 : ns) * per_decade);
}

static double middle(const struct hist *h, unsigned bucket)
{
	double v = ((double)hist_low(bucket) + (double)hist_high(bucket)) / 2;

	return fmin(fmax(v, (double)h->min), (double)h->max);
}

static void add_to_bin(struct bins *b, double ns, uint64_t count)
{
	b->count[bin_of(b->per_decade, ns) - b->first] += count;
}

static void sort_into_bins(struct bins *b, const struct hist *h)
{
	static const double steps[] = { 40, 20, 10, 5, 2, 1 };
	unsigned first, end;

	*b = (struct bins){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		b->per_decade = steps[i];
		b->first = bin_of(steps[i], (double)h->min);
		b->n = (size_t)(bin_of(steps[i], (double)h->max) - b->first + 1);
		if (b->n <= BINS_MAX) /* 64 bits of ns are 20 decades */
			break;
	}
	hist_used(h, &first, &end);
	for (unsigned i = first; i < end; i++)
		if (h->bucket[i])
			add_to_bin(b, middle(h, i), h->bucket[i]);
	if (h->overflow)
		add_to_bin(b, (double)h->max, h->overflow);
}

/* "79.4 us" */
static void print_ns(char *buf, size_t size, double ns)
{
	static const char *const unit[] = { "ns", "us", "ms", "s " };
	size_t u = 0;

	while (ns >= 999.5 && u < 3) {
		ns /= 1000;
		u++;
	}
	(void)snprintf(buf, size, "%.*f %s",
	               ns >= 99.95 || !u ? 0
	               : ns >= 9.995     ? 1
	                                 : 2,
	               ns, unit[u]);
}

/* Eighths of a column; whatever is above 0 is seen. */
static void add_bar(struct text *t, const struct draw_style *st, double share)
{
	static const char *const eighth[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	unsigned n = (unsigned)lround(share * BAR_WIDTH * 8), columns;

	if (!n && share > 0)
		n = 1;
	columns = st->utf8 ? n / 8 : (n + 4) / 8;
	if (!st->utf8 && !columns && n)
		columns = 1;
	for (unsigned i = 0; i < columns; i++)
		text_add(t, st->utf8 ? "█" : "#");
	if (st->utf8 && n % 8) {
		text_add(t, eighth[n % 8]);
		columns++;
	}
	for (unsigned i = columns; i < BAR_WIDTH; i++)
		text_add(t, " ");
}

static void add_percentiles(struct text *t, const struct hist *h, const struct bins *b,
                            size_t bin)
{
	static const size_t p[] = { 5000, 9000, 9900, 9990, 9999 };

	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		double at = (double)p[i] / 100;

		if (!metric_too_few(h->n, p[i]) &&
		    bin_of(b->per_decade, hist_percentile(h, at)) - b->first == (long)bin)
			text_addf(t, " p%g", at);
	}
}

void draw_histogram(struct text *t, const struct draw_style *st, const struct hist *h)
{
	uint64_t most = 1;
	struct bins b;

	if (!h->n)
		return;
	sort_into_bins(&b, h);
	for (size_t i = 0; i < b.n; i++)
		most = b.count[i] > most ? b.count[i] : most;
	for (size_t i = 0; i < b.n; i++) {
		double share = 100 * (double)b.count[i] / (double)h->n;
		char from[32];

		print_ns(from, sizeof(from),
		         pow(10, (double)(b.first + (long)i) / b.per_decade));
		text_addf(t, "   %*s %s ", LABEL, from, st->utf8 ? "│" : "|");
		add_bar(t, st, (double)b.count[i] / (double)most);
		if (b.count[i])
			text_addf(t, share < 0.1 ? " %7.1g %%" : " %7.1f %%", share);
		add_percentiles(t, h, &b, i);
		while (t->s[t->len - 1] == ' ') /* no blanks at the end */
			t->s[--t->len] = '\0';
		text_add(t, "\n");
	}
}

/* --- course --- */

/* The next of 1, 2, 5, 10, ... */
static double round_up(double v)
{
	double decade = pow(10, floor(log10(v)));

	for (int i = 0; i < 2; i++) {
		static const double step[] = { 1, 2, 5 };

		for (size_t k = 0; k < ARRAY_SIZE(step); k++)
			if (v <= step[k] * decade * (1 + 1e-9))
				return step[k] * decade;
		decade *= 10;
	}
	return decade;
}

static double top_of(const struct draw_course *c)
{
	double top = 0;

	for (size_t i = 0; i < c->n; i++)
		top = fmax(top, c->value[i]);
	return top > 0 ? round_up(top) : 1;
}

/* One column of a row; `fill`: how much of it, 0 to 1. */
static const char *column(const struct draw_style *st, double fill, bool seen)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ".", ".", ":", ":", ":", "#", "#" };
	long n = lround(8 * fmin(fmax(fill, 0), 1));

	if (!n && seen)
		n = 1;
	return st->utf8 ? blocks[n] : ascii[n];
}

static size_t stretch(const struct draw_course *c)
{
	size_t n = DRAW_COLUMNS / c->n;

	return n < STRETCH ? n : STRETCH;
}

static void add_label(struct text *t, const char *label, const char *edge)
{
	text_addf(t, "   %*s %s", LABEL, label, edge);
}

static void add_row(struct text *t, const struct draw_style *st, const struct draw_course *c,
                    unsigned row)
{
	double top = top_of(c);
	char label[32] = "";

	if (row == ROWS - 1)
		(void)c->print(top, label, sizeof(label));
	add_label(t, label, st->utf8 ? "│" : "|");
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < stretch(c); k++)
			text_add(t, isnan(c->value[i])
			                ? " "
			                : column(st, c->value[i] / top * ROWS - row,
			                         !row && c->value[i] > 0));
	while (t->s[t->len - 1] == ' ')
		t->s[--t->len] = '\0';
	text_add(t, "\n");
}

/* What was not measured has no line under it. */
static void add_axis(struct text *t, const struct draw_style *st, const struct draw_course *c)
{
	add_label(t, "0", st->utf8 ? "└" : "+");
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < stretch(c); k++)
			text_add(t, isnan(c->value[i]) ? " " : st->utf8 ? "─" : "-");
	text_addf(t, " %.3g s\n", c->seconds);
}

static void add_moment(struct text *t, const struct draw_course *c, const struct draw_moment *m)
{
	size_t columns = c->n * stretch(c), words = strlen(m->text) + 1;
	double share = c->seconds > 0 ? m->at_s / c->seconds : 0;
	size_t at = (size_t)(fmin(fmax(share, 0), 1) * (double)columns);
	bool left = LABEL + 5 + at + 1 + words > DRAW_WIDTH;

	at = at < columns ? at : columns - 1;
	text_addf(t, "%*s", LABEL + 5, "");
	if (left && at >= words)
		text_addf(t, "%*s ^\n", (int)at - 1, m->text);
	else
		text_addf(t, "%*s^ %s\n", (int)at, "", m->text);
}

void draw_course(struct text *t, const struct draw_style *st, const struct draw_course *c)
{
	for (unsigned row = ROWS; row-- > 0;)
		add_row(t, st, c, row);
	add_axis(t, st, c);
	for (size_t i = 0; i < c->moments; i++)
		add_moment(t, c, &c->moment[i]);
}
