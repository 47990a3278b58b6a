/* run/doubts.h: which words of flags.def a finished run deserves. */
#ifndef RUN_DOUBTS_H
#define RUN_DOUBTS_H

#include "model/flag.h"
#include "model/sample.h"
#include "model/world.h"
#include "run/spec.h"

/* FLAG_BIT()s of a run that produced numbers. memory_bytes: of this machine. */
uint64_t doubts_eval(const struct run_spec *spec, const struct sample *s,
                     const struct target_info *t, uint64_t memory_bytes);

#endif
