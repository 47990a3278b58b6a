/* run/core.h: the measuring core inside the worker process: a pool of job threads that lives
 * for the whole sweep, with their engines, buffers and open files reused, growing only. */
#ifndef RUN_CORE_H
#define RUN_CORE_H

#include "base/err.h"
#include "model/sample.h"
#include "run/spec.h"

struct core;

int core_new(struct core **out, struct live *live, struct err *e);
void core_free(struct core *c); /* joins the threads */

/* Execute one run, on as many targets as there are specs in a row, and fill `out` (which the caller need not clear). 0: `out` is complete, also
 * when I/Os failed (out->first_error says so). Negative -errno: the run could not be set up
 * (open, engine, memory, threads), the sentence is in e and there are no numbers. live->stop
 * ends it early with 0 and whatever was measured. */
int core_run(struct core *c, const struct run_spec *spec, struct sample *out, struct err *e);

/* The devices were worked on otherwise than by a run: what they did since the last one tells
 * nothing about others. */
void core_not_idle(struct core *c);

#endif
