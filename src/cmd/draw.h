/* cmd/draw.h: bars and courses in a terminal, as text alone: nothing is measured or read here.
 * Appends lines. */
#ifndef CMD_DRAW_H
#define CMD_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "model/hist.h"

#define DRAW_WIDTH   80 /* columns that every line fits into */
#define DRAW_COLUMNS 60 /* of a course */

struct draw_style {
	bool utf8;   /* else ASCII */
	bool colour; /* where signs differ without it, too */
};

/* UTF-8 by the locale's variables; colour for a terminal, unless NO_COLOR is set. */
struct draw_style draw_style_of(FILE *out);

enum draw_colour { DRAW_GREEN, DRAW_YELLOW, DRAW_RED, DRAW_BLUE, DRAW_GREY };
/* `s` in this colour, or as it is. */
void draw_coloured(struct text *t, const struct draw_style *st, enum draw_colour c,
                   const char *s);

/* For a terminal, in at most `columns` of it: of a longer one the end, behind "...". Characters
 * that may be wide count as two. Returns the columns it takes. */
size_t draw_clip(char *buf, size_t size, const char *s, size_t columns);

/* The latencies of h->n I/Os: a line for each step of equal ratio, its share, and which
 * percentiles lie in it. Nothing when there are none. */
void draw_histogram(struct text *t, const struct draw_style *st, const struct hist *h);

struct draw_moment {
	double at_s;
	const char *text;
};

struct draw_course {
	const double *value; /* one per slot, >= 0; NaN: none */
	size_t n;            /* from 1 to DRAW_COLUMNS */
	double seconds;      /* that all slots take */
	/* A value, in up to 9 columns. */
	const char *(*print)(double v, char *buf, size_t size);
	const struct draw_moment *moment;
	size_t moments;
};

/* Columns from 0 up, over time, and where the moments are. */
void draw_course(struct text *t, const struct draw_style *st, const struct draw_course *c);

#endif
