/* fio/json_member.h: members of an object. */
#ifndef FIO_JSON_MEMBER_H
#define FIO_JSON_MEMBER_H

#include <stdint.h>

#include <jansson.h>

void member_set(json_t *o, const char *key, json_t *v); /* takes v */
void member_count(json_t *o, const char *key, int64_t v);
void member_real(json_t *o, const char *key, double v); /* 0 for what is no number */
void member_text(json_t *o, const char *key, const char *s);

#endif
