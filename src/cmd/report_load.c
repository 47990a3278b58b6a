/* cmd/report_load.c: the rows of the sweeps as columns, with what is counted of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/report.h"
#include "sink/cell.h"

struct loader {
	struct report *r;
	struct report_side *side;
	struct rows *rows;
	size_t *to; /* the column of the report for each of the rows */
	int run, status, doubts, notes;
	struct text cell;
};

/* --- columns --- */

static const struct column *known_column(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->knowns; i++)
		if (!strcmp(r->known[i].name, name))
			return &r->known[i];
	return NULL;
}

const struct report_column *report_column(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->columns; i++)
		if (!strcmp(r->column[i].name, name))
			return &r->column[i];
	return NULL;
}

bool report_varies(const struct report_column *c)
{
	return c->many || c->few.len > 1;
}

static void put(struct report_column *c, const char *json);

static size_t add_column(struct report *r, const char *name)
{
	const struct column *known = known_column(r, name);
	const struct axis *a = axis_named(name);
	struct report_column c = { .unit = known && known->unit ? known->unit : "",
		                   .help = known && known->help ? known->help : "",
		                   .text = !known || known->kind == COLUMN_TEXT,
		                   .size = a && (a->kind == AXIS_SIZE ||
		                                 a->kind == AXIS_SIZE_OR_PERCENT),
		                   .axis = a || !strcmp(name, "options") };

	(void)snprintf(c.name, sizeof(c.name), "%s", name);
	while (c.rows < r->rows) /* the sweep before this one did not have it */
		put(&c, "null");
	r->column = xrealloc(r->column, r->columns + 1, sizeof(*r->column));
	r->column[r->columns] = c;
	return r->columns++;
}

static size_t column_index(struct report *r, const char *name)
{
	const struct report_column *c = report_column(r, name);

	return c ? (size_t)(c - r->column) : add_column(r, name);
}

/* --- cells --- */

static void spill(struct report_column *c)
{
	c->many = true;
	for (size_t i = 0; i < c->rows; i++) {
		text_add(&c->value, i ? "," : "");
		text_add(&c->value, c->few.item[c->index[i]]);
	}
	free(c->index);
	c->index = NULL;
	strlist_fini(&c->few);
	c->few = (struct strlist){ 0 };
}

/* The value of the next row. */
static void put(struct report_column *c, const char *json)
{
	size_t i = c->last;

	if (!c->many) {
		if (i >= c->few.len || strcmp(c->few.item[i], json) != 0)
			for (i = 0; i < c->few.len && strcmp(c->few.item[i], json) != 0;)
				i++;
		if (i == REPORT_FEW)
			spill(c);
		else if (i == c->few.len)
			strlist_add(&c->few, json);
	}
	if (c->many) {
		text_add(&c->value, c->rows ? "," : "");
		text_add(&c->value, json);
	} else {
		if (!(c->rows & (c->rows - 1)))
			c->index = xrealloc(c->index, c->rows ? 2 * c->rows : 1, 1);
		c->index[c->rows] = (uint8_t)i;
		c->last = i;
	}
	c->rows++;
}

static void add_cell(struct text *t, const struct rows *rows, int i)
{
	const char *name = rows_name(rows, i);
	size_t n = strlen(name);

	switch (rows_type(rows, i)) {
	case ROWS_NULL:
		text_add(t, "null");
		break;
	case ROWS_INTEGER:
		cell_add_int(t, rows_int(rows, i));
		break;
	case ROWS_REAL: /* with the digits of the CSV */
		if (n > 3 && !strcmp(name + n - 3, "_us"))
			cell_add_fixed3(t, rows_real(rows, i), '.');
		else
			cell_add_real(t, rows_real(rows, i), '.');
		break;
	case ROWS_TEXT:
		json_add_string(t, rows_text(rows, i));
		break;
	}
}

static void keep_plain(struct report_column *c, const struct rows *rows, int i,
                       const char *json)
{
	char buf[32];

	if (c->plain.len >= REPORT_PLAIN)
		return;
	while (c->plain.len + 1 < c->rows)
		strlist_add(&c->plain, "");
	if (c->size && !rows_null(rows, i))
		strlist_add(&c->plain,
		            print_size(buf, sizeof(buf), (uint64_t)rows_int(rows, i)));
	else
		strlist_add(&c->plain, rows_null(rows, i)                ? ""
		                       : rows_type(rows, i) == ROWS_TEXT ? rows_text(rows, i)
		                                                         : json);
}

/* --- what is counted --- */

static void count_words(struct report_counts *c, const char *words, int64_t run)
{
	uint64_t bits = flag_parse(words);

	for (size_t i = 0; i < FLAG_COUNT; i++) {
		struct report_flag *f = &c->flag[i];

		if (!(bits & UINT64_C(1) << i))
			continue;
		if (f->runs < ARRAY_SIZE(f->first))
			f->first[f->runs] = run;
		f->runs++;
	}
}

static void count_run(struct loader *l)
{
	struct report_counts *c = &l->side->counts;
	int64_t run = rows_int(l->rows, l->run);

	if (c->runs && run == c->last)
		return;
	c->last = run;
	c->runs++;
	c->doubted += *rows_text(l->rows, l->doubts) != '\0';
	count_words(c, rows_text(l->rows, l->doubts), run);
	count_words(c, rows_text(l->rows, l->notes), run);
}

/* --- all of it --- */

static void take_row(struct loader *l)
{
	struct report *r = l->r;

	for (int i = 0; i < rows_columns(l->rows); i++) {
		struct report_column *c = &r->column[l->to[i]];

		text_clear(&l->cell);
		add_cell(&l->cell, l->rows, i);
		put(c, text_get(&l->cell));
		keep_plain(c, l->rows, i, text_get(&l->cell));
	}
	r->rows++;
	for (size_t i = 0; i < r->columns; i++) {
		struct report_column *c = &r->column[i];

		if (c->rows == r->rows)
			continue;
		if (!strcmp(c->name, "side")) {
			text_clear(&l->cell);
			json_add_string(&l->cell, l->side->name);
			put(c, text_get(&l->cell));
			if (c->plain.len < REPORT_PLAIN)
				strlist_add(&c->plain, l->side->name);
		} else {
			put(c, "null");
		}
	}
	count_run(l);
}

static void loader_fini(struct loader *l)
{
	rows_close(l->rows);
	free(l->to);
	text_fini(&l->cell);
}

static int load_side(struct report *r, struct report_side *side, struct err *e)
{
	AUTO(loader_fini) struct loader l = { .r = r, .side = side };
	AUTO(text_fini) struct text sql = { 0 };
	int error;

	text_add(&sql,
	         "SELECT *, (SELECT effective FROM run AS x WHERE x.id = results.run) AS "
	         "effective,"
	         " (SELECT why FROM run AS x WHERE x.id = results.run) AS why FROM results");
	rows_where(&sql, "WHERE", r->where);
	error = rows_open(&l.rows, side->store, text_get(&sql), e);
	if (error)
		return error;
	l.run = rows_find(l.rows, "run");
	l.doubts = rows_find(l.rows, "doubts");
	l.notes = rows_find(l.rows, "notes");
	l.to = xcalloc((size_t)rows_columns(l.rows), sizeof(*l.to));
	for (int i = 0; i < rows_columns(l.rows); i++)
		l.to[i] = column_index(r, rows_name(l.rows, i));
	while ((error = rows_next(l.rows, e)) > 0)
		take_row(&l);
	return error;
}

/* What the table begins with: what tells rows apart, and what people look for. */
static void choose_shown(struct report *r)
{
	static const char *const always[] = {
		"run",      "rw",          "bs",         "iops",
		"bw_mib_s", "lat_mean_us", "lat_p99_us", "cpu_us_per_io",
		"status",   "doubts",      "notes"
	};
	static const char *const varying[] = { "side", "op", "repeat", "device", "error" };

	for (size_t i = 0; i < r->columns; i++) {
		struct report_column *c = &r->column[i];

		c->shown = c->axis && report_varies(c);
		for (size_t k = 0; k < ARRAY_SIZE(always); k++)
			c->shown |= !strcmp(c->name, always[k]);
		for (size_t k = 0; k < ARRAY_SIZE(varying); k++)
			c->shown |= !strcmp(c->name, varying[k]) && report_varies(c);
	}
}

int report_load(struct report *r, struct err *e)
{
	int error = 0;

	r->known = xcalloc(COLUMN_MAX, sizeof(*r->known));
	r->knowns = column_list(r->known, UINT64_MAX);
	if (r->sides > 1)
		(void)add_column(r, "side");
	for (size_t i = 0; i < r->sides && !error; i++) {
		error = load_side(r, &r->side[i], e);
		if (!error)
			error = show_standing_load(&r->side[i].standing, r->side[i].store, e);
		if (!error)
			error = best_load(&r->side[i].best, r->side[i].store,
			                  &(struct best_query){ .where = r->where }, e);
	}
	choose_shown(r);
	return error;
}

void report_fini(struct report *r)
{
	for (size_t i = 0; i < r->columns; i++) {
		struct report_column *c = &r->column[i];

		strlist_fini(&c->few);
		free(c->index);
		text_fini(&c->value);
		strlist_fini(&c->plain);
	}
	free(r->column);
	free(r->known);
	compare_data_fini(&r->difference);
	free(r->found.cell);
	for (size_t i = 0; i < r->sides; i++) {
		best_data_fini(&r->side[i].best);
		(void)store_close(r->side[i].store, NULL);
	}
}
