/* fio/json_member.h: columns of a row by name, and members of an object from them. */
#ifndef FIO_JSON_MEMBER_H
#define FIO_JSON_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "model/metrics.h"
#include "sink/store.h"

/* 0 and "" where there is none, or it is NULL. */
bool column_there(const struct rows *r, const char *name);
double column_real(const struct rows *r, const char *name);
int64_t column_integer(const struct rows *r, const char *name);
const char *column_text(const struct rows *r,
                        const char *name); /* of the row, until the next */

void member_set(json_t *o, const char *key, json_t *v); /* takes v */
void member_count(json_t *o, const char *key, int64_t v);
void member_real(json_t *o, const char *key, double v); /* 0 for what is no number */
void member_text(json_t *o, const char *key, const char *s);
/* What the row has in this scope, exactly: as one text, under a key of iosweep's own. */
void member_exact(json_t *options, const struct rows *r, enum metric_scope scope,
                  const char *of);

#endif
