#include "support/record.h"

#include "support/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "run/lane.h"

#define LIMIT 1000000

static struct recording *recording;
static _Thread_local unsigned this_job;

/* Weak: programs that wrap nothing have none of the first two, those that wrap engine_ops for
 * themselves have their own of the third. */
const struct engine_ops *__real_engine_ops(uint64_t id) __attribute__((weak));
void __real_lane_prepare(struct lane *lane) __attribute__((weak));
const struct engine_ops *__wrap_engine_ops(uint64_t id) __attribute__((weak));
void __wrap_lane_prepare(struct lane *lane);

struct engine {
	const struct engine_ops *ops; /* of the one inside */
	struct engine *inner;
	unsigned job;
	size_t *at; /* where the I/O of each slot stands, + 1; 0: it was missed */
	unsigned inflight;
};

/* The thread that opens an engine is that of the job. */
void __wrap_lane_prepare(struct lane *lane)
{
	this_job = lane->index;
	__real_lane_prepare(lane);
}

static int record_open(struct engine **out, const struct engine_env *env, struct err *e)
{
	struct engine *eng = xcalloc(1, sizeof(*eng));
	int r;

	assert_true(this_job < RECORD_JOBS);
	eng->ops = recording->inner;
	eng->job = this_job;
	eng->at = xcalloc(env->depth, sizeof(*eng->at));
	r = engine_open(eng->ops, &eng->inner, env, e);
	if (r) {
		free(eng->at);
		free(eng);
		return r;
	}
	*out = eng;
	return 0;
}

static int record_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	return engine_bind(eng->ops, eng->inner, run, e);
}

static void record_unbind(struct engine *eng)
{
	engine_unbind(eng->ops, eng->inner);
}

static uint64_t now(struct engine *eng)
{
	return eng->ops->now ? eng->ops->now(eng->inner) : clock_mono_ns();
}

static size_t keep(struct engine *eng, const struct io *io, uint64_t at_ns)
{
	struct stream *s = &recording->job[eng->job];

	if (s->n == (recording->limit ? recording->limit : LIMIT)) {
		s->missed++;
		return 0;
	}
	if (!(s->n & (s->n - 1))) /* room doubles at each power of two */
		s->io = xrealloc(s->io, s->n ? 2 * s->n : 1, sizeof(*s->io));
	s->io[s->n++] = (struct recorded){ .offset = io->offset,
		                           .start_ns = io->start,
		                           .submit_ns = at_ns,
		                           .len = io->len,
		                           .inflight = eng->inflight,
		                           .op = io->op,
		                           .file = io->file };
	return s->n;
}

/* What the inner engine does not take comes again. */
static int record_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	uint64_t at_ns = now(eng);
	int r = engine_submit(eng->ops, eng->inner, ios, n);

	for (int i = 0; i < r; i++) {
		eng->inflight++;
		eng->at[ios[i]->slot] = keep(eng, ios[i], at_ns);
	}
	return r;
}

static int record_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                       uint64_t deadline_ns)
{
	int r = engine_reap(eng->ops, eng->inner, done, min, max, deadline_ns);

	for (int i = 0; i < r; i++) {
		size_t at = eng->at[done[i]->slot];

		eng->inflight--;
		if (at)
			recording->job[eng->job].io[at - 1].done_ns = now(eng);
	}
	return r;
}

static uint64_t record_now(struct engine *eng)
{
	return eng->ops->now(eng->inner);
}

static uint64_t record_due(struct engine *eng, unsigned min, uint64_t deadline_ns)
{
	return eng->ops->due(eng->inner, min, deadline_ns);
}

static void record_close(struct engine *eng)
{
	engine_close(eng->ops, eng->inner);
	free(eng->at);
	free(eng);
}

/* Every job asks for it: it is made before they are. */
static struct engine_ops stand_in_for(const struct engine_ops *inner)
{
	return (struct engine_ops){
		.name = "record",
		.help = "another engine, written down",
		.caps = inner->caps,
		.depth_limit = inner->depth_limit,
		.probe = inner->probe,
		.open = record_open,
		.bind = record_bind,
		.unbind = record_unbind,
		.submit = record_submit,
		.reap = record_reap,
		.now = inner->now ? record_now : NULL,
		.due = inner->due ? record_due : NULL,
		.close = record_close,
	};
}

static struct engine_ops stand_in;

const struct engine_ops *__wrap_engine_ops(uint64_t id)
{
	return recording && id == recording->engine ? &stand_in : __real_engine_ops(id);
}

static void drop(struct recording *r)
{
	for (size_t i = 0; i < RECORD_JOBS; i++) {
		free(r->job[i].io);
		r->job[i] = (struct stream){ 0 };
	}
}

void record_into(struct recording *r)
{
	if (!r->inner)
		r->inner = __real_engine_ops(r->engine);
	stand_in = stand_in_for(r->inner);
	drop(r);
	recording = r;
}

void recording_fini(struct recording *r)
{
	drop(r);
	recording = NULL;
}

size_t recording_ios(const struct recording *r, enum op op)
{
	size_t n = 0;

	for (size_t i = 0; i < RECORD_JOBS; i++)
		n += stream_of_op(&r->job[i], op);
	return n;
}

uint64_t recording_bytes(const struct recording *r, enum op op)
{
	uint64_t bytes = 0;

	for (const struct stream *s = r->job; s < r->job + RECORD_JOBS; s++)
		for (size_t i = 0; i < s->n; i++)
			bytes += s->io[i].op == op ? s->io[i].len : 0;
	return bytes;
}

size_t stream_of_len(const struct stream *s, uint32_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->io[i].len == len;
	return n;
}

size_t stream_of_op(const struct stream *s, enum op op)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->io[i].op == op;
	return n;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

size_t stream_distinct(const struct stream *s)
{
	uint64_t *offset = xcalloc(s->n, sizeof(*offset));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		offset[i] = s->io[i].offset;
	qsort(offset, s->n, sizeof(*offset), by_value);
	for (size_t i = 0; i < s->n; i++)
		n += !i || offset[i] != offset[i - 1];
	free(offset);
	return n;
}

void assert_blocks(const struct stream *s, uint64_t unit, const uint64_t *block, size_t n)
{
	assert_true(s->n >= n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(s->io[i].offset, unit * block[i]);
}

static bool same(const struct stream *a, const struct stream *b)
{
	bool equal = a->n == b->n;

	for (size_t i = 0; equal && i < a->n; i++)
		equal = a->io[i].op == b->io[i].op && a->io[i].offset == b->io[i].offset &&
		        a->io[i].len == b->io[i].len;
	return equal;
}

void assert_same_stream(const struct stream *a, const struct stream *b)
{
	assert_true(same(a, b));
}

void assert_other_stream(const struct stream *a, const struct stream *b)
{
	assert_false(same(a, b));
}
