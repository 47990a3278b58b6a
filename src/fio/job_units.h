/* fio/job_units.h: numbers as fio reads them, written so that iosweep reads the same. */
#ifndef FIO_JOB_UNITS_H
#define FIO_JOB_UNITS_H

#include "base/text.h"

/* Sizes anywhere in `value`: in fio "kib", "mib" ... are powers of 1000 and "k", "kb" of 1024,
 * or the other way round with kb_base 1000. What differs from iosweep's reading stands in `out`
 * in whole bytes, all else as it was. Returns how many numbers were rewritten, -ERANGE when one
 * is too large. */
int fio_sizes(const char *value, unsigned kb_base, struct text *out);

/* A time: "msec" and "usec" are "ms" and "us". */
void fio_time(const char *value, struct text *out);

/* Does fio take only a part of this number? It stops at the first character that is no digit:
 * "1.5m" is 1. */
bool fio_cut_short(const char *value);

#endif
