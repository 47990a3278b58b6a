/* fio/json_modern.h: a job as any fio since 2.0 prints it, in the keys and units of today. */
#ifndef FIO_JSON_MODERN_H
#define FIO_JSON_MODERN_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

/* The objects of a job that hold the numbers of one direction each. */
#define JSON_DIRECTIONS 4
extern const char *const json_direction[JSON_DIRECTIONS]; /* "read" "write" "trim" "mixed" */

/* Change a job in place: bytes instead of KiB, `lat_ns` instead of `lat` in microseconds,
 * `bw_bytes` also where it was not printed, no percentiles that stand for none. */
void json_modern(json_t *job);

/* The largest of the numbers under this key in all directions of a job; 0: there is none. */
uint64_t json_largest(const json_t *job, const char *key);
/* Is there a latency, also in the keys of old versions? fio counts I/Os in the ramp, but takes no
 * latencies. */
bool json_has_latencies(const json_t *job);

#endif
