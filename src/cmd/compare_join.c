#include "cmd/compare_join.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define CLASS_AXIS "rw"

void compare_lines_fini(struct compare_lines *l)
{
	for (size_t i = 0; i < l->len; i++)
		for (size_t c = 0; c < COMPARE_COLUMNS; c++)
			free(l->item[i].value[c]);
	free(l->item);
}

/* A column that has one value in A and one other in B tells the sides apart, not the cells. */
static void ignore_constant(struct compare_data *d, struct compare_columns *c,
                            const struct compare_lines *l)
{
	for (size_t i = 0; i < c->len; i++) {
		const char *of[COMPARE_SIDES] = { NULL, NULL };
		bool constant = !c->item[i].ignored;

		for (size_t k = 0; k < l->len && constant; k++) {
			const char **seen = &of[l->item[k].point.side];

			constant = !*seen || !strcmp(*seen, l->item[k].value[i]);
			*seen = l->item[k].value[i];
		}
		if (!constant || !of[0] || !of[1] || !strcmp(of[0], of[1]))
			continue;
		strlist_addf(&d->note, "%s is not compared: %s in A, %s in B", c->item[i].name,
		             *of[0] ? of[0] : "nothing", *of[1] ? of[1] : "nothing");
		c->item[i].ignored = true;
	}
}

/* Nothing, which counts as 0, is no 0. */
static int by_number(const void *a, const void *b)
{
	double x = strtod(*(char *const *)a, NULL), y = strtod(*(char *const *)b, NULL);

	return x > y ? 1 : x < y ? -1 : text_order(a, b);
}

/* The distinct values of column i, ascending. */
static void fill_axis(struct compare_axis *axis, const struct compare_column *c, size_t i,
                      const struct compare_lines *l)
{
	AUTO(freep) char **all = xcalloc(l->len + 1, sizeof(*all));

	axis->name = xstrdup(c->name);
	axis->ordered = c->ordered;
	for (size_t k = 0; k < l->len; k++)
		all[k] = l->item[k].value[i];
	qsort(all, l->len, sizeof(*all), text_order);
	for (size_t k = 0; k < l->len; k++)
		if (!k || strcmp(all[k], all[k - 1]) != 0)
			strlist_add(&axis->value, all[k]);
	if (axis->ordered && axis->value.len)
		qsort(axis->value.item, axis->value.len, sizeof(char *), by_number);
}

static uint32_t value_index(const struct compare_axis *axis, char *text)
{
	char **at = bsearch(&text, axis->value.item, axis->value.len, sizeof(char *),
	                    axis->ordered ? by_number : text_order);

	return at ? (uint32_t)(at - axis->value.item) : 0;
}

struct row { /* of either side, its values as numbers */
	uint32_t value[COMPARE_COLUMNS];
	const struct compare_point *point;
};

static int by_values(const void *pa, const void *pb)
{
	return memcmp(((const struct row *)pa)->value, ((const struct row *)pb)->value,
	              sizeof(((const struct row *)pa)->value));
}

/* Rows with equal values are one cell. */
static void number_cells(struct compare_data *d, struct row *row, size_t n, size_t class_axis)
{
	qsort(row, n, sizeof(*row), by_values);
	d->point = xcalloc(n + 1, sizeof(*d->point));
	d->value = xcalloc(n * d->axes + 1, sizeof(*d->value));
	for (size_t i = 0; i < n; i++) {
		struct compare_point *p = &d->point[d->points++];

		if (i && by_values(&row[i - 1], &row[i]) != 0)
			d->cells++;
		memcpy(&d->value[d->cells * d->axes], row[i].value,
		       d->axes * sizeof(*d->value));
		*p = *row[i].point;
		p->cell = d->cells;
		p->class = class_axis ? row[i].value[class_axis - 1] : 0;
	}
	d->cells += n > 0;
}

void compare_join(struct compare_data *d, struct compare_columns *c,
                  const struct compare_lines *l)
{
	AUTO(freep) struct row *row = xcalloc(l->len + 1, sizeof(*row));
	size_t class_axis = 0;

	ignore_constant(d, c, l);
	d->axis = xcalloc(c->len + 1, sizeof(*d->axis));
	d->classes = 1;
	for (size_t i = 0; i < c->len; i++) {
		struct compare_axis *axis = &d->axis[d->axes];

		if (c->item[i].ignored)
			continue;
		fill_axis(axis, &c->item[i], i, l);
		for (size_t k = 0; k < l->len; k++)
			row[k].value[d->axes] = value_index(axis, l->item[k].value[i]);
		d->axes++;
		if (strcmp(axis->name, CLASS_AXIS) != 0 || !axis->value.len)
			continue;
		class_axis = d->axes;
		d->classes = axis->value.len;
	}
	for (size_t k = 0; k < l->len; k++)
		row[k].point = &l->item[k].point;
	number_cells(d, row, l->len, class_axis);
}
