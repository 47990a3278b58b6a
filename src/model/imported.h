/* model/imported.h: what another program measured, as it gave it: in the place of a job's values
 * and of a sample. */
#ifndef MODEL_IMPORTED_H
#define MODEL_IMPORTED_H

#include "base/text.h"
#include "model/axis.h"
#include "model/metrics.h"

/* Rows of imports alone: all directions in one number, as with unified_rw_reporting. */
#define OP_MIXED OP_COUNT
#define ROW_OPS  (OP_COUNT + 1)

const char *row_op_name(uint64_t op); /* op_name(), and "mixed"; NULL past the end */
unsigned row_op_find(const char *name); /* ROW_OPS: none has this name */
/* Append SQL that makes the name of the number in a column, or the number of the name. */
void row_op_sql_name(struct text *sql, const char *column);
void row_op_sql_number(struct text *sql, const char *column);

struct imported {
	const char *word[AXIS_COUNT]; /* text and enum axes: what stands in the column; NULL: as
	                                 in the job */
	const char *options;          /* the column of this name */
	const char *host, *facts;     /* of the machine: name, JSON object of texts */
	unsigned ops;                 /* that have rows, as bits 1 << op */
	struct metric_value run[METRIC_COUNT];
	struct metric_value op[ROW_OPS][METRIC_COUNT];
	const struct hist *lat[ROW_OPS]; /* NULL: no histogram */
	const char *file;     /* that it stood in */
	const char *document; /* hash of that document, hex */
	const char *header;   /* JSON: what the document says beside its jobs */
	const char *source;   /* JSON: the job itself */
};

#endif
