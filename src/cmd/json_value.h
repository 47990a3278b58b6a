/* cmd/json_value.h: single values of the JSON documents that commands print. New references
 * throughout. */
#ifndef CMD_JSON_VALUE_H
#define CMD_JSON_VALUE_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

json_t *
json_value_real(double v); /* null for what is not finite; whole numbers without a point */
json_t *json_value_count(uint64_t v); /* a real when it is above 2^63 - 1 */
json_t *
json_value_text(const char *s); /* names may hold any byte, JSON may not: U+FFFD for those */

/* One line. 0 or -errno. */
int json_value_write(FILE *out, const json_t *doc);

#endif
