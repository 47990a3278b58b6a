/* fio/json_run.h: one job of a document as a run: its options, its numbers, and what is to be said
 * about it. */
#ifndef FIO_JSON_RUN_H
#define FIO_JSON_RUN_H

#include <jansson.h>

#include "fio/json_options.h"
#include "model/hist.h"
#include "model/imported.h"
#include "model/record.h"

struct json_run {
	struct json_options options;
	struct imported imported; /* without file, document, header */
	char *name;               /* of the job */
	enum run_status status;
	int error_no;             /* as in fio's own system */
	struct text error;        /* "": none */
	uint64_t flags;
	struct text why;          /* a line "flag: sentence" for each that needs one */
	int64_t started_wall_ns;  /* 0: not known */
	struct hist *hist[ROW_OPS];
	char *options_text, *facts, *source;
};

struct json_run_context {
	json_t *global;      /* options of all jobs, or NULL */
	const char *version; /* of fio, "" */
	const char *host;    /* "": not said */
	bool stopped;        /* fio was told to stop before its time */
	size_t together;     /* rows that stand for one load: 1, or how many jobs ran at the same time */
	size_t clone;        /* which of the clones of one job, from 1; 0: there are none */
	bool client;         /* one of several that ran the same job */
	size_t times;        /* clients that each ran all of it; 0 or 1: one */
	bool unlike;         /* jobs of different options in one: none of them is that of all */
};

/* Read a modern job (json_modern). The run is to be ended. */
void json_run_read(struct json_run *run, json_t *job, const struct json_run_context *c);
void json_run_fini(struct json_run *run);

#endif
