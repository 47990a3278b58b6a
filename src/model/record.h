/* model/record.h: one execution of a combination, as sinks see it. */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include "model/axis.h"
#include "model/flag.h"
#include "model/imported.h"
#include "model/sample.h"
#include "model/world.h"

enum run_status { STATUS_RUNNING, STATUS_OK, STATUS_FAILED, STATUS_SKIPPED, STATUS_INTERRUPTED, STATUS_TIMEOUT, STATUS_COUNT };
enum purpose { PURPOSE_GRID, PURPOSE_PILOT, PURPOSE_SENTINEL, PURPOSE_CONFIRM, PURPOSE_ANCHOR, PURPOSE_FILL, PURPOSE_ROUND, PURPOSE_BASELINE, PURPOSE_SETTLE, PURPOSE_COUNT };

const char *status_name(uint64_t status);   /* NULL past the end */
const char *purpose_name(uint64_t purpose); /* NULL past the end */

#define KEY_BYTES 16

struct combination_key {
	uint8_t bytes[KEY_BYTES]; /* XXH3 128 of text, canonical byte order */
	char id[16];              /* "c" + 12 hex digits */
};

struct record {
	int64_t run_id;                    /* start order, from 1 */
	const struct job *job;             /* effective values */
	const struct combination_key *key;
	const char *key_text;              /* canonical text that was hashed */
	const char *label;                 /* "randread_4k_1_32" or the include entry's name */
	const struct target_info *target;  /* filename, device, fs */
	const char *member[TARGETS_MAX];   /* several targets at once: the filename of each, sample->targets of them */
	struct job_text text;              /* of its text axes */
	uint64_t repeat, attempt;          /* from 1 */
	enum purpose purpose;
	enum run_status status;
	bool skipped_by_machine;           /* counts for exit code 1 */
	bool given_up;                     /* skipped for what the runs before met: resume tries it again */
	int error_no;                      /* positive errno or 0 */
	const char *error;                 /* sentence, "" if none */
	uint64_t flags;                    /* FLAG_BIT()s */
	const char *why;                   /* a line "flag: sentence" for each of them; NULL or "": none */
	int64_t started_wall_ns;           /* window start; 0: never started */
	const struct sample *sample;       /* NULL: no numbers */
	const struct imported *imported;   /* numbers of another program instead; NULL: our own run */
};

#endif
