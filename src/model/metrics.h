/* model/metrics.h: the metric table: what is computed from a sample, and how. */
#ifndef MODEL_METRICS_H
#define MODEL_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/axis.h"
#include "model/sample.h"

enum metric_kind { METRIC_INTEGER, METRIC_REAL, METRIC_TEXT };
enum metric_scope { METRIC_OP, METRIC_RUN };
enum metric_better { METRIC_HIGHER, METRIC_LOWER };

enum metric_id {
#define METRIC(id, ...) METRIC_##id,
#include "model/metrics.def"
	METRIC_COUNT
};

/* A value; its kind stands in the metric. Not measured = SQL NULL = an empty CSV cell. Never a
 * NaN. */
struct metric_value {
	bool measured;
	int64_t integer; /* counters beyond INT64_MAX stay at INT64_MAX */
	double real;
	const char *text; /* a constant */
};

struct metric_input {
	const struct sample *sample;
	const struct job *job; /* effective values */
	enum op op;            /* ignored by metrics of the run */
	uint64_t flags;        /* doubts and notes of the run */
};

struct metric {
	const char *name;    /* public column, unit as suffix */
	const char *stored;  /* column in the DB, base units */
	const char *divisor; /* SQL number: public = stored / divisor; NULL: public = stored */
	const char *unit, *help; /* unit: NULL for texts */
	struct metric_value (*eval)(const struct metric_input *in, size_t arg);
	size_t arg;
	enum metric_kind kind; /* of the stored value; a divided one is real */
	enum metric_scope scope;
	enum metric_better better;
};

const struct metric *metric_at(size_t i);           /* i < METRIC_COUNT */
const struct metric *metric_find(const char *name); /* NULL: none */
/* I/Os or bytes per second: a relative interval of iops is one of these, too. */
bool metric_is_rate(const struct metric *m);
/* lat_p50_us and the like; in an imported run they may be of the completion latency. */
bool metric_is_lat_percentile(const struct metric *m);

/* The stored value, in base units. */
struct metric_value metric_eval(const struct metric *m, const struct metric_input *in);

/* The rows of a run, as bits 1 << op: ops with I/Os or errors. A run that ended ok without any
 * I/O in its window has one for each op that its pattern asks for. */
unsigned metric_ops(const struct sample *s, const struct job *job, bool ok);

/* n(1-p) < 1 (p50: n < 1), p in 1/10000: too few for this percentile. */
bool metric_too_few(uint64_t n, size_t p);
/* Is one of the percentiles of these rows missing for want of samples? The rule of the note
 * few-samples. */
bool metric_few_samples(const struct sample *s, unsigned ops);

/* Why the run ended: "runtime", "size", "precision", ... NULL for STOPPED_NONE and past the
 * end. */
const char *stop_reason_name(uint64_t reason);

/* A window ends within microseconds of the end of its last slot: with this share of it a slot is
 * whole. */
#define METRIC_WHOLE_PCT 99
/* Slots of this width that lie in the window as a whole. */
uint64_t metric_whole_slots(uint64_t window_ns, uint64_t width_ns);
/* Width of the slots of iops_min, iops_max and iops_stddev, for a series in slots of slot_ns. */
uint64_t metric_rate_slot_ns(uint64_t window_ns, uint64_t slot_ns);
/* Width of the intervals that a run's series is merged into: `width_ns` or the next multiple of
 * its slot, in slots. */
uint32_t metric_slots_per(uint64_t slot_ns, uint64_t width_ns);

#endif
