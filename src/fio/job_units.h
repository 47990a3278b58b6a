/* fio/job_units.h: numbers as fio reads them, written so that iosweep reads the same. */
#ifndef FIO_JOB_UNITS_H
#define FIO_JOB_UNITS_H

#include <stdbool.h>

#include "base/text.h"
#include "model/axis.h"

/* The value of an axis: in fio "kib", "mib" ... are powers of 1000 and "k", "kb" of 1024, or the
 * other way round with kb_base 1000; whole numbers take them too; what is hexadecimal takes none,
 * and as a time it is of microseconds; "msec" and "usec" are "ms" and "us". What differs from
 * iosweep's reading stands in `out` in digits, all else as it was. Returns how many numbers that
 * were, -ERANGE when one is too large. */
int fio_numbers(const struct axis *a, const char *value, unsigned kb_base, struct text *out);

/* Are there numbers in its values that the above is about? */
bool fio_has_numbers(const struct axis *a);

/* Does fio take only a part of this number? It stops at the first character that is no digit:
 * "1.5m" is 1. */
bool fio_cut_short(const char *value);

#endif
