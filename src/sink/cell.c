#include "sink/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/* clang-format off */
static const uint64_t power[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
	1000000000000, 10000000000000, 100000000000000, 1000000000000000,
};
/* clang-format on */

#define MAX_DECIMALS ((int)ARRAY_SIZE(power) - 1)

/* units / 10^decimals; `keep`: leave trailing zeros. 100,000 rows have millions of these: no
 * printf. */
static void add_scaled(struct text *t, uint64_t units, int decimals, char point, bool keep)
{
	char buf[40], *p = buf + sizeof(buf);

	while (!keep && decimals && units % 10 == 0) {
		units /= 10;
		decimals--;
	}
	for (int i = 0; i < decimals; i++, units /= 10)
		*--p = (char)('0' + units % 10);
	if (decimals)
		*--p = point;
	do
		*--p = (char)('0' + units % 10);
	while (units /= 10);
	text_addn(t, p, (size_t)(buf + sizeof(buf) - p));
}

void cell_add_int(struct text *t, int64_t v)
{
	if (v < 0)
		text_addn(t, "-", 1);
	add_scaled(t, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 0, '.', false);
}

/* Beyond this the integer part alone is more than a double holds. */
#define BIG 1e15

static void add_big(struct text *t, double v)
{
	if (isfinite(v))
		text_addf(t, "%.0f", v);
}

/* The sign is written; what remains to be printed. */
static double magnitude(struct text *t, double v)
{
	if (v < 0)
		text_addn(t, "-", 1);
	return fabs(v);
}

void cell_add_fixed3(struct text *t, double v, char point)
{
	if (!(fabs(v) < BIG)) {
		add_big(t, v);
		return;
	}
	v = magnitude(t, v);
	add_scaled(t, (uint64_t)(v * 1000 + 0.5), 3, point, true);
}

void cell_add_real(struct text *t, double v, char point)
{
	int decimals = 5;

	if (!(fabs(v) < BIG)) {
		add_big(t, v);
		return;
	}
	v = magnitude(t, v);
	for (double limit = 10; decimals && v >= limit; limit *= 10)
		decimals--;
	if (v > 0)
		for (double limit = 1; decimals < MAX_DECIMALS && v < limit; limit /= 10)
			decimals++;
	add_scaled(t, (uint64_t)(v * (double)power[decimals] + 0.5), decimals, point, false);
}

static void add_escaped(struct text *t, unsigned char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at = strchr(from, c);

	if (at)
		text_addf(t, "\\%c", to[at - from]);
	else
		text_addf(t, "\\u%04x", c);
}

/* Bytes from s on that stand in a JSON string as they are. */
static size_t plain_span(const char *s)
{
	size_t n = 0;

	while ((unsigned char)s[n] >= 0x20 && (unsigned char)s[n] < 0x7f && s[n] != '"' &&
	       s[n] != '\\')
		n++;
	return n;
}

void json_add_string(struct text *t, const char *s)
{
	text_addn(t, "\"", 1);
	while (*s) {
		size_t n = plain_span(s);

		if (n) {
			text_addn(t, s, n);
		} else if ((unsigned char)*s < 0x80) {
			add_escaped(t, (unsigned char)*s);
			n = 1;
		} else if ((unsigned char)*s == 0xc2 && (unsigned char)s[1] >= 0x80 &&
		           (unsigned char)s[1] < 0xa0) { /* C1: steers a terminal, too */
			add_escaped(t, (unsigned char)s[1]);
			n = 2;
		} else {
			n = text_add_character(t, s);
		}
		s += n;
	}
	text_addn(t, "\"", 1);
}

void json_add_real(struct text *t, double v)
{
	if (!isfinite(v)) {
		text_add(t, "null");
		return;
	}
	/* m / 10^d of whole m below 2^53 is rounded once, as a reader of those digits would. */
	for (int d = 0; d <= 9; d++) {
		double m = fabs(v) * (double)power[d];

		if (m < 9007199254740992.0 && m == floor(m) &&
		    m / (double)power[d] == fabs(v)) {
			(void)magnitude(t, v);
			add_scaled(t, (uint64_t)m, d, '.', false);
			return;
		}
	}
	text_addf(t, "%.17g", v);
}

static void add_cell(struct text *t, const struct rows *r, int column)
{
	switch (rows_type(r, column)) {
	case ROWS_NULL:
		text_add(t, "null");
		break;
	case ROWS_INTEGER:
		cell_add_int(t, rows_int(r, column));
		break;
	case ROWS_REAL:
		json_add_real(t, rows_real(r, column));
		break;
	case ROWS_TEXT:
		json_add_string(t, rows_text(r, column));
		break;
	}
}

void json_add_members(struct text *t, const struct rows *r)
{
	int n = rows_columns(r);

	for (int i = 0; i < n; i++) {
		if (i)
			text_addn(t, ",", 1);
		json_add_string(t, rows_name(r, i));
		text_addn(t, ":", 1);
		add_cell(t, r, i);
	}
}

void json_add_row(struct text *t, const struct rows *r)
{
	text_addn(t, "{", 1);
	json_add_members(t, r);
	text_addn(t, "}", 1);
}

int json_add_rows(struct text *t, const char *name, struct rows *r, struct err *e)
{
	bool any = false;
	int rc;

	text_addf(t, ",\n\"%s\":[", name);
	while ((rc = rows_next(r, e)) == 1) {
		text_add(t, any ? ",\n" : "\n");
		json_add_row(t, r);
		any = true;
	}
	text_add(t, "]");
	return rc;
}
