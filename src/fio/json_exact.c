#include "fio/json_exact.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "fio/json_number.h"
#include "sink/cell.h"

static const char *stored(const struct metric *m)
{
	return m->stored ? m->stored : m->name;
}

/* Two metrics may stand on one column: the first counts. */
static const struct metric *find(const char *name, enum metric_scope scope)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (metric_at(i)->scope == scope && !strcmp(stored(metric_at(i)), name))
			return metric_at(i);
	return NULL;
}

static bool counts(const struct metric *m, enum metric_scope scope)
{
	return m->scope == scope && find(stored(m), scope) == m;
}

void json_exact_columns(struct text *sql, enum metric_scope scope, const char *before)
{
	const char *comma = "";

	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (!counts(metric_at(i), scope))
			continue;
		text_addf(sql, "%s%s%s", comma, before, stored(metric_at(i)));
		comma = ", ";
	}
}

void json_exact_write(struct text *out, const struct rows *r, enum metric_scope scope)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric *m = metric_at(i);
		int c = counts(m, scope) ? rows_find(r, stored(m)) : -1;

		if (c < 0 || rows_null(r, c))
			continue;
		text_addf(out, "%s%s=", out->len ? " " : "", stored(m));
		if (m->kind == METRIC_TEXT)
			text_add(out, rows_text(r, c));
		else if (m->kind == METRIC_INTEGER)
			cell_add_int(out, rows_int(r, c));
		else
			json_add_real(out, rows_real(r, c));
	}
}

static struct metric_value parse(const struct metric *m, const char *text)
{
	struct metric_value v = { 0 };
	uint64_t count;
	char *end;
	double real;

	if (m->kind == METRIC_TEXT)
		v = (struct metric_value){ .measured = text_plain(text), .text = text };
	else if (m->kind == METRIC_INTEGER && !parse_u64(text, &count))
		v = json_number_integer(count);
	else if (m->kind == METRIC_REAL) {
		real = strtod(text, &end);
		if (end != text && !*end && real >= 0)
			v = json_number_of(real);
	}
	return v;
}

void json_exact_read(struct metric_value m[METRIC_COUNT], char *words, enum metric_scope scope)
{
	char *word;

	while ((word = strsep(&words, " "))) {
		char *value = strchr(word, '=');
		const struct metric *metric;
		struct metric_value v;

		if (!value)
			continue;
		*value++ = '\0';
		metric = find(word, scope);
		v = metric ? parse(metric, value) : (struct metric_value){ 0 };
		if (!v.measured)
			continue;
		for (size_t i = 0; i < METRIC_COUNT; i++)
			if (metric_at(i) == metric)
				m[i] = v;
	}
}
