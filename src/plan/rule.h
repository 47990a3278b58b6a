/* plan/rule.h: private to the rules: what one is, and what their sentences need. */
#ifndef PLAN_RULE_H
#define PLAN_RULE_H

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "plan/effective.h"
#include "plan/rules.h"

struct rule {
	const char *reason;
	bool by_machine;
	int error; /* positive errno, 0: none */
	bool (*broken)(const struct rule_case *c);
	void (*say)(const struct rule_case *c, char *buf, size_t n);
};

/* rules_engine.c: what is asked of engines, rings and CPUs. */
extern const struct rule rule_engine[];
extern const size_t rule_engine_count;

/* rules_walk.c: where the I/Os of a job go. */
extern const struct rule rule_walk[];
extern const size_t rule_walk_count;

/* Is direct I/O asked for that needs multiples, and this is none? */
bool misaligned(const struct rule_case *c, uint64_t value);
/* Who needs them: "direct=1 needs", "trims need" */
const char *alignment_needed_by(const struct rule_case *c);
/* What all sizes are multiples of. */
uint64_t sizes_grain(const struct rule_case *c);

struct human {
	char s[40];
};

static inline struct human size_text(uint64_t bytes)
{
	struct human h;

	(void)print_size(h.s, sizeof(h.s), bytes);
	return h;
}

static inline struct human bytes_text(uint64_t bytes)
{
	struct human h;

	(void)print_bytes(h.s, sizeof(h.s), bytes);
	return h;
}

static inline uint64_t mul(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

/* On all targets. */
static inline uint64_t all_jobs(const struct rule_case *c)
{
	return mul(c->job->numjobs, c->targets);
}

/* "numjobs 4", "numjobs 4 on each of 2 targets" */
struct jobs_text {
	char s[80];
};

static inline struct jobs_text jobs_text(const struct rule_case *c)
{
	struct jobs_text t;
	int n = snprintf(t.s, sizeof(t.s), "numjobs %" PRIu64, c->job->numjobs);

	if (c->targets > 1)
		(void)snprintf(t.s + n, sizeof(t.s) - (size_t)n, " on each of %" PRIu64 " targets",
		               c->targets);
	return t;
}

static inline const struct engine_ops *engine(const struct rule_case *c)
{
	return engine_ops(c->job->ioengine);
}

/* Each buffer has whole pages for itself. */
static inline uint64_t buffer_bytes(const struct rule_case *c)
{
	const struct job *job = c->job;
	uint64_t page = c->world->limits.page_size,
		 each = page ? mul((job->bs + page - 1) / page, page) : job->bs;

	if (engine(c)->caps & ENGINE_NO_TARGET)
		return 0;
	return mul(mul(all_jobs(c), job->iodepth), mul(each, rw_buffers(job->rw)));
}

static inline bool uses_target(const struct rule_case *c)
{
	return job_has_target(c->job) && c->target->kind != TARGET_UNUSABLE;
}

#endif
