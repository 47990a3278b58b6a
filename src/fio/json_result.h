/* fio/json_result.h: what a run did, in a job of a document of fio: "read", "write", "trim" and
 * "sync". */
#ifndef FIO_JSON_RESULT_H
#define FIO_JSON_RESULT_H

#include <jansson.h>

#include "model/hist.h"
#include "model/percentiles.h"
#include "sink/store.h"

/* A run that is being written. */
struct json_writing {
	struct store *store;
	struct rows *run; /* its row, see json_stored.h */
	bool bins;
	struct percentiles percentiles; /* that are printed ... */
	bool chosen;                    /* ... because the sweep says so */
	struct hist *all;               /* reads, writes and trims together */
	json_t *job;
};

/* The window, in whole ms, rounded up as fio does. */
uint64_t json_runtime_ms(const struct json_writing *w);

/* Put the result of one op into w->job, or that nothing was done, and add its latencies to
 * w->all. */
int json_result_add(struct json_writing *w, int64_t op, struct err *e);

#endif
