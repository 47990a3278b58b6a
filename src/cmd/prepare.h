/* cmd/prepare.h: config, machine and plan together: the common start of plan, run and resume.
 */
#ifndef CMD_PREPARE_H
#define CMD_PREPARE_H

#include "base/units.h"
#include "cmd/cmd.h"
#include "config/config.h"
#include "model/world.h"
#include "plan/plan.h"
#include "run/target.h"

/* Estimates assume that layout and fill write this fast; said wherever such an estimate is
 * printed. */
#define LAYOUT_BYTES_PER_S 500e6

/* How long a target may take to answer a look at it. */
#define LOOK_MAX_NS (10 * SEC)

struct prepared {
	struct sweep *sweep;
	struct world world;
	struct plan *plan;
	struct consent consent;
	struct strlist refusals; /* exit 4 unless empty: what must not be written to, and why */
	struct strlist decisions; /* what the guards found, check by check, for the record */
	bool resuming;           /* then the config cannot be changed to be accepted ... */
	bool changed; /* ... and a target that is another than when the sweep began has no way
	                 out */
	struct strlist shortages; /* exit 5 unless empty: the files of several targets do not
	                             fit together */
	struct strlist warnings;  /* for stderr */
	uint64_t layout_bytes; /* to be written before the first run: files to create, fill */
	uint64_t *layout_of;   /* the same for each target */
	double layout_s;       /* estimate for that */
	double precondition_s, precondition_simulated_s,
	    precondition_bytes; /* at most; the second is part of the first */
};

/* Called for each target after it was looked at and before planning: resume knows files by its
 * DB. May be NULL. */
typedef void target_hook(void *arg, struct target_info *t);

/* Load, look at targets and engines, plan, ask the guards. EXIT_OK, or the exit code after
 * everything wrong was printed to stderr: EXIT_INPUT for the config or `where`, EXIT_USAGE for
 * a --destroy that names no device of the sweep. Refusals are collected, not printed;
 * !plan->enumerated is left to the caller. */
int prepare(struct prepared *p, const struct config_source *src, const struct options *o,
            target_hook *hook, void *arg);
void prepared_fini(struct prepared *p);

/* Which engines work here, with the reason, fit for a terminal, when one does not. */
void probe_engines(struct world *w);

/* How long to wait for a target that is looked at: stall_timeout, but at most LOOK_MAX_NS. */
uint64_t prepared_patience(const struct sweep *s);

/* What the rows that will run ask of target t, for guards, layout and holds. */
struct intent prepared_intent(const struct prepared *p, size_t target);

/* Would the same sweep run, on the targets as they were seen, with `sets` put into its config
 * and these permissions (may_overwrite is the config's)? Asks the guards, prints nothing. */
bool prepared_would_run(const struct prepared *p, const struct strlist *sets,
                        const struct consent *given);

/* Print to stderr: the notes and warnings (unless quiet), with -v engines and targets too. */
void prepared_print_notes(const struct prepared *p, const struct options *o);
/* Print the refusals, all at once, the full command that would be accepted, and a read-only
 * alternative. */
void prepared_print_refusals(const struct prepared *p, const struct options *o);

/* False: every combination is skipped, or the files do not fit: exit 5 ... */
bool prepared_can_run(const struct prepared *p);
/* ... after saying why, by reason. */
void prepared_print_nothing(const struct prepared *p);

#endif
