/* cmd/prepare.h: config, machine and plan together: the common start of plan, run and resume. */
#ifndef CMD_PREPARE_H
#define CMD_PREPARE_H

#include "cmd/cmd.h"
#include "config/config.h"
#include "model/world.h"
#include "plan/plan.h"
#include "run/target.h"

struct prepared {
	struct sweep *sweep;
	struct world world;
	struct plan *plan;
	struct consent consent;
	struct strlist destroy_errors; /* --destroy that names no device of the sweep: usage error, exit 2 */
	struct strlist refusals;       /* exit 4 unless empty */
	struct strlist warnings;       /* for stderr: "results on a disk under test", unwritten targets, ... */
	uint64_t layout_bytes;         /* to be written before the first run */
	double layout_s;               /* estimate */
};

/* Load, look at targets and engines, plan, ask the guards. 0, or the exit code after everything wrong was printed to
 * stderr (EXIT_INPUT for a config; EXIT_USAGE for too many combinations is left to the caller, who sees
 * plan->enumerated). Refusals are collected, not printed. */
int prepare(struct prepared *p, const struct config_source *src, const struct options *o);
void prepared_fini(struct prepared *p);

/* What this row range of the plan asks of target t, for guards, layout and holds. */
struct intent prepared_intent(const struct prepared *p, size_t target);

/* Print the refusals (all at once), the full command that would be accepted, and a read-only alternative. */
void prepared_print_refusals(const struct prepared *p, const struct options *o, const char *verb);

#endif
