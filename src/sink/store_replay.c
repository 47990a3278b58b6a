/* sink/store_replay.c: the lines of a spool, done. A spool lies where others may have written:
 * it names statements of this program, never SQL, and values by the names of their parameters.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "sink/store_private.h"

/* FNV-1a: against lines that were cut off, not against anybody. */
static uint64_t sum_of(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)s[i]) * UINT64_C(0x100000001b3);
	return h;
}

static const char end_form[] = "{\"batch\":%" PRIu64 ",\"sum\":\"%016" PRIx64 "\"}\n";

void store_replay_end(struct text *batch, uint64_t number)
{
	uint64_t sum = sum_of(text_get(batch), batch->len);

	text_addf(batch, end_form, number, sum);
}

const char *store_statement_name(enum store_statement which)
{
	static const char *const name[STMT_COUNT] = {
		[STMT_HEADER] = "header",
		[STMT_COMBINATION] = "combination",
		[STMT_RUN_NEW] = "run_new",
		[STMT_RUN_OUTCOME] = "run_outcome",
		[STMT_RESULT] = "result",
		[STMT_INTERVAL] = "interval",
		[STMT_HISTOGRAM] = "histogram",
		[STMT_EVENT] = "event",
		[STMT_STATE] = "state",
		[STMT_CREATED_PUT] = "created_put",
		[STMT_CREATED_DEL] = "created_del",
		[STMT_TARGET] = "target",
		[STMT_TARGET_RESULT] = "target_result",
	};

	return name[which];
}

/* {"blob":"00ff"} or {"text":"..."}: bytes that are no JSON text. */
static int bind_hex(sqlite3_stmt *st, int i, const json_t *v)
{
	const json_t *blob = json_object_get(v, "blob");
	const char *hex = json_string_value(blob ? blob : json_object_get(v, "text"));
	size_t n = hex ? strlen(hex) / 2 : 0;
	AUTO(freep) char *bytes = xcalloc(n + 1, 1);

	if (!hex || strlen(hex) % 2)
		return -EINVAL;
	for (size_t k = 0; k < n; k++) {
		int high = hex_digit(hex[2 * k]), low = hex_digit(hex[2 * k + 1]);

		if (high < 0 || low < 0)
			return -EINVAL;
		bytes[k] = (char)(high << 4 | low);
	}
	if (blob)
		(void)sqlite3_bind_blob(st, i, bytes, (int)n, SQLITE_TRANSIENT);
	else
		(void)sqlite3_bind_text(st, i, bytes, (int)n, SQLITE_TRANSIENT);
	return 0;
}

static int bind_value(sqlite3_stmt *st, int i, const json_t *v)
{
	if (!v || json_is_null(v)) /* not there: an older program wrote it */
		(void)sqlite3_bind_null(st, i);
	else if (json_is_integer(v))
		(void)sqlite3_bind_int64(st, i, json_integer_value(v));
	else if (json_is_real(v))
		(void)sqlite3_bind_double(st, i, json_real_value(v));
	else if (json_is_string(v))
		(void)sqlite3_bind_text(st, i, json_string_value(v), -1, SQLITE_TRANSIENT);
	else
		return bind_hex(st, i, v);
	return 0;
}

static int bad_line(struct err *e)
{
	return err_set(e, -EINVAL, "damaged: a line that no iosweep wrote");
}

static int do_line(struct store *s, const char *line, size_t n, struct err *e)
{
	AUTO(json_decrefp) json_t *row = json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL);
	const char *put = json_string_value(json_object_get(row, "put"));
	sqlite3_stmt *st;
	int which = STMT_HEADER, r;

	while (put && which < STMT_COUNT &&
	       strcmp(store_statement_name((enum store_statement)which), put) != 0)
		which++;
	if (!put || which == STMT_COUNT)
		return bad_line(e);
	r = store_statement(s, (enum store_statement)which, &st, e);
	if (r)
		return r;
	for (int i = 1; i <= sqlite3_bind_parameter_count(st); i++)
		if (bind_value(st, i,
		               json_object_get(row, sqlite3_bind_parameter_name(st, i) + 1)))
			return bad_line(e);
	return store_run(s, st, "write", e);
}

static int do_batch(struct store *s, const char *text, size_t size, struct err *e)
{
	int r = 0;

	while (size && !r) {
		const char *end = memchr(text, '\n', size);
		size_t n = end ? (size_t)(end - text) + 1 : size;

		r = do_line(s, text, n, e);
		text += n;
		size -= n;
	}
	return r;
}

static bool read_end(const char *line, uint64_t *number, uint64_t *sum)
{
	return text_take(&line, "{\"batch\":") && !take_u64(&line, 10, number) &&
	       text_take(&line, ",\"sum\":\"") && !take_u64(&line, 16, sum) &&
	       text_take(&line, "\"}\n");
}

/* The size of the first batch in the text, without its last line; *next: where the following
 * one begins. False: no complete one is left. */
static bool find_batch(const char *text, size_t size, size_t *len, size_t *next,
                       uint64_t *number)
{
	for (size_t at = 0; at < size;) {
		const char *end = memchr(text + at, '\n', size - at);
		char line[96];
		uint64_t sum;

		if (!end)
			return false;
		*len = at;
		*next = (size_t)(end - text) + 1;
		if (*next - at < sizeof(line)) {
			(void)snprintf(line, sizeof(line), "%.*s", (int)(*next - at),
			               text + at);
			if (read_end(line, number, &sum))
				return sum == sum_of(text, at);
		}
		at = *next;
	}
	return false;
}

int store_replay(struct store *s, const char *text, size_t size, uint64_t after, uint64_t *last,
                 struct err *e)
{
	size_t len, next;
	uint64_t number;
	int r = 0;

	while (!r && find_batch(text, size, &len, &next, &number)) {
		if (number > after) {
			r = do_batch(s, text, len, e);
			*last = number;
		}
		text += next;
		size -= next;
	}
	return r;
}
