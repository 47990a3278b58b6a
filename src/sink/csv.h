/* sink/csv.h: the CSV of a sweep, its header = the columns of the view `results`. */
#ifndef SINK_CSV_H
#define SINK_CSV_H

#include <stdio.h>

#include "base/err.h"
#include "base/text.h"
#include "model/record.h"
#include "sink/store.h"

enum csv_dialect { CSV_CANONICAL, CSV_EXCEL, CSV_TSV };

/* These rows, with a header of their names. Takes the rows it has not seen; the caller closes them. */
int csv_write_rows(FILE *out, struct rows *rows, enum csv_dialect d, struct err *e);
/* All rows of `results` (those matching the SQL condition `where`, if any), in order, with a
 * header. */
int csv_write(FILE *out, struct store *s, const char *where, enum csv_dialect d, struct err *e);
/* The same into PATH (output_file). */
int csv_write_file(const char *path, struct store *s, const char *where, struct err *e);

/* While running: append the rows of run `run_id` as whole lines; writes the header when the
 * file is empty. */
int csv_append(const char *path, struct store *s, int64_t run_id, struct err *e);

/* {"schema_version":1,"rows":[..]} with the same names; or each row as a document on its own line. */
int json_write_rows(FILE *out, struct rows *rows, struct err *e);
int jsonl_write_rows(FILE *out, struct rows *rows, struct err *e);
/* Append s as text of a line or cell: no line end, and nothing that Markdown or HTML would take
 * for its own. */
void markdown_add_text(struct text *t, const char *s);
/* A table for tickets and pages. */
int markdown_write_rows(FILE *out, struct rows *rows, struct err *e);

/* For all of them: the query of the rows of `results`, and a full buffer on its way out. */
void csv_select(struct text *sql, const char *where);
int csv_put(FILE *out, struct text *t, struct err *e);

/* Is PATH a file that csv_write_file() made, by its first line? */
bool csv_is_ours(const char *path);

#endif
