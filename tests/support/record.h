/* tests/support/record.h: the stream of I/Os that each job gives to its engine, written down as
 * it goes by. A program that uses it says "wrap: engine_ops lane_prepare" in its first comment. */
#ifndef SUPPORT_RECORD_H
#define SUPPORT_RECORD_H

#include "engine/engine.h"

#define RECORD_JOBS 16

struct recorded {
	uint64_t offset, start_ns;   /* start_ns: the stamp that latency counts from */
	uint64_t submit_ns, done_ns; /* by the engine's clock; done_ns 0: not come back */
	uint32_t len;
	unsigned inflight; /* of its job, with itself, when it was submitted */
	uint8_t op, file;
};

/* In the order of submission. */
struct stream {
	struct recorded *io;
	size_t n;
	size_t missed; /* that came when there were `limit` */
};

struct recording {
	enum engine_id engine;          /* whose place it takes ... */
	const struct engine_ops *inner; /* ... and who does the work; NULL: that engine itself */
	size_t limit;                   /* I/Os to keep of each job; 0: a million */
	struct stream job[RECORD_JOBS];
};

/* From now on every run with r->engine is recorded into *r, after what is there already is
 * dropped. One at a time; it stays until the core that ran with it is freed. */
void record_into(struct recording *r);
void recording_fini(struct recording *r); /* and end it */

/* Over all jobs. */
size_t recording_ios(const struct recording *r, enum op op);
uint64_t recording_bytes(const struct recording *r, enum op op);

/* I/Os of this length; of this direction. */
size_t stream_of_len(const struct stream *s, uint32_t len);
size_t stream_of_op(const struct stream *s, enum op op);
/* Different offsets among them. */
size_t stream_distinct(const struct stream *s);

/* The first n offsets are unit * block[0], unit * block[1], ... */
void assert_blocks(const struct stream *s, uint64_t unit, const uint64_t *block, size_t n);
/* Both streams are the same I/Os (op, offset, length) in the same order; or are not. */
void assert_same_stream(const struct stream *a, const struct stream *b);
void assert_other_stream(const struct stream *a, const struct stream *b);

#endif
