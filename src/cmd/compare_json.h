/* cmd/compare_json.h: a comparison as one JSON document. */
#ifndef CMD_COMPARE_JSON_H
#define CMD_COMPARE_JSON_H

#include <stdio.h>

#include "cmd/compare_words.h"

/* 0 or -errno. */
int compare_json(FILE *out, const struct compared *c);

#endif
