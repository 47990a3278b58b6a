/* sink/store_write.c: what happens in the gap between two runs. Statements are prepared once
 * and kept. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "model/column.h"
#include "model/direction.h"
#include "sink/store_private.h"

/* What is no number. */
static void put_words(struct put *p, const struct axis *a, uint64_t v)
{
	char text[64];

	axis_print(a, v, text, sizeof(text));
	put_text(p, text);
}

static void put_axis(struct put *p, const struct axis *a, const struct record *r,
                     const struct job_text *text)
{
	uint64_t v = axis_value(a, r->job);

	if (r->imported && r->imported->word[a - axes])
		put_text(p, r->imported->word[a - axes]);
	else if (a->kind == AXIS_TEXT && (v != AXIS_UNSET || (a->def && !r->imported)))
		put_text(p, axis_text(a, text));
	else if (a->kind == AXIS_SIGNED)
		put_int(p, (int64_t)v);
	else if (v == AXIS_UNSET || (a->kind == AXIS_SIZE_OR_PERCENT && (v & SIZE_PERCENT)))
		put_null(p);
	else if (a->kind == AXIS_ENUM || direction_differs(a, v))
		put_words(p, a, v);
	else
		put_counter(p, v);
}

int store_put_combination(struct store *s, const struct record *r, struct err *e)
{
	struct job_text text = r->text;
	AUTO(text_fini) struct text options = { 0 };
	struct put p;
	int rc = put_begin(&p, s, STMT_COMBINATION, "store a combination", e);

	if (rc)
		return rc;
	text.of[AXIS_filename] = r->target ? r->target->filename : "";
	column_options(r->job, &text, &options);
	put_blob(&p, r->key->bytes, KEY_BYTES);
	put_text(&p, r->key_text);
	put_text(&p, r->label);
	put_text(&p, r->target ? r->target->device : "");
	put_text(&p, r->target ? r->target->fs : "");
	put_text(&p, r->imported ? r->imported->options : text_get(&options));
	for (size_t i = 0; i < AXIS_COUNT; i++)
		put_axis(&p, &axes[i], r, &text);
	return put_end(&p, e);
}

/* The row of a run; left alone when it is there already. */
static int put_run(struct store *s, const struct record *r, enum run_status status,
                   struct err *e)
{
	struct put p;
	int rc = store_put_combination(s, r, e);

	if (!rc)
		rc = put_begin(&p, s, STMT_RUN_NEW, "store a run", e);
	if (rc)
		return rc;
	put_int(&p, r->run_id);
	put_blob(&p, r->key->bytes, KEY_BYTES);
	put_counter(&p, r->repeat);
	put_counter(&p, r->attempt);
	put_text(&p, purpose_name(r->purpose));
	put_text(&p, status_name(status));
	return put_end(&p, e);
}

/* given: of an imported run, for each metric, instead of what a sample says; NULL: none. */
static void put_metrics(struct put *p, enum metric_scope scope, const struct metric_input *in,
                        const struct metric_value *given)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric *m = metric_at(i);
		struct metric_value v;

		if (m->scope != scope || !store_metric_first(i))
			continue;
		v = given        ? given[i]
		    : in->sample ? metric_eval(m, in)
		                 : (struct metric_value){ 0 };
		if (!v.measured)
			put_null(p);
		else if (m->kind == METRIC_INTEGER)
			put_int(p, v.integer);
		else if (m->kind == METRIC_TEXT)
			put_text(p, v.text);
		else
			put_real(p, v.real);
	}
}

static void put_first_error(struct put *p, const struct sample *sample)
{
	bool any = sample && sample->first_error.error;

	for (int i = 0; i < 3; i++)
		if (!any)
			put_null(p);
	if (!any)
		return;
	put_int(p, sample->first_error.error);
	put_int(p, sample->first_error.op);
	put_int(p, sample->first_error.len);
}

static int put_outcome(struct store *s, const struct record *r, const struct sample *sample,
                       struct err *e)
{
	struct metric_input in = { .sample = sample, .job = r->job, .flags = r->flags };
	struct put p;
	int rc = put_begin(&p, s, STMT_RUN_OUTCOME, "store a run", e);

	if (rc)
		return rc;
	put_text(&p, status_name(r->status));
	put_int(&p, r->given_up ? 2 : r->skipped_by_machine);
	put_int(&p, r->error_no);
	put_text(&p, r->error);
	put_int(&p, (int64_t)r->flags);
	if (r->started_wall_ns)
		put_int(&p, r->started_wall_ns);
	else
		put_null(&p);
	put_text(&p, sample ? sample->effective : "");
	put_text(&p, sample || r->imported ? r->why : "");
	put_first_error(&p, sample);
	put_metrics(&p, METRIC_RUN, &in, r->imported ? r->imported->run : NULL);
	for (size_t i = 0; i < store_raws; i++) {
		const void *at = sample ? (const char *)sample + store_raw[i].off : NULL;

		if (at)
			put_counter(&p, *(const uint64_t *)at);
		else
			put_null(&p);
	}
	put_int(&p, r->run_id);
	return put_end(&p, e);
}

static int put_result(struct store *s, const struct record *r, unsigned op, struct err *e)
{
	struct metric_input in = { .sample = r->sample, .job = r->job, .op = (enum op)op };
	struct put p;
	int rc = put_begin(&p, s, STMT_RESULT, "store a result", e);

	if (rc)
		return rc;
	put_int(&p, r->run_id);
	put_int(&p, op);
	put_metrics(&p, METRIC_OP, &in, r->imported ? r->imported->op[op] : NULL);
	return put_end(&p, e);
}

static const struct hist *latencies(const struct record *r, unsigned op)
{
	return r->imported ? r->imported->lat[op] : &r->sample->op[op].lat;
}

static int put_histogram(struct store *s, const struct record *r, unsigned op, struct err *e)
{
	const struct hist *h = latencies(r, op);
	struct put p;
	size_t need;
	int rc = put_begin(&p, s, STMT_HISTOGRAM, "store a histogram", e);

	if (rc)
		return rc;
	need = hist_pack(h, s->blob, s->blob_cap);
	if (need > s->blob_cap) {
		s->blob_cap = need * 2;
		s->blob = xrealloc(s->blob, s->blob_cap, 1);
		need = hist_pack(h, s->blob, s->blob_cap);
	}
	put_int(&p, r->run_id);
	put_int(&p, op);
	put_blob(&p, s->blob, need);
	return put_end(&p, e);
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
	/* what a pilot teaches is read from its rows */
	per = metric_slots_per(sample->slot_ns,
	                       r->purpose == PURPOSE_PILOT ? SERIES_SLOT_NS : SEC);
	width = per * sample->slot_ns;
	rows = (sample->window_ns + width - 1) / width;
	for (uint64_t i = 0; i < rows && !rc; i++) {
		bool last = i + 1 == rows;
		struct slot_sum sum =
		    sum_slots(sample, op, i * per, last ? UINT64_MAX : (i + 1) * per);
		struct put p;

		rc = put_begin(&p, s, STMT_INTERVAL, "store intervals", e);
		if (rc)
			return rc;
		left = sample->window_ns - i * width;
		put_int(&p, r->run_id);
		put_int(&p, op);
		put_counter(&p, i * width / MSEC);
		put_real(&p, (double)(last ? left : width) / 1e6);
		put_counter(&p, sum.ios);
		put_counter(&p, sum.bytes);
		put_counter(&p, sum.lat_sum_ns);
		rc = put_end(&p, e);
	}
	return rc;
}

static int put_op(struct store *s, const struct record *r, unsigned op, struct err *e)
{
	int rc = put_result(s, r, op, e);

	if (!rc && r->sample)
		rc = put_intervals(s, r, (enum op)op, e);
	if (!rc && latencies(r, op) && latencies(r, op)->n)
		rc = put_histogram(s, r, op, e);
	if (!rc && r->sample)
		rc = store_put_target_results(s, r, (enum op)op, e);
	return rc;
}

/* Only ok and failed runs keep numbers: what a stalled or interrupted one counted describes no
 * window. An imported one has nothing but them. */
int store_put_done(struct store *s, const struct record *r, struct err *e)
{
	const struct sample *sample =
	    r->status == STATUS_OK || r->status == STATUS_FAILED ? r->sample : NULL;
	unsigned ops = sample ? metric_ops(sample, r->job, r->status == STATUS_OK) : 0;
	int rc = put_run(s, r, r->status, e);

	if (r->imported)
		ops = r->imported->ops;
	if (!rc)
		rc = put_outcome(s, r, sample, e);
	for (unsigned op = 0; op < ROW_OPS && !rc; op++)
		if (ops & 1U << op)
			rc = put_op(s, r, op, e);
	return rc;
}

int store_put_header(struct store *s, const char *name, const char *value, struct err *e)
{
	struct put p;
	int r = put_begin(&p, s, STMT_HEADER, "store a header", e);

	if (r)
		return r;
	put_text(&p, name);
	put_text(&p, value);
	return put_end(&p, e);
}

static int put_event(struct store *s, const struct store_pending_event *ev, struct err *e)
{
	struct put p;
	int r = put_begin(&p, s, STMT_EVENT, "store an event", e);

	if (r)
		return r;
	put_int(&p, ev->id);
	if (ev->run_id)
		put_int(&p, ev->run_id);
	else
		put_null(&p);
	put_int(&p, ev->wall_ns);
	put_text(&p, ev->level);
	put_text(&p, ev->code);
	put_text(&p, ev->text);
	return put_end(&p, e);
}

int store_write_events(struct store *s, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < s->events && !r; i++) {
		const struct store_pending_event *ev = &s->event[i];

		r = ev->level ? put_event(s, ev, e)
		              : store_put_header(s, ev->code, ev->text, e);
	}
	return r;
}

struct gap {
	const struct record *done, *next;
};

static int put_gap(struct store *s, const void *arg, struct err *e)
{
	const struct gap *g = arg;
	int r = g->done ? store_put_done(s, g->done, e) : 0;

	if (!r && g->next)
		r = put_run(s, g->next, STATUS_RUNNING, e);
	return r ? r : store_write_events(s, e);
}

/* Whether they are in the database or in the spool: they are not to be put again. */
int store_step(struct store *s, const struct record *done, const struct record *next,
               bool durable, struct err *e)
{
	struct gap g = { done, next };
	int r = store_apply(s, durable, put_gap, &g, e);

	if (!r || store_pending(s))
		store_forget_events(s);
	return r;
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
	s->event[s->events++] =
	    (struct store_pending_event){ .id = ++s->last_event,
		                          .run_id = run_id,
		                          .wall_ns = clock_wall_ns(),
		                          .level = level ? xstrdup(level) : NULL,
		                          .code = xstrdup(code),
		                          .text = xstrdup(text) };
	return 0;
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

static int put_state(struct store *s, const void *arg, struct err *e)
{
	struct put p;
	int r = put_begin(&p, s, STMT_STATE, "write", e);

	if (r)
		return r;
	put_text(&p, arg);
	return put_end(&p, e);
}

int store_set_state(struct store *s, const char *state, struct err *e)
{
	return store_apply(s, true, put_state, state, e);
}

static int put_created(struct store *s, const void *arg, struct err *e)
{
	const struct store_created *c = arg;
	struct put p;
	int r = put_begin(&p, s, STMT_CREATED_PUT, "write", e);

	if (r)
		return r;
	put_text(&p, c->path);
	put_int(&p, (int64_t)c->dev);
	put_int(&p, (int64_t)c->ino);
	put_int(&p, (int64_t)c->born_ns);
	put_int(&p, (int64_t)c->least);
	put_int(&p, (int64_t)c->size);
	return put_end(&p, e);
}

int store_put_created(struct store *s, const struct store_created *c, struct err *e)
{
	return store_apply(s, true, put_created, c, e);
}

static int del_created(struct store *s, const void *arg, struct err *e)
{
	struct put p;
	int r = put_begin(&p, s, STMT_CREATED_DEL, "write", e);

	if (r)
		return r;
	put_text(&p, arg);
	return put_end(&p, e);
}

int store_del_created(struct store *s, const char *path, struct err *e)
{
	return store_apply(s, true, del_created, path, e);
}
