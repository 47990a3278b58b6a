/* cmd/progress.h: how far a sweep is, on stderr: one line on a TTY, else one plain line per
 * finished run. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include "cmd/cmd.h"
#include "run/spec.h"

struct progress {
	enum progress_mode mode; /* never PROGRESS_AUTO */
	uint64_t total, done;    /* runs, this call and those before it */
	uint64_t failed, skipped, doubted;
	uint64_t written;      /* bytes, of the whole sweep, so far */
	uint64_t start_ns;     /* monotonic, of this call */
	uint64_t plan_left_ns; /* by the config alone, of rows still to run */
	uint64_t unknown_left; /* rows bound by size: time unknown beforehand */
	uint64_t ran, ran_ns;  /* rows run by this call, and the time they really took */
	uint64_t ran_plan_ns;  /* what the config said of those */
	uint64_t unknown_ran, unknown_ran_ns;
	uint64_t last_draw_ns, last_line_ns, last_ios, last_bytes, last_sample_ns;
	double iops, mib_s; /* live */
	bool drawn;         /* a TTY line stands on the screen */
};

void progress_init(struct progress *p, const struct options *o, uint64_t total);
/* A tick while `what` runs (the combination in words). Draws at most 4 times a second on a TTY,
 * a line a minute else. */
void progress_tick(struct progress *p, const struct live *live, const char *what);
/* A run ended: planned by the config (0: bound by size), took in fact; text: one plain line
 * about it. */
void progress_ran(struct progress *p, uint64_t planned_ns, uint64_t took_ns, const char *text);
/* A plain line about one that is done, where there is no TTY. */
void progress_line(struct progress *p, const char *text);
/* Start of a run: forget the live rates of the one before. */
void progress_begin(struct progress *p);
/* "412/2376 done, ETA 3 h 10 min (at ...), 1 failed, 2 in doubt" (SIGUSR1). */
void progress_status(const struct progress *p, char *buf, size_t size);
/* Take the TTY line away before something else is printed. */
void progress_clear(struct progress *p);

#endif
