/* run/paced.h: for run/loop.c: jobs that do not start an I/O whenever there is room, but by a
 * schedule (a rate), or with pauses in between (thinktime). Asked only where l->paced. */
#ifndef RUN_PACED_H
#define RUN_PACED_H

#include "run/loop.h"

void paced_prepare(struct loop *l, const struct run_spec *spec, unsigned job);
/* The jobs of the run start then. */
void paced_begin(struct loop *l, uint64_t start_ns);

/* May I/Os start, or is it time to pause? room: nothing else forbids it. */
bool paced_ready(struct loop *l, bool room, uint64_t now);
/* The direction of the next I/O, which takes slot `slot`; -1: none may start yet. */
int paced_next(struct loop *l, uint64_t now, uint32_t slot);
/* This is that I/O: its length says when the one after it is to start. */
void paced_took(struct loop *l, const struct io *io);

/* The job can do no more for now. What to wait for: so many completions, but at most until
 * *deadline, which is brought forward to the next start. 0: look again at once. */
unsigned paced_wait(struct loop *l, uint64_t *deadline);
/* Nothing is in flight: let the time pass. 0, or the engine's -errno. */
int paced_rest(struct loop *l, uint64_t deadline);
/* A turn has ended. */
void paced_turn(struct loop *l, bool completed, uint64_t now);

/* A read, write or trim of a job with a rate is complete. */
void paced_record(struct loop *l, const struct io *io, uint64_t now);
/* The window ends at `at`: what should have started by then and did not. */
void paced_close(struct loop *l, uint64_t at);

#endif
