/* cmd/precondition_private.h: what the parts of preconditioning share. */
#ifndef CMD_PRECONDITION_PRIVATE_H
#define CMD_PRECONDITION_PRIVATE_H

#include "base/units.h"
#include "cmd/session.h"

#define CONDITION_WAIT_NS (2 * SEC) /* between two probes */

struct past { /* what the last attempt at a run gave */
	bool ok;
	uint64_t attempt; /* 0: there was none */
	double iops;
	uint64_t window_ns, bytes; /* written */
};

struct conditioner { /* the work on one target */
	struct session *s;
	struct outcome *o; /* the run under way */
	size_t index;      /* of the target */
	struct session_target *t;
	const struct precondition *p;
	struct past past;
	bool ran; /* the last run was done now, not by an earlier call */
	uint64_t spent_ns, spent_bytes;
};

static inline bool condition_simulated(const struct conditioner *c)
{
	return c->t->info.kind == TARGET_SIMULATED;
}

/* Bytes that a pass writes, per file. */
uint64_t precondition_region(const struct target_info *t, const struct plan_need *need);

/* precondition_run.c. A job on this target; rw, time_based, runtime, io_size are the caller's,
 * then finish it: bs, or less where not one such block fits. */
void condition_job(const struct conditioner *c, struct job *job);
void condition_finish_job(const struct conditioner *c, struct job *job, uint64_t bs);
/* Do it as number `number` of its purpose, unless it was done before: into c->past. -EINTR: a
 * signal, or it failed and the target with it; -EIO: results cannot be stored. */
int condition_run(struct conditioner *c, const struct job *job, enum purpose purpose,
                  uint64_t number);
void condition_wait(struct conditioner *c);

/* precondition_fill.c. 0; 1: cut off, or not steady, which is said; -errno as condition_run().
 */
int condition_passes(struct conditioner *c);
int condition_rounds(struct conditioner *c);

#endif
