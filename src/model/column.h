/* model/column.h: identity, axes and metrics as one ordered list: the columns of the view
 * `results`, and so of the CSV. */
#ifndef MODEL_COLUMN_H
#define MODEL_COLUMN_H

#include "base/text.h"
#include "model/axis.h"
#include "model/metrics.h"
#include "model/sweep.h"

enum column_kind { COLUMN_TEXT, COLUMN_INTEGER, COLUMN_REAL };

enum identity_id {
#define IDENTITY(id, ...) IDENTITY_##id,
#include "model/identity.def"
	IDENTITY_COUNT
};

struct column {
	const char *name;
	const char *unit; /* NULL: none */
	const char *help;
	enum column_kind kind;
	enum { COLUMN_IDENTITY, COLUMN_AXIS, COLUMN_OPTIONS, COLUMN_METRIC } source;
	size_t index; /* enum identity_id, axis_id or metric_id */
};

#define COLUMN_MAX (IDENTITY_COUNT + AXIS_COUNT + 1 + METRIC_COUNT)

/* Axes without a column of their own that this sweep sweeps, as bits 1 << axis_id. */
uint64_t column_swept(const struct sweep *s);

/* Fill out[] with the columns in order; the axes in `swept` come last, one each. Returns how
 * many. */
size_t column_list(struct column out[COLUMN_MAX], uint64_t swept);

/* Append the text of `options`, however long: "axis=value axis=value" for the axes without a column
 * that differ from their default. */
void column_options(const struct job *job, const struct job_text *text, struct text *out);

#endif
