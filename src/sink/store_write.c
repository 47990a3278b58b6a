/* sink/store_write.c: what happens in the gap between two runs. Statements are prepared once
 * and kept. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "model/column.h"
#include "sink/store_private.h"

static void bind_text(sqlite3_stmt *st, int i, const char *s)
{
	sqlite3_bind_text(st, i, s ? s : "", -1, SQLITE_TRANSIENT);
}

static void bind_counter(sqlite3_stmt *st, int i, uint64_t v)
{
	sqlite3_bind_int64(st, i, v > INT64_MAX ? INT64_MAX : (int64_t)v);
}

static void bind_axis(sqlite3_stmt *st, int i, const struct axis *a, const struct record *r,
                      const struct job_text *text)
{
	uint64_t v = axis_value(a, r->job);

	if (a->kind == AXIS_TEXT && v != AXIS_UNSET)
		bind_text(st, i, axis_text(a, text));
	else if (v == AXIS_UNSET || (a->kind == AXIS_SIZE_OR_PERCENT && (v & SIZE_PERCENT)))
		sqlite3_bind_null(st, i);
	else if (a->kind == AXIS_ENUM)
		bind_text(st, i, a->choice(v));
	else
		bind_counter(st, i, v);
}

int store_put_combination(struct store *s, const struct record *r, int64_t *id, struct err *e)
{
	struct job_text text = { r->target ? r->target->filename : "", r->cpus_allowed };
	char options[1024];
	sqlite3_stmt *st;
	int n = 0, rc = store_statement(s, STMT_COMBINATION, &st, e);

	if (rc)
		return rc;
	column_options(r->job, &text, options, sizeof(options));
	sqlite3_bind_blob(st, ++n, r->key->bytes, KEY_BYTES, SQLITE_TRANSIENT);
	bind_text(st, ++n, r->key_text);
	bind_text(st, ++n, r->label);
	bind_text(st, ++n, r->target ? r->target->device : "");
	bind_text(st, ++n, r->target ? r->target->fs : "");
	bind_text(st, ++n, options);
	for (size_t i = 0; i < AXIS_COUNT; i++)
		bind_axis(st, ++n, &axes[i], r, &text);
	rc = store_run(s, st, "store a combination", e);
	if (rc)
		return rc;
	rc = store_statement(s, STMT_COMBINATION_ID, &st, e);
	if (rc)
		return rc;
	sqlite3_bind_blob(st, 1, r->key->bytes, KEY_BYTES, SQLITE_TRANSIENT);
	rc = sqlite3_step(st);
	if (rc != SQLITE_ROW)
		return store_error(s, rc, "store a combination", e);
	*id = sqlite3_column_int64(st, 0);
	(void)sqlite3_reset(st);
	return 0;
}

/* The row of a run; left alone when it is there already. */
static int put_run(struct store *s, const struct record *r, enum run_status status,
                   struct err *e)
{
	sqlite3_stmt *st;
	int64_t combination = 0;
	int n = 0, rc = store_put_combination(s, r, &combination, e);

	if (!rc)
		rc = store_statement(s, STMT_RUN_NEW, &st, e);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, ++n, r->run_id);
	sqlite3_bind_int64(st, ++n, combination);
	bind_counter(st, ++n, r->repeat);
	bind_counter(st, ++n, r->attempt);
	bind_text(st, ++n, purpose_name(r->purpose));
	bind_text(st, ++n, status_name(status));
	return store_run(s, st, "store a run", e);
}

static int bind_metrics(sqlite3_stmt *st, int n, enum metric_scope scope,
                        const struct metric_input *in)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric *m = metric_at(i);
		struct metric_value v;

		if (m->scope != scope || !store_metric_first(i))
			continue;
		n++;
		v = in->sample ? metric_eval(m, in) : (struct metric_value){ 0 };
		if (!v.measured)
			sqlite3_bind_null(st, n);
		else if (m->kind == METRIC_INTEGER)
			sqlite3_bind_int64(st, n, v.integer);
		else if (m->kind == METRIC_TEXT)
			sqlite3_bind_text(st, n, v.text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_double(st, n, v.real);
	}
	return n;
}

static int put_outcome(struct store *s, const struct record *r, const struct sample *sample,
                       struct err *e)
{
	struct metric_input in = { .sample = sample, .job = r->job, .flags = r->flags };
	sqlite3_stmt *st;
	int n = 0, rc = store_statement(s, STMT_RUN_OUTCOME, &st, e);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, ++n, r->run_id);
	bind_text(st, ++n, status_name(r->status));
	sqlite3_bind_int64(st, ++n, r->given_up ? 2 : r->skipped_by_machine);
	sqlite3_bind_int64(st, ++n, r->error_no);
	bind_text(st, ++n, r->error);
	sqlite3_bind_int64(st, ++n, (int64_t)r->flags);
	if (r->started_wall_ns)
		sqlite3_bind_int64(st, n + 1, r->started_wall_ns);
	n++;
	bind_text(st, ++n, sample ? sample->effective : "");
	bind_text(st, ++n, sample ? r->why : "");
	if (sample && sample->first_error.error) {
		sqlite3_bind_int64(st, n + 1, sample->first_error.error);
		sqlite3_bind_int64(st, n + 2, sample->first_error.op);
		sqlite3_bind_int64(st, n + 3, sample->first_error.len);
	}
	n = bind_metrics(st, n + 3, METRIC_RUN, &in);
	for (size_t i = 0; sample && i < store_raws; i++) {
		const char *at = (const char *)sample + store_raw[i].off;

		bind_counter(st, ++n, *(const uint64_t *)(const void *)at);
	}
	return store_run(s, st, "store a run", e);
}

static int put_result(struct store *s, const struct record *r, enum op op, struct err *e)
{
	struct metric_input in = { .sample = r->sample, .job = r->job, .op = op };
	sqlite3_stmt *st;
	int rc = store_statement(s, STMT_RESULT, &st, e);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, r->run_id);
	sqlite3_bind_int64(st, 2, op);
	(void)bind_metrics(st, 2, METRIC_OP, &in);
	return store_run(s, st, "store a result", e);
}

static int put_histogram(struct store *s, const struct record *r, enum op op, struct err *e)
{
	const struct hist *h = &r->sample->op[op].lat;
	sqlite3_stmt *st;
	size_t need;
	int rc = store_statement(s, STMT_HISTOGRAM, &st, e);

	if (rc)
		return rc;
	need = hist_pack(h, s->blob, s->blob_cap);
	if (need > s->blob_cap) {
		s->blob_cap = need * 2;
		s->blob = xrealloc(s->blob, s->blob_cap, 1);
		need = hist_pack(h, s->blob, s->blob_cap);
	}
	sqlite3_bind_int64(st, 1, r->run_id);
	sqlite3_bind_int64(st, 2, op);
	sqlite3_bind_blob(st, 3, s->blob, (int)need, SQLITE_STATIC);
	return store_run(s, st, "store a histogram", e);
}

struct slot_sum {
	uint64_t ios, bytes, lat_sum_ns;
};

static struct slot_sum sum_slots(const struct sample *s, enum op op, uint64_t from, uint64_t to)
{
	struct slot_sum sum = { 0 };

	for (uint64_t i = from; i < to && i < s->slots; i++) {
		sum.ios += s->slot[i].ios[op];
		sum.bytes += s->slot[i].bytes[op];
		sum.lat_sum_ns += s->slot[i].lat_sum_ns[op];
	}
	return sum;
}

/* Rows of 1 s, idle ones included; the last has what is left of the window, and of the series.
 */
static int put_intervals(struct store *s, const struct record *r, enum op op, struct err *e)
{
	const struct sample *sample = r->sample;
	uint64_t per, width, rows, left;
	int rc = 0;

	if (!sample->slot_ns || !sample->window_ns)
		return 0;
	per = metric_slots_per(sample, SEC);
	width = per * sample->slot_ns;
	rows = (sample->window_ns + width - 1) / width;
	for (uint64_t i = 0; i < rows && !rc; i++) {
		bool last = i + 1 == rows;
		struct slot_sum sum =
		    sum_slots(sample, op, i * per, last ? UINT64_MAX : (i + 1) * per);
		sqlite3_stmt *st;

		rc = store_statement(s, STMT_INTERVAL, &st, e);
		if (rc)
			return rc;
		left = sample->window_ns - i * width;
		sqlite3_bind_int64(st, 1, r->run_id);
		sqlite3_bind_int64(st, 2, op);
		bind_counter(st, 3, i * width / MSEC);
		sqlite3_bind_double(st, 4, (double)(last ? left : width) / 1e6);
		bind_counter(st, 5, sum.ios);
		bind_counter(st, 6, sum.bytes);
		bind_counter(st, 7, sum.lat_sum_ns);
		rc = store_run(s, st, "store intervals", e);
	}
	return rc;
}

static int put_op(struct store *s, const struct record *r, enum op op, struct err *e)
{
	int rc = put_result(s, r, op, e);

	if (!rc)
		rc = put_intervals(s, r, op, e);
	if (!rc && r->sample->op[op].lat.n)
		rc = put_histogram(s, r, op, e);
	return rc;
}

/* Only ok and failed runs keep numbers: what a stalled or interrupted one counted describes no
 * window. */
static int put_done(struct store *s, const struct record *r, struct err *e)
{
	const struct sample *sample =
	    r->status == STATUS_OK || r->status == STATUS_FAILED ? r->sample : NULL;
	unsigned ops = sample ? metric_ops(sample, r->job, r->status == STATUS_OK) : 0;
	int rc = put_run(s, r, r->status, e);

	if (!rc)
		rc = put_outcome(s, r, sample, e);
	for (unsigned op = 0; op < OP_COUNT && !rc; op++)
		if (ops & 1U << op)
			rc = put_op(s, r, (enum op)op, e);
	return rc;
}

int store_step(struct store *s, const struct record *done, const struct record *next,
               bool durable, struct err *e)
{
	int r = store_begin(s, durable, e);

	if (!r && done)
		r = put_done(s, done, e);
	if (!r && next)
		r = put_run(s, next, STATUS_RUNNING, e);
	if (!r)
		r = store_write_events(s, e);
	if (r) {
		store_rollback(s);
		return r;
	}
	r = store_commit(s, e);
	if (!r)
		store_forget_events(s);
	return r;
}

static int put_header(struct store *s, const char *name, const char *value, struct err *e)
{
	sqlite3_stmt *st;
	int r = store_statement(s, STMT_HEADER, &st, e);

	if (r)
		return r;
	bind_text(st, 1, name);
	bind_text(st, 2, value);
	return store_run(s, st, "store a header", e);
}

int store_put(struct store *s, const char *name, const char *value, struct err *e)
{
	for (size_t i = 0; i < s->events; i++)
		if (!s->event[i].level && !strcmp(s->event[i].code, name)) {
			free(s->event[i].text);
			s->event[i].text = xstrdup(value);
			return 0;
		}
	return store_event(s, 0, NULL, name, value, e);
}

int store_event(struct store *s, int64_t run_id, const char *level, const char *code,
                const char *text, struct err *e)
{
	if (!s->writer)
		return err_set(e, -EROFS, "%s: opened for reading", s->path);
	if (s->events == s->events_cap) {
		s->events_cap = s->events_cap ? 2 * s->events_cap : 16;
		s->event = xrealloc(s->event, s->events_cap, sizeof(*s->event));
	}
	s->event[s->events++] = (struct store_pending_event){ .run_id = run_id,
		                                              .wall_ns = clock_wall_ns(),
		                                              .level = level ? xstrdup(level) : NULL,
		                                              .code = xstrdup(code),
		                                              .text = xstrdup(text) };
	return 0;
}

int store_write_events(struct store *s, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < s->events && !r; i++) {
		const struct store_pending_event *ev = &s->event[i];
		sqlite3_stmt *st;

		if (!ev->level) {
			r = put_header(s, ev->code, ev->text, e);
			continue;
		}
		r = store_statement(s, STMT_EVENT, &st, e);
		if (r)
			return r;
		if (ev->run_id)
			sqlite3_bind_int64(st, 1, ev->run_id);
		sqlite3_bind_int64(st, 2, ev->wall_ns);
		bind_text(st, 3, ev->level);
		bind_text(st, 4, ev->code);
		bind_text(st, 5, ev->text);
		r = store_run(s, st, "store an event", e);
	}
	return r;
}

void store_forget_events(struct store *s)
{
	for (size_t i = 0; i < s->events; i++) {
		free(s->event[i].level);
		free(s->event[i].code);
		free(s->event[i].text);
	}
	s->events = 0;
}

/* One durable transaction around one prepared and bound statement. */
static int single(struct store *s, sqlite3_stmt *st, struct err *e)
{
	int r = store_begin(s, true, e);

	if (!r)
		r = store_run(s, st, "write", e);
	if (!r)
		return store_commit(s, e);
	store_rollback(s);
	return r;
}

int store_set_state(struct store *s, const char *state, struct err *e)
{
	sqlite3_stmt *st;
	int r = store_statement(s, STMT_STATE, &st, e);

	if (r)
		return r;
	bind_text(st, 1, state);
	return single(s, st, e);
}

int store_put_created(struct store *s, const char *path, uint64_t dev, uint64_t ino,
                      uint64_t size, struct err *e)
{
	sqlite3_stmt *st;
	int r = store_statement(s, STMT_CREATED_PUT, &st, e);

	if (r)
		return r;
	bind_text(st, 1, path);
	sqlite3_bind_int64(st, 2, (int64_t)dev);
	sqlite3_bind_int64(st, 3, (int64_t)ino);
	sqlite3_bind_int64(st, 4, (int64_t)size);
	return single(s, st, e);
}

int store_del_created(struct store *s, const char *path, struct err *e)
{
	sqlite3_stmt *st;
	int r = store_statement(s, STMT_CREATED_DEL, &st, e);

	if (r)
		return r;
	bind_text(st, 1, path);
	return single(s, st, e);
}
