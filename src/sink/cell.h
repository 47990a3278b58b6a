/* sink/cell.h: values as text, for CSV and JSON. Always '.' for decimals: LC_NUMERIC is never
 * looked at. */
#ifndef SINK_CELL_H
#define SINK_CELL_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "sink/store.h"

void cell_add_int(struct text *t, int64_t v);
/* Three decimals, for microseconds. */
void cell_add_fixed3(struct text *t, double v, char point);
/* At least six significant digits, no trailing zeros, never an exponent. */
void cell_add_real(struct text *t, double v, char point);

/* JSON: a string with its quotes; a number that reads back as the same double, null for NaN and
 * infinity. */
void json_add_string(struct text *t, const char *s);
void json_add_real(struct text *t, double v);
/* An object of the whole row by column names. */
void json_add_row(struct text *t, const struct rows *r);
/* The same without its braces. */
void json_add_members(struct text *t, const struct rows *r);
/* `,"name":[...]` of all rows that are left, a line each. 0, or what rows_next() says. */
int json_add_rows(struct text *t, const char *name, struct rows *r, struct err *e);

/* Call fn for each member of a JSON object that is a text, a number or a truth value; for none
 * when it is no object. */
void json_each_fact(const char *json,
                    void (*fn)(void *arg, const char *name, const char *value), void *arg);

#endif
