/* fio/json_options.h: what a job was: the options that a document prints, as values of our axes. */
#ifndef FIO_JSON_OPTIONS_H
#define FIO_JSON_OPTIONS_H

#include <jansson.h>

#include "base/text.h"
#include "model/axis.h"
#include "model/imported.h"

struct json_options {
	bool known;     /* the document prints options at all; else every axis is AXIS_UNSET */
	struct job job; /* fio's defaults where it is silent */
	char *word[AXIS_COUNT]; /* text axes, and enum values that no axis has: as printed */
	struct strlist other;   /* "name=value", encoded as in a key, sorted: the rest of what
	                           may matter */
	bool time_based;        /* says so; a bare flag is not printed */
	bool no_latencies;      /* it was told to take none; as for the bare flag, that may be missing */
	bool said;              /* iosweep wrote the job: its description says the rest */
	bool native;            /* iosweep wrote the options in its own words, where fio has no such job */
	bool directory;         /* each job has a file of its own in the target */
	unsigned kb_base;       /* 1024, or 1000: what k stands for */
	bool interrupted;       /* so says a document that was imported before */
	uint64_t flags;         /* FLAG_BIT()s that iosweep's own document says */
	char *why;              /* their reasons, as in a run; NULL: it says none */
	/* What was configured, as iosweep said of its own job, where that has what came of it. */
	struct {
		bool said;
		uint64_t value; /* as in key_raw */
	} raw_size, raw_offset;
	char *exact[ROW_OPS + 1]; /* json_exact.h, of each op and, last, of the run (JSON_OWN_RUN); NULL:
	                             none */
};

/* global and job: objects of texts, or NULL; the job's win. */
void json_options_read(struct json_options *o, json_t *global, json_t *job);
/* When all is known of the job: what follows from other values, and one value for all that make no difference, as the
 * plan has them. */
void json_options_settle(struct json_options *o);
void json_options_fini(struct json_options *o);

/* One more of `other`, in its place. */
void json_options_other(struct json_options *o, const char *name, const char *value);
/* What was configured of size or offset, "": nothing. Other axes need none. */
void json_options_configured(struct json_options *o, const struct axis *a, const char *value);

#endif
