/* sink/store_put.c: one row on its way: into its prepared statement, or, while a spool is
 * written, into a line {"put":"STATEMENT","PARAMETER":VALUE,...}. The names are those of the
 * statement's parameters, so that both say the same. */
#include <string.h>

#include "sink/cell.h"
#include "sink/store_private.h"

int put_begin(struct put *p, struct store *s, enum store_statement which, const char *doing,
              struct err *e)
{
	int r;

	*p = (struct put){ .store = s, .doing = doing };
	r = store_statement(s, which, &p->st, e);
	if (!r && s->spooling)
		text_addf(&s->lines, "{\"put\":\"%s\"", store_statement_name(which));
	return r;
}

/* The next value: its line to be added to, or NULL: to be bound. */
static struct text *next(struct put *p)
{
	struct text *t = p->store->spooling ? &p->store->lines : NULL;

	p->n++;
	if (t)
		text_addf(t, ",\"%s\":", sqlite3_bind_parameter_name(p->st, p->n) + 1);
	return t;
}

void put_int(struct put *p, int64_t v)
{
	struct text *t = next(p);

	if (t)
		cell_add_int(t, v);
	else
		(void)sqlite3_bind_int64(p->st, p->n, v);
}

void put_counter(struct put *p, uint64_t v)
{
	put_int(p, v > INT64_MAX ? INT64_MAX : (int64_t)v);
}

void put_real(struct put *p, double v)
{
	struct text *t = next(p);

	if (t)
		json_add_real(t, v);
	else
		(void)sqlite3_bind_double(p->st, p->n, v);
}

static void add_hex(struct text *t, const char *kind, const uint8_t *data, size_t size)
{
	text_addf(t, "{\"%s\":\"", kind);
	for (size_t i = 0; i < size; i++)
		text_addf(t, "%02x", data[i]);
	text_add(t, "\"}");
}

static bool is_utf8(const char *s, size_t n)
{
	size_t step;

	for (; n; s += step, n -= step)
		if (!(step = text_utf8(s, n)))
			return false;
	return true;
}

void put_text(struct put *p, const char *text)
{
	struct text *t = next(p);

	text = text ? text : "";
	if (!t)
		(void)sqlite3_bind_text(p->st, p->n, text, -1, SQLITE_TRANSIENT);
	else if (is_utf8(text, strlen(text)))
		json_add_string(t, text);
	else /* a file name may be any bytes */
		add_hex(t, "text", (const uint8_t *)text, strlen(text));
}

void put_blob(struct put *p, const void *data, size_t size)
{
	struct text *t = next(p);

	if (t)
		add_hex(t, "blob", data, size);
	else
		(void)sqlite3_bind_blob(p->st, p->n, data, (int)size, SQLITE_TRANSIENT);
}

void put_null(struct put *p)
{
	struct text *t = next(p);

	if (t)
		text_add(t, "null");
	else
		(void)sqlite3_bind_null(p->st, p->n);
}

int put_end(struct put *p, struct err *e)
{
	if (!p->store->spooling)
		return store_run(p->store, p->st, p->doing, e);
	text_add(&p->store->lines, "}\n");
	return 0;
}
