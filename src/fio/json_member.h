/* fio/json_member.h: members of an object, from values and from columns of a row. */
#ifndef FIO_JSON_MEMBER_H
#define FIO_JSON_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "model/metrics.h"
#include "sink/store.h"

void member_set(json_t *o, const char *key, json_t *v); /* takes v */
void member_count(json_t *o, const char *key, int64_t v);
void member_real(json_t *o, const char *key, double v); /* 0 for what is no number */
void member_text(json_t *o, const char *key, const char *s);
/* What the row has in this scope, exactly: as one text, under a key of iosweep's own. */
void member_exact(json_t *options, const struct rows *r, enum metric_scope scope,
                  const char *of);

#endif
