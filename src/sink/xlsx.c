#include "sink/xlsx.h"

#include <errno.h>

#ifdef WITH_XLSX
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xlsxwriter.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "sink/cell.h"
#include "sink/output.h"

#define EXACT    (INT64_C(1) << 53) /* a sheet holds doubles */
#define ROWS_MAX 1048576

struct book {
	lxw_workbook *workbook;
	lxw_format *head, *integer, *real, *micro;
};

static lxw_format *number_format(lxw_workbook *w, const char *format)
{
	lxw_format *f = workbook_add_format(w);

	format_set_num_format(f, format);
	return f;
}

/* Texts as such: a sheet takes none of them for a formula. */
static void put_text(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t col, const char *s,
                     lxw_format *f)
{
	AUTO(text_fini) struct text clean = { 0 };

	text_add_utf8(&clean, s);
	(void)worksheet_write_string(sheet, row, col, text_get(&clean), f);
}

static void put_integer(const struct book *b, lxw_worksheet *sheet, lxw_row_t row,
                        lxw_col_t col, int64_t v)
{
	char text[32];

	if (v < EXACT && v > -EXACT) {
		(void)worksheet_write_number(sheet, row, col, (double)v, b->integer);
		return;
	}
	(void)snprintf(text, sizeof(text), "%lld", (long long)v);
	put_text(sheet, row, col, text, NULL);
}

static void put_cell(const struct book *b, lxw_worksheet *sheet, lxw_row_t row,
                     const struct rows *r, int i)
{
	const char *name = rows_name(r, i);
	size_t n = strlen(name);
	bool micro = n > 3 && !strcmp(name + n - 3, "_us");

	switch (rows_type(r, i)) {
	case ROWS_NULL:
		break;
	case ROWS_INTEGER:
		put_integer(b, sheet, row, (lxw_col_t)i, rows_int(r, i));
		break;
	case ROWS_REAL:
		(void)worksheet_write_number(sheet, row, (lxw_col_t)i, rows_real(r, i),
		                             micro ? b->micro : b->real);
		break;
	case ROWS_TEXT:
		put_text(sheet, row, (lxw_col_t)i, rows_text(r, i), NULL);
		break;
	}
}

static int put_rows(const struct book *b, struct rows *rows, struct err *e)
{
	lxw_worksheet *sheet = workbook_add_worksheet(b->workbook, "rows");
	int columns = rows_columns(rows), r;
	lxw_row_t at = 0;

	for (int i = 0; i < columns; i++)
		put_text(sheet, 0, (lxw_col_t)i, rows_name(rows, i), b->head);
	while ((r = rows_next(rows, e)) == 1) {
		if (++at == ROWS_MAX)
			return err_set(e, -EFBIG,
			               "a sheet holds %d rows: choose some by --where",
			               ROWS_MAX);
		for (int i = 0; i < columns; i++)
			put_cell(b, sheet, at, rows, i);
	}
	worksheet_freeze_panes(sheet, 1, 0);
	if (columns)
		(void)worksheet_autofilter(sheet, 0, 0, at, (lxw_col_t)(columns - 1));
	return r;
}

struct fact_sheet {
	const struct book *book;
	lxw_worksheet *sheet;
	lxw_row_t row;
};

static void put_fact(void *arg, const char *name, const char *value)
{
	struct fact_sheet *f = arg;

	put_text(f->sheet, f->row, 0, name, f->book->head);
	put_text(f->sheet, f->row++, 1, value, NULL);
}

static int put_environment(const struct book *b, struct store *s, struct err *e)
{
	struct fact_sheet f = { b, workbook_add_worksheet(b->workbook, "environment"), 0 };
	static const char *const header[] = { "name", "description", "config", "created_utc" };
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = rows_open(&rows, s, "SELECT facts FROM environment ORDER BY id", e);

	if (r)
		return r;
	for (size_t i = 0; i < sizeof(header) / sizeof(header[0]); i++)
		if (store_get(s, header[i]))
			put_fact(&f, header[i], store_get(s, header[i]));
	(void)worksheet_set_column(f.sheet, 0, 0, 24, NULL);
	(void)worksheet_set_column(f.sheet, 1, 1, 60, NULL);
	while ((r = rows_next(rows, e)) == 1)
		json_each_fact(rows_text(rows, 0), put_fact, &f);
	return r;
}

/* The library writes files by name only. */
static int write_book(const char *path, struct rows *rows, struct store *s, struct err *e)
{
	lxw_workbook_options options = { .constant_memory = LXW_TRUE };
	struct book b = { .workbook = workbook_new_opt(path, &options) };
	lxw_error error;
	int r;

	if (!b.workbook)
		return err_set(e, -ENOMEM, "out of memory for a workbook");
	b.head = workbook_add_format(b.workbook);
	format_set_bold(b.head);
	b.integer = number_format(b.workbook, "0");
	b.real = number_format(b.workbook, "General");
	b.micro = number_format(b.workbook, "0.000");
	r = put_rows(&b, rows, e);
	if (!r)
		r = put_environment(&b, s, e);
	error = workbook_close(b.workbook);
	if (!r && error)
		r = err_set(e, -EIO, "workbook: %s", lxw_strerror(error));
	return r;
}

int xlsx_write_rows(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	AUTO(freep) char *path = NULL;
	int fd = output_temporary(&path, "", e), r;

	if (fd < 0)
		return fd;
	(void)close(fd);
	r = write_book(path, rows, s, e);
	if (!r)
		r = file_copy(out, path, e);
	(void)unlink(path);
	return r;
}
#else
int xlsx_write_rows(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	(void)out, (void)rows, (void)s;
	return err_set(e, -ENOSYS, "this iosweep was built without libxlsxwriter");
}
#endif
