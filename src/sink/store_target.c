/* sink/store_target.c: the facts of a target, field by field from one table; and what a run did on each of several. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "sink/store_private.h"

enum field_kind { FIELD_TEXT, FIELD_U64, FIELD_U32, FIELD_INT, FIELD_BOOL };

/* clang-format off */
static const struct field {
	const char *name;
	size_t off, size;
	enum field_kind kind;
} fields[] = {
#define FIELD(name, kind) \
	{ #name, offsetof(struct target_info, name), sizeof(((struct target_info *)0)->name), kind }
	FIELD(filename, FIELD_TEXT),
	FIELD(path, FIELD_TEXT),
	FIELD(kind, FIELD_INT),
	FIELD(problem_errno, FIELD_INT),
	FIELD(problem, FIELD_TEXT),
	FIELD(ours, FIELD_BOOL),
	FIELD(writable, FIELD_BOOL),
	FIELD(size_bytes, FIELD_U64),
	FIELD(free_bytes, FIELD_U64),
	FIELD(offset_align, FIELD_U32),
	FIELD(memory_align, FIELD_U32),
	FIELD(dev, FIELD_U64),
	FIELD(ino, FIELD_U64),
	FIELD(born_ns, FIELD_U64),
	FIELD(major, FIELD_U32),
	FIELD(minor, FIELD_U32),
	FIELD(diskseq, FIELD_U64),
	FIELD(boot, FIELD_TEXT),
	FIELD(backing, FIELD_TEXT),
	FIELD(device, FIELD_TEXT),
	FIELD(serial, FIELD_TEXT),
	FIELD(wwn, FIELD_TEXT),
	FIELD(fs, FIELD_TEXT),
	FIELD(mount_point, FIELD_TEXT),
	FIELD(mount_options, FIELD_TEXT),
	FIELD(rotational, FIELD_BOOL),
	FIELD(zero_pct, FIELD_INT),
	FIELD(unwritten, FIELD_BOOL),
#undef FIELD
};
/* clang-format on */

void store_target_table_sql(struct text *out)
{
	text_add(out, "CREATE TABLE target(");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		text_addf(out, "%s\n\t%s %s NOT NULL%s", i ? "," : "", fields[i].name,
		          fields[i].kind == FIELD_TEXT ? "TEXT" : "INTEGER",
		          i ? "" : " PRIMARY KEY");
	text_add(out, ") WITHOUT ROWID;\n");
}

void store_target_put_sql(struct text *out)
{
	text_add(out, "INSERT OR REPLACE INTO target(");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		text_addf(out, "%s%s", i ? ", " : "", fields[i].name);
	text_add(out, ") VALUES(");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		text_addf(out, "%s:%s", i ? ", " : "", fields[i].name);
	text_add(out, ")");
}

static void put_field(struct put *p, const struct field *f, const struct target_info *t)
{
	const void *at = (const char *)t + f->off;

	switch (f->kind) {
	case FIELD_TEXT:
		put_text(p, at);
		break;
	case FIELD_U64:
		put_int(p, (int64_t) * (const uint64_t *)at);
		break;
	case FIELD_U32:
		put_int(p, *(const uint32_t *)at);
		break;
	case FIELD_INT:
		put_int(p, *(const int *)at);
		break;
	case FIELD_BOOL:
		put_int(p, *(const bool *)at);
		break;
	}
}

static void read_field(sqlite3_stmt *st, int column, const struct field *f,
                       struct target_info *t)
{
	void *at = (char *)t + f->off;
	int64_t v = sqlite3_column_int64(st, column);
	const char *s;

	switch (f->kind) {
	case FIELD_TEXT:
		s = (const char *)sqlite3_column_text(st, column);
		(void)snprintf(at, f->size, "%s", s ? s : "");
		break;
	case FIELD_U64:
		*(uint64_t *)at = (uint64_t)v;
		break;
	case FIELD_U32:
		*(uint32_t *)at = (uint32_t)v;
		break;
	case FIELD_INT:
		*(int *)at = (int)v;
		break;
	case FIELD_BOOL:
		*(bool *)at = v != 0;
		break;
	}
}

int store_write_target(struct store *s, const void *arg, struct err *e)
{
	struct put p;
	int r = put_begin(&p, s, STMT_TARGET, "store a target", e);

	if (r)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		put_field(&p, &fields[i], arg);
	return put_end(&p, e);
}

int store_put_target(struct store *s, const struct target_info *t, struct err *e)
{
	return store_apply(s, true, store_write_target, t, e);
}

int store_put_target_results(struct store *s, const struct record *r, enum op op,
                             struct err *e)
{
	const struct sample *sample = r->sample;
	int rc = 0;

	for (uint64_t i = 0; sample->targets > 1 && i < sample->targets && !rc; i++) {
		const struct target_sum *sum = &sample->target[i];
		struct put p;

		rc = put_begin(&p, s, STMT_TARGET_RESULT, "store a result", e);
		if (rc)
			return rc;
		put_int(&p, r->run_id);
		put_counter(&p, i);
		put_int(&p, op);
		put_text(&p, r->member[i]);
		put_counter(&p, sum->ios[op]);
		put_counter(&p, sum->bytes[op]);
		put_counter(&p, sum->errors[op]);
		put_counter(&p, sum->lat_sum_ns[op]);
		put_counter(&p, sum->lat_max_ns[op]);
		put_counter(&p, sum->written_bytes);
		rc = put_end(&p, e);
	}
	return rc;
}

int store_get_target(struct store *s, const char *filename, struct target_info *t,
                     struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	sqlite3_stmt *st = NULL;
	int r;

	text_add(&sql, "SELECT ");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		text_addf(&sql, "%s%s", i ? "," : "", fields[i].name);
	text_add(&sql, " FROM target WHERE filename = ?");
	r = sqlite3_prepare_v2(s->db, sql.s, -1, &st, NULL);
	if (r == SQLITE_OK) {
		sqlite3_bind_text(st, 1, filename, -1, SQLITE_TRANSIENT);
		r = sqlite3_step(st);
	}
	*t = (struct target_info){ 0 };
	if (r == SQLITE_ROW) {
		for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
			read_field(st, (int)i, &fields[i], t);
		r = 0;
	} else if (r == SQLITE_DONE) {
		r = err_set(e, -ENOENT, "%s: no facts of a target '%s'", s->path, filename);
	} else {
		r = store_error(s, r, "read a target", e);
	}
	(void)sqlite3_finalize(st);
	return r;
}
