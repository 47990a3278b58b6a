#include "model/column.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *help;
	enum column_kind kind;
} identity[IDENTITY_COUNT] = {
#define IDENTITY(id, k, h) [IDENTITY_##id] = { .name = #id, .help = (h), .kind = (k) },
#include "model/identity.def"
};

/* Do these values, after `first`, hold another one? Sets *first when there was none yet. */
static bool varies(const struct axis_values *v, uint64_t *first, bool *seen)
{
	for (size_t i = 0; i < v->len; i++) {
		if (*seen && v->val[i] != *first)
			return true;
		*first = v->val[i];
		*seen = true;
	}
	return false;
}

static bool axis_swept(const struct sweep *s, size_t a)
{
	uint64_t first = 0;
	bool seen = false;

	/* Without a base product the base value counts only for includes that do not name the
	 * axis. */
	if (s->base_product && varies(&s->axis[a], &first, &seen))
		return true;
	for (size_t i = 0; i < s->includes; i++) {
		const struct axis_values *v = &s->include[i].axis[a];

		if (varies(v->len ? v : &s->axis[a], &first, &seen))
			return true;
	}
	return false;
}

_Static_assert(AXIS_COUNT <= 64, "column_swept() has a bit for each");

uint64_t column_swept(const struct sweep *s)
{
	uint64_t bits = 0;

	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (!axes[a].column && !axes[a].setting && axis_swept(s, a))
			bits |= 1ULL << a;
	return bits;
}

static enum column_kind axis_column_kind(const struct axis *a)
{
	if (a->kind == AXIS_TEXT || a->kind == AXIS_ENUM)
		return COLUMN_TEXT;
	return a->kind == AXIS_TIME ? COLUMN_REAL : COLUMN_INTEGER;
}

static struct column axis_column(size_t i)
{
	const struct axis *a = &axes[i];

	return (struct column){ .name = a->name,
		                .unit = a->unit,
		                .help = a->help,
		                .kind = axis_column_kind(a),
		                .source = COLUMN_AXIS,
		                .index = i };
}

static enum column_kind metric_column_kind(const struct metric *m)
{
	if (m->kind == METRIC_TEXT)
		return COLUMN_TEXT;
	return m->divisor || m->kind == METRIC_REAL ? COLUMN_REAL : COLUMN_INTEGER;
}

static struct column metric_column(size_t i)
{
	const struct metric *m = metric_at(i);

	return (struct column){ .name = m->name,
		                .unit = m->unit,
		                .help = m->help,
		                .kind = metric_column_kind(m),
		                .source = COLUMN_METRIC,
		                .index = i };
}

size_t column_list(struct column out[COLUMN_MAX], uint64_t swept)
{
	size_t n = 0;

	for (size_t i = 0; i < IDENTITY_COUNT; i++)
		out[n++] = (struct column){ .name = identity[i].name,
			                    .help = identity[i].help,
			                    .kind = identity[i].kind,
			                    .source = COLUMN_IDENTITY,
			                    .index = i };
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (axes[i].column)
			out[n++] = axis_column(i);
	out[n++] =
	    (struct column){ .name = "options",
		             .help =
		                 "axis=value of all other axes that differ from their default",
		             .kind = COLUMN_TEXT,
		             .source = COLUMN_OPTIONS };
	for (size_t i = 0; i < METRIC_COUNT; i++)
		out[n++] = metric_column(i);
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (!axes[i].column && (swept & 1ULL << i))
			out[n++] = axis_column(i);
	return n;
}

void column_options(const struct job *job, const struct job_text *text, struct text *out)
{
	size_t before = out->len;

	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		uint64_t v = axis_value(a, job);
		char value[64];

		if (a->column || v == axis_default_in(a, job))
			continue;
		axis_print(a, v, value, sizeof(value));
		text_addf(out, "%s%s=%s", out->len > before ? " " : "", a->name,
		          a->kind == AXIS_TEXT ? axis_text(a, text) : value);
	}
}
