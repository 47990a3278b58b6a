/* plan/rules.h: what cannot work, by the config or on this machine: one table of rules. */
#ifndef PLAN_RULES_H
#define PLAN_RULES_H

#include "plan/plan.h"

#define RULE_NONE (-1)

/* One combination as the rules see it. `job` is effective, but a size that is not known is left
 * as configured. */
struct rule_case {
	const struct world *world;
	const struct target_info *target;
	uint64_t targets; /* at once, this being one of them */
	const struct job *job;
	const char *filename;
	const struct sweep *sweep; /* for the texts of the job */
};

/* The first rule that this combination breaks, or RULE_NONE. */
int rule_find(const struct rule_case *c);
int rule_count(void);
const char *rule_reason(int rule);
bool rule_by_machine(int rule);
/* The target is the only thing that is wrong, and it may come back. */
bool rule_target_absent(int rule);
/* Fill in everything about a broken rule, with the sentence and its numbers. */
void rule_explain(int rule, const struct rule_case *c, struct plan_skip *skip);

/* End of the region that a combination uses, bytes per file; saturates. The size must be known.
 */
uint64_t region_end(const struct job *job);

#endif
