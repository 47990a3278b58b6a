/* sink/store_read.c: what resume, clean and show ask of a store. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sink/store_private.h"

int store_each_created(struct store *s, int (*fn)(void *arg, const struct store_created *c),
                       void *arg, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(
	    &r, s, "SELECT path, dev, ino, born_ns, least, size FROM created ORDER BY path", e);

	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1) {
		AUTO(freep) char *path = xstrdup(rows_text(r, 0));
		struct store_created c = { .path = path,
			                   .dev = (uint64_t)rows_int(r, 1),
			                   .ino = (uint64_t)rows_int(r, 2),
			                   .born_ns = (uint64_t)rows_int(r, 3),
			                   .least = (uint64_t)rows_int(r, 4),
			                   .size = (uint64_t)rows_int(r, 5) };

		rc = fn(arg, &c);
		if (rc)
			return rc;
	}
	return rc;
}

static enum run_status status_of(const char *name)
{
	for (uint64_t i = 0; i < STATUS_COUNT; i++)
		if (!strcmp(status_name(i), name))
			return (enum run_status)i;
	return STATUS_INTERRUPTED; /* from a damaged file: measure again */
}

/* Bare columns beside max() come from the row that has the maximum: SQLite's documented rule.
 */
static const char state_sql[] =
    "SELECT c.key, r.repeat, max(r.attempt), r.status, r.skipped_by_machine, r.id FROM run r "
    "JOIN combination c ON c.id = r.combination_id "
    "WHERE r.purpose = 'grid' GROUP BY r.combination_id, r.repeat";

int store_each_state(struct store *s, int (*fn)(void *arg, const struct store_state *st),
                     void *arg, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, state_sql, e);

	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1) {
		struct store_state st = { .repeat = (uint64_t)rows_int(r, 1),
			                  .attempt = (uint64_t)rows_int(r, 2),
			                  .status = status_of(rows_text(r, 3)),
			                  .given_up = rows_int(r, 4) == 2,
			                  .run_id = rows_int(r, 5) };
		size_t size;
		const void *key = rows_blob(r, 0, &size);

		if (size != KEY_BYTES)
			return err_set(e, -EBADMSG, "%s: damaged: a combination without a key",
			               s->path);
		memcpy(st.key, key, KEY_BYTES);
		rc = fn(arg, &st);
		if (rc)
			return rc;
	}
	return rc;
}

int64_t store_last_run(struct store *s)
{
	AUTO(rows_closep) struct rows *r = NULL;
	struct err e = { 0 };

	if (rows_open(&r, s, "SELECT max(id) FROM run", &e) || rows_next(r, &e) != 1)
		return 0;
	return rows_int(r, 0);
}

/* Header texts that are columns of table sweep. */
static const char *sweep_column(const char *name)
{
	static const char *const column[] = {
		"uuid",         "name",       "description",     "tags",
		"config",       "seed",       "start_directory", "command_options",
		"planned_runs", "estimate_s", "tool_version",    "created_wall_ns",
		"state"
	};

	for (size_t i = 0; i < ARRAY_SIZE(column); i++)
		if (!strcmp(column[i], name))
			return column[i];
	return NULL;
}

/* Keep a copy under its name; an older one of the same name goes. */
static const char *keep(struct store *s, const char *name, const char *value)
{
	for (size_t i = 0; i < s->texts; i++)
		if (!strcmp(s->text[i].name, name)) {
			free(s->text[i].value);
			return s->text[i].value = xstrdup(value);
		}
	s->text = xrealloc(s->text, s->texts + 1, sizeof(*s->text));
	s->text[s->texts++] =
	    (struct store_text){ .name = xstrdup(name), .value = xstrdup(value) };
	return s->text[s->texts - 1].value;
}

const char *store_get(struct store *s, const char *name)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	const char *column = sweep_column(name);
	struct err e = { 0 };

	if (column)
		text_addf(&sql, "SELECT %s FROM sweep", column);
	else
		text_add(&sql, "SELECT value FROM header WHERE name = ?");
	if (rows_open(&r, s, sql.s, &e))
		return NULL;
	if (!column)
		rows_bind_text(r, 1, name);
	if (rows_next(r, &e) != 1)
		return NULL;
	return keep(s, name, rows_text(r, 0));
}
