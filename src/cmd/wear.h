/* cmd/wear.h: how much a sweep writes in all, and the end of that by `max_write`. */
#ifndef CMD_WEAR_H
#define CMD_WEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct outcome;
struct job;
struct live;
struct shared;

struct wear {
	uint64_t written; /* bytes, by all tasks that have ended, in earlier calls too */
	uint64_t live;    /* by the one under way, so far */
	unsigned percent; /* of its bytes that are written */
	bool limited;     /* it may be ended for that ... */
	bool over;        /* ... and the limit was reached while it ran */
};

/* What earlier calls of this sweep wrote. */
void wear_begin(struct session *s);
/* Name what the drives themselves count (where they do), as events. */
void wear_record_drives(struct session *s, const char *when);

/* The task in shared memory begins. */
void wear_task(struct session *s, const struct shared *sh);
/* It goes on; true: the limit is reached, it must end. */
bool wear_tick(struct session *s, const struct live *live);
/* It ended; live: its last numbers, NULL: those of the last tick. */
void wear_end(struct session *s, const struct live *live);

/* May this job not run, or (NULL) `bytes` not be laid out? The sentence, else false. */
bool wear_forbids(const struct session *s, const struct job *job, uint64_t bytes,
                  char *why, size_t size);
/* After a run whose end was judged: one that the limit ended is skipped. */
void wear_judge(struct session *s, struct outcome *o);

#endif
