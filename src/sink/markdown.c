/* sink/markdown.c: rows as a Markdown table. */
#include <string.h>

#include "base/cleanup.h"
#include "sink/cell.h"
#include "sink/csv.h"

#define CHUNK 65536

void markdown_add_text(struct text *t, const char *s)
{
	for (const char *p = s; *p;) {
		if (strchr("\r\n\t", *p)) {
			text_add(t, " ");
			p++;
		} else if (strchr("|\\`*_[]<>#&~", *p)) {
			text_addf(t, "\\%c", *p++);
		} else {
			p += text_add_character(t, p);
		}
	}
}

static void add_cell(struct text *t, const struct rows *r, int i)
{
	switch (rows_type(r, i)) {
	case ROWS_NULL:
		break;
	case ROWS_INTEGER:
		cell_add_int(t, rows_int(r, i));
		break;
	case ROWS_REAL:
		cell_add_real(t, rows_real(r, i), '.');
		break;
	case ROWS_TEXT:
		markdown_add_text(t, rows_text(r, i));
		break;
	}
}

int markdown_write_rows(FILE *out, struct rows *rows, struct err *e)
{
	AUTO(text_fini) struct text t = { 0 };
	int columns = rows_columns(rows), r;

	for (int i = 0; i < columns; i++) {
		text_add(&t, "| ");
		markdown_add_text(&t, rows_name(rows, i));
		text_add(&t, " ");
	}
	text_add(&t, "|\n");
	for (int i = 0; i < columns; i++)
		text_add(&t, "|---");
	text_add(&t, "|\n");
	while ((r = rows_next(rows, e)) == 1) {
		for (int i = 0; i < columns; i++) {
			text_add(&t, "| ");
			add_cell(&t, rows, i);
			text_add(&t, " ");
		}
		text_add(&t, "|\n");
		if (t.len >= CHUNK && (r = csv_put(out, &t, e)))
			return r;
	}
	return r ? r : csv_put(out, &t, e);
}
