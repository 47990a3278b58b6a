/* plan/key.h: canonical text and hash of a combination. */
#ifndef PLAN_KEY_H
#define PLAN_KEY_H

#include "base/text.h"
#include "model/record.h"
#include "model/sweep.h"

/* Holds what a config can ask for: every text axis at its longest with every byte encoded, and all others. */
#define KEY_TEXT_MAX ((size_t)(5 * 3 * AXIS_TEXT_MAX + AXIS_COUNT * 96))

/* As configured: bytes, percent or AXIS_UNSET. */
struct key_raw {
	uint64_t size, offset;
};

/* "bs=4096 filename=/x ..." : sorted axis=value of the axes that differ from their default (filename, rw and
 * ioengine always), base units, size and offset as configured; separated by one space, values encoded.
 * Appended to out, whole however long it is. */
void key_text(const struct job *effective, const struct key_raw *raw, const struct job_text *text, struct text *out);

/* Append a value as it stands there: bytes below 0x21, '%' and '=' as '%' and two hex digits. */
void key_encode(struct text *out, const char *s);
/* The value of such a text, in place. What is encoded as none, and %00, stays as it is. */
void key_decode(char *s);

void key_hash(const char *text, struct combination_key *out);
/* All of its bytes as lower-case hex digits; buf is returned. */
char *key_hex(const struct combination_key *k, char buf[2 * KEY_BYTES + 1]);

#endif
