/* cmd/beside.h: the runs beside the grid: pilots and sentinels. Each comes right before the row
 * of the plan that needs it, and is stored as a run of its own purpose; what they teach is
 * always read from the store, so that a sweep that was killed goes on as if it had not been. */
#ifndef CMD_BESIDE_H
#define CMD_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/pilot.h"

struct session;
struct outcome;
struct run_spec;

struct sentinel {         /* of one block of the plan */
	bool known;       /* what earlier calls ran was looked up */
	uint64_t runs;    /* with an outcome */
	uint64_t attempt; /* at the next one: 1 unless it was interrupted */
};

enum pilot_stage { PILOT_UNKNOWN, PILOT_TO_RUN, PILOT_TO_REPEAT, PILOT_TO_LEARN, PILOT_OVER };

struct pilot { /* of one class of the plan, at its smallest or largest bs */
	enum pilot_stage stage;
	uint64_t attempt;
	struct stat_pilot learnt; /* !known: nothing */
};

struct beside {
	struct sentinel *sentinel; /* parallel to plan.block; NULL: none */
	uint64_t since_ns;         /* of work since the last one */
	int64_t judge;       /* the run of the last one, until it was looked at; 0: none */
	struct pilot *pilot; /* two for each of plan.class; NULL: none */
};

void beside_begin(struct session *s);
void beside_fini(struct session *s);

/* Does something come before row i of the plan? Then it stands in *o, to be done like a row;
 * ask again after it. `before`: the outcome before it, stored here if need be. */
bool beside_before(struct session *s, uint64_t i, struct outcome *o, struct outcome *before);
/* A run of any purpose has its outcome. */
void beside_ran(struct session *s, const struct outcome *o);
/* All outcomes are stored: what is known only now. -errno after saying that it could not be
 * stored. */
int beside_end(struct session *s);

/* How long the run of an outcome that was opened may last, and what is known of its class. */
void beside_spec(const struct session *s, const struct outcome *o, struct run_spec *spec);

#endif
