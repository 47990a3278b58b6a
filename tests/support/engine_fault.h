/* tests/support/engine_fault.h: an engine that holds another and makes its I/Os go wrong as
 * told. */
#ifndef SUPPORT_ENGINE_FAULT_H
#define SUPPORT_ENGINE_FAULT_H

#include "engine/engine.h"

struct fault {
	const struct engine_ops *inner;
	uint64_t error_at; /* the n-th I/O (from 1, over all engines opened) fails with `error`;
	                      0: none does */
	int error;         /* positive errno */
	uint64_t short_at; /* the n-th I/O transfers half of what it should */
	unsigned accept;   /* at most so many per submit; 0: no limit */
	unsigned again;    /* so many submits answer EAGAIN before one is taken */
	uint64_t hang_at;  /* the n-th I/O does not come back until `released` ... */
	bool hang_in_submit; /* ... and neither does the call that submits it */
	_Atomic bool released;
	uint64_t stall_at, stall_ns; /* from the n-th I/O on nothing comes back for so long */
	bool reverse;     /* completions come in reverse order within a batch */
	uint64_t late_at; /* the n-th I/O comes back only when ... */
	unsigned late_by; /* ... so many others did, or none is left */
	uint64_t submit_fails_at, reap_fails_at; /* the n-th of these calls answers -`error` */
	bool open_fails;                         /* with `error` */

	_Atomic uint64_t submitted;      /* counted, for the test to look at */
	_Atomic uint64_t submits, reaps; /* calls */
	_Atomic uint64_t stalled_until_ns;
	_Atomic unsigned passed_late;    /* completions that overtook the late one */
	_Atomic unsigned most_submitted, most_awaited, most_reaped; /* of one call */
	_Atomic unsigned opened, unbound;
};

/* Ops that act on *f, which must outlive them. One at a time. */
const struct engine_ops *fault_engine(struct fault *f);

#endif
