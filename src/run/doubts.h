/* run/doubts.h: which words of flags.def a finished run deserves, and why. */
#ifndef RUN_DOUBTS_H
#define RUN_DOUBTS_H

#include "model/flag.h"
#include "model/sample.h"
#include "model/world.h"
#include "run/spec.h"

struct doubts {
	uint64_t flags; /* FLAG_BIT()s */
	char why[4096]; /* a line "flag: sentence with its numbers" for each, "" for none */
};

/* Of a run that produced numbers. memory_bytes: of this machine. */
void doubts_eval(struct doubts *out, const struct run_spec *spec, const struct sample *s,
                 const struct target_info *t, uint64_t memory_bytes);

#endif
