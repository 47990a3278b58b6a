/* fio/json_against.h: where the numbers of a job speak against the options that stand beside them. */
#ifndef FIO_JSON_AGAINST_H
#define FIO_JSON_AGAINST_H

#include <stdbool.h>

#include <jansson.h>

#include "fio/json_options.h"

/* o: as read, not settled; job: modern. */

/* Did it do more than its size, which only time_based lets it? The bare flag is not printed. Not of
 * several jobs in one. */
bool json_passed_its_size(const struct json_options *o, const json_t *job);
/* Did group_reporting sum jobs of different options? Those of the last one are printed. What shows
 * it goes to `why`. */
bool json_sums_unlike(const struct json_options *o, const json_t *job, struct text *why);
/* Did it end in its ramp? Then fio prints the numbers of the ramp. */
bool json_ended_in_ramp(const struct json_options *o, const json_t *job);

#endif
