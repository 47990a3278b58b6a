/* model/sweep.h: a whole sweep as configured: per axis the list of values, and the run policy. Made once by
 * config/, never written again. */
#ifndef MODEL_SWEEP_H
#define MODEL_SWEEP_H

#include "base/text.h"
#include "engine/sim.h"
#include "model/axis.h"
#include "model/percentiles.h"

#define SENTINEL_NS UINT64_C(1800000000000) /* half an hour */
#define PILOT_NS    UINT64_C(120000000000)

enum order { ORDER_SPREAD, ORDER_LISTED, ORDER_RANDOM };

struct axis_values {
	uint64_t *val;   /* distinct, in config order; at least one */
	size_t len;
	size_t raw_len;  /* before equal values were merged */
	bool given;      /* the config (or --set) names this axis */
};

/* A partial combination of exclude/include: for the axes it names, a list of values. */
struct partial {
	struct axis_values axis[AXIS_COUNT]; /* len 0: not named */
	char *label;                         /* include entries' own name, or NULL */
	char *text;                          /* as the user wrote it, compact JSON, for messages */
};

/* What is written to a target before its first run, and how it settles. Without `given` nothing is. */
struct precondition {
	bool given;
	uint64_t sequential_passes, random_passes, sequential_bs, random_bs, iodepth;
	uint64_t rounds, round_ns;       /* random writes, at most so many times so long; 0: none */
	uint64_t max_time_ns, max_bytes; /* of each target; 0: no other bound */
	uint64_t settle_ns;              /* at most, before reads that follow writes; 0: no waiting, no probing */
};

/* A filename value that is a list: combinations with it work on all its members at once. Its text is the list as compact
 * JSON. All are indexes into sweep.target. */
struct target_set {
	size_t target; /* itself ... */
	unsigned n;    /* ... and its members, two at least, all different */
	size_t member[TARGETS_MAX];
};

struct tag {
	char *key, *value;
};

struct sweep {
	struct axis_values axis[AXIS_COUNT];
	enum axis_id nest[AXIS_COUNT]; /* outermost first: filename, then config key order, then the table's */
	struct strlist target;         /* filename values and what sets are made of: axis filename holds indexes into this */
	struct target_set *set;        /* those of target that are lists: several at once */
	size_t sets;
	struct sim_device **sim;       /* parallel to target: what a simulated one is, NULL: a real one; NULL: all are real */
	struct strlist text[AXIS_COUNT]; /* values of the other text axes, canonical */
	bool base_product;             /* false: required keys stand only in include; no product of axis[] */

	char *name, *description;
	struct tag *tag;
	size_t tags;
	uint64_t repeats, seed;
	enum order order;
	struct partial *exclude, *include;
	size_t excludes, includes;
	char *where; /* SQL expression or NULL */
	uint64_t stall_timeout_ns, pause_ns;
	struct strlist may_overwrite;
	uint64_t max_write_bytes; /* 0: no limit */
	bool keep, fill;
	struct precondition precondition;
	uint64_t sentinel_ns;     /* one cell of each pattern is run again this often; 0: never */
	bool sentinel_long;       /* ... but only in sweeps of more than an hour */
	double precision;         /* relative half width at which a run may end early; 0: none does */
	bool pilot;               /* a long run of each class first */
	uint64_t pilot_ns;        /* its length */
	struct percentiles percentiles; /* that are shown; none: the usual ones */

	struct strlist notes;   /* "blocksize: 9 equal values merged", accepted-as-so keys */
	char *config_text;      /* the effective config as JSON: what was read, with --set applied */
};

struct sweep *sweep_new(void); /* all axes at their defaults (len 1), policy defaults */
void sweep_free(struct sweep *s);
static inline void sweep_freep(struct sweep **s)
{
	sweep_free(*s);
}

/* What target i is when it is simulated, or NULL. */
static inline const struct sim_device *sweep_sim(const struct sweep *s, size_t target)
{
	return s->sim ? s->sim[target] : NULL;
}

/* The set that filename value `target` is, or NULL: it is one target. */
const struct target_set *sweep_set(const struct sweep *s, size_t target);

/* The texts that a text axis holds indexes into. */
static inline const struct strlist *sweep_texts(const struct sweep *s, const struct axis *a)
{
	return a == &axes[AXIS_filename] ? &s->target : &s->text[a - axes];
}
/* One of them; NULL: the value is AXIS_UNSET. */
static inline const char *sweep_text(const struct sweep *s, const struct axis *a, uint64_t value)
{
	return value == AXIS_UNSET ? NULL : sweep_texts(s, a)->item[value];
}
/* All of a job. */
static inline struct job_text sweep_job_text(const struct sweep *s, const struct job *job)
{
	struct job_text t = { 0 };

	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (axes[a].kind == AXIS_TEXT)
			t.of[a] = sweep_text(s, &axes[a], axis_value(&axes[a], job));
	return t;
}

/* The path of a job's target as configured. */
static inline const char *sweep_target(const struct sweep *s, const struct job *job)
{
	return s->target.item[job->filename];
}

#endif
