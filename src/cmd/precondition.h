/* cmd/precondition.h: the setting `precondition`: before the first run on a target, passes of
 * writes over all of it and rounds of random writes until they are steady; before reads that
 * follow writes, rest until a probe says that it has settled. Every pass, round and probe is a
 * run of its own purpose in the results; what an earlier call completed is not done again (but
 * a simulated device begins anew). */
#ifndef CMD_PRECONDITION_H
#define CMD_PRECONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct session;
struct outcome;
struct plan_row;
struct prepared;
struct sweep;

struct conditioning {     /* of one target */
	bool done;        /* passes, rounds and baseline are over, well or not */
	bool dirty;       /* written to since it had settled */
	bool tired;       /* it did not settle the last time: ask once, wait no more */
	double baseline;  /* reads per second of a probe; 0: unknown */
	uint64_t probes;  /* of settling, in all attempts */
	char always[200]; /* why no run on it is beyond doubt; "": nothing */
	char reads[200];  /* why no reading run is */
};

/* Is there anything to do before this row is run? */
bool precondition_due(const struct session *s, const struct plan_row *row);
/* Do it. 0 also when the device is not as it should be (a doubt), or failed (the target's
 * state), or a signal came; -EIO: results cannot be stored. */
int precondition_run(struct session *s, const struct plan_row *row);
/* o's run is over: what it did to the target, and the doubt that it deserves. */
void precondition_note(struct session *s, struct outcome *o);

/* Does it write to targets at all? */
bool precondition_writes(const struct sweep *s);
/* ... all of them, before the first run? */
bool precondition_fills(const struct prepared *p);
/* At most: seconds and bytes of one target, 0 when there is nothing to do; of all into p. */
double precondition_seconds(const struct prepared *p, size_t target, double *ret_bytes);
void precondition_estimate(struct prepared *p);
/* In words, for plan: "2 sequential passes of ...". */
void precondition_describe(const struct prepared *p, struct text *out);

#endif
