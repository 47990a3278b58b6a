/* run/halt.h: was a run held up by someone who stopped the processes or the machine under it?
 * Its numbers describe no window then. */
#ifndef RUN_HALT_H
#define RUN_HALT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct halt {
	uint64_t stopped_ns; /* the worker woke this much too late, with the SIGCONT that ends a
	                        stop */
	uint64_t
	    worker_late_ns; /* its latest wake-up in ramp and window, for whatever reason ... */
	uint64_t supervisor_late_ns; /* ... and the supervisor's meanwhile */
	uint64_t suspended_ns;       /* that the machine slept meanwhile */
};

/* "stopped for 3.2 s", "suspended for 3.2 s"; "" when nothing held it up: one process alone
 * that came late only waited for a CPU. Returns how long. */
uint64_t halt_judge(const struct halt *h, char *buf, size_t size);

/* How long this process, of one thread, has waited for a CPU so far: being late for that is no
 * stop. 0: unknown. */
uint64_t halt_queued_ns(void);
/* In a process whose signals are all blocked: did a SIGCONT come since the last call? */
bool halt_continued(void);
/* A wake-up this late is worth asking. */
#define HALT_NOTICED_NS UINT64_C(100000000)

#endif
