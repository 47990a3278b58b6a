#include "sink/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "model/column.h"
#include "sink/cell.h"
#include "sink/output.h"

static const struct dialect {
	char separator, point;
	bool quotes; /* else separators and line ends in texts become blanks */
	const char *start, *end;
} dialects[] = {
	[CSV_CANONICAL] = { ',', '.', true, "", "\n" },
	[CSV_EXCEL] = { ';', ',', true, "\xef\xbb\xbf", "\r\n" },
	[CSV_TSV] = { '\t', '.', false, "", "\n" },
};

#define CHUNK 65536

static bool must_quote(const char *s, const struct dialect *d)
{
	size_t n = strlen(s);

	if (n && (s[0] == ' ' || s[n - 1] == ' '))
		return true;
	for (; *s; s++)
		if (*s == d->separator || *s == '"' || *s == '\r' || *s == '\n')
			return true;
	return false;
}

/* A spreadsheet takes such a cell for a formula; a leading quote makes it text. */
static bool is_formula(const char *s)
{
	return *s && strchr("=+-@\t\r", *s);
}

static void add_quoted(struct text *t, const char *s)
{
	text_addn(t, "\"", 1);
	for (const char *q; (q = strchr(s, '"')); s = q + 1) {
		text_addn(t, s, (size_t)(q - s) + 1);
		text_addn(t, "\"", 1);
	}
	text_add(t, s);
	text_addn(t, "\"", 1);
}

static void add_blanked(struct text *t, const char *s)
{
	size_t from = t->len;

	text_add(t, s);
	for (size_t i = from; i < t->len; i++)
		if (strchr("\t\r\n", t->s[i]))
			t->s[i] = ' ';
}

static bool plain(const char *s, const struct dialect *d)
{
	for (const char *p = s; *p; p++)
		if ((unsigned char)*p >= 0x80 || *p == '\t')
			return false;
	return !must_quote(s, d) && !is_formula(s);
}

static void add_text(struct text *t, const char *s, const struct dialect *d)
{
	AUTO(text_fini) struct text cell = { 0 };

	if (plain(s, d)) {
		text_add(t, s);
		return;
	}
	if (is_formula(s))
		text_addn(&cell, "'", 1);
	text_add_utf8(&cell, s);
	if (!d->quotes)
		add_blanked(t, text_get(&cell));
	else if (must_quote(text_get(&cell), d))
		add_quoted(t, text_get(&cell));
	else
		text_add(t, text_get(&cell));
}

/* "read_lat_p99_us": a column of one op beside those of others. */
static bool ends_in_us(const char *name)
{
	size_t n = strlen(name);

	return n > 3 && !strcmp(name + n - 3, "_us");
}

/* One query being written: which of its columns are microseconds. */
struct writer {
	const struct dialect *d;
	struct rows *rows;
	int columns;
	bool *micro;
	struct text text;
};

static void writer_fini(struct writer *w)
{
	free(w->micro);
	text_fini(&w->text);
}

static void writer_init(struct writer *w, struct rows *rows, enum csv_dialect d)
{
	struct column all[COLUMN_MAX];
	size_t n = column_list(all, UINT64_MAX), at = 0;

	*w = (struct writer){ .d = &dialects[d], .rows = rows, .columns = rows_columns(rows) };
	w->micro = xcalloc((size_t)w->columns, sizeof(*w->micro));
	for (int i = 0; i < w->columns; i++) {
		const char *name = rows_name(rows, i);
		size_t tried = 0;

		/* They come in the order of the list: the next one is nearly always it. */
		for (; tried < n && strcmp(all[at].name, name) != 0; tried++)
			at = (at + 1) % n;
		w->micro[i] =
		    tried < n ? all[at].unit && !strcmp(all[at].unit, "us") : ends_in_us(name);
		at = (at + 1) % n;
	}
}

static void add_header(struct writer *w)
{
	text_add(&w->text, w->d->start);
	for (int i = 0; i < w->columns; i++) {
		if (i)
			text_addn(&w->text, &w->d->separator, 1);
		add_text(&w->text, rows_name(w->rows, i), w->d);
	}
	text_add(&w->text, w->d->end);
}

static void add_cell(struct writer *w, int i)
{
	switch (rows_type(w->rows, i)) {
	case ROWS_NULL:
		break;
	case ROWS_INTEGER:
		cell_add_int(&w->text, rows_int(w->rows, i));
		break;
	case ROWS_REAL:
		if (w->micro[i])
			cell_add_fixed3(&w->text, rows_real(w->rows, i), w->d->point);
		else
			cell_add_real(&w->text, rows_real(w->rows, i), w->d->point);
		break;
	case ROWS_TEXT:
		add_text(&w->text, rows_text(w->rows, i), w->d);
		break;
	}
}

static void add_line(struct writer *w)
{
	for (int i = 0; i < w->columns; i++) {
		if (i)
			text_addn(&w->text, &w->d->separator, 1);
		add_cell(w, i);
	}
	text_add(&w->text, w->d->end);
}

void csv_select(struct text *sql, const char *where)
{
	text_add(sql, "SELECT * FROM results");
	rows_where(sql, "WHERE", where);
}

int csv_put(FILE *out, struct text *t, struct err *e)
{
	size_t n = t->len;

	if (n && fwrite(t->s, 1, n, out) != n)
		return err_set(e, -errno, "write: %s", err_name(errno));
	text_clear(t);
	return 0;
}

int csv_write_rows(FILE *out, struct rows *rows, enum csv_dialect d, struct err *e)
{
	AUTO(writer_fini) struct writer w = { 0 };
	int r;

	writer_init(&w, rows, d);
	add_header(&w);
	while ((r = rows_next(w.rows, e)) == 1) {
		add_line(&w);
		if (w.text.len >= CHUNK && (r = csv_put(out, &w.text, e)))
			return r;
	}
	return r ? r : csv_put(out, &w.text, e);
}

int csv_write(FILE *out, struct store *s, const char *where, enum csv_dialect d, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *rows = NULL;
	int r;

	csv_select(&sql, where);
	r = rows_open(&rows, s, sql.s, e);
	return r ? r : csv_write_rows(out, rows, d, e);
}

struct selection {
	struct store *store;
	const char *where;
};

static int write_canonical(FILE *out, void *arg, struct err *e)
{
	const struct selection *sel = arg;

	return csv_write(out, sel->store, sel->where, CSV_CANONICAL, e);
}

/* Whoever has the database is the only one to write its CSV: the maker is gone. */
static void tidy(const char *left, pid_t maker)
{
	(void)maker;
	if (output_is_empty(left) || csv_is_ours(left))
		(void)unlink(left);
}

int csv_write_file(const char *path, struct store *s, const char *where, struct err *e)
{
	struct selection sel = { s, where };
	int r = output_file(path, write_canonical, &sel, e);

	if (!r)
		output_each_left(path, tidy);
	return r;
}

/* All or nothing: half a line must never be read as a result. */
static int append(int fd, off_t size, const struct text *t, const char *path, struct err *e)
{
	ssize_t n = write(fd, t->s, t->len);
	int error = errno;

	if (n == (ssize_t)t->len)
		return 0;
	if (n > 0) {
		error = ENOSPC;
		if (ftruncate(fd, size))
			error = errno;
	}
	return err_set(e, -error, "%s: write: %s", path, err_name(error));
}

bool csv_is_ours(const char *path)
{
	static const char begin[] = "sweep,label,combination,run,";
	char got[sizeof(begin) - 1];
	AUTO(closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       pread(fd, got, sizeof(got), 0) == (ssize_t)sizeof(got) &&
	       !memcmp(got, begin, sizeof(got));
}

/* A link is followed to a pipe or a terminal alone: a file has been made anew, under this name.
 */
static int open_to_append(const char *path)
{
	int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
	struct stat st;

	if (!stat(path, &st) && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)))
		flags &= ~O_NOFOLLOW;
	return open(path, flags, 0666);
}

int csv_append(const char *path, struct store *s, int64_t run_id, struct err *e)
{
	AUTO(closep) int fd = open_to_append(path);
	AUTO(writer_fini) struct writer w = { 0 };
	AUTO(rows_closep) struct rows *rows = NULL;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st))
		return err_set(e, -errno, "%s: cannot write: %s", path, err_name(errno));
	r = rows_open(&rows, s, "SELECT * FROM results WHERE run = ?", e);
	if (r)
		return r;
	rows_bind_int(rows, 1, run_id);
	writer_init(&w, rows, CSV_CANONICAL);
	if (!st.st_size)
		add_header(&w);
	while ((r = rows_next(w.rows, e)) == 1)
		add_line(&w);
	return r || !w.text.len ? r : append(fd, st.st_size, &w.text, path, e);
}
