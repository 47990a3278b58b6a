/* cmd/best_json.h: the answers of best_find() as one JSON document. */
#ifndef CMD_BEST_JSON_H
#define CMD_BEST_JSON_H

#include <stdio.h>

#include "cmd/best_load.h"

/* 0 or -errno. */
int best_json(FILE *out, const struct best_data *d, const struct best_group *g, size_t n);

#endif
