/* base/moment.h: a point of the wall clock as people write it. Nanoseconds since 1970. */
#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include <stdint.h>

#include "base/err.h"

/* Parse "07:00" or "7:00:30": the next time the clock on the wall shows that, after now; on the
 * day when the clocks go forward over it, the moment they do. Or in full "2026-12-01T07:00",
 * "2026-12-01 07:00:00", with "Z" or "+01:00" behind it or else local; it has to lie after now.
 * -EINVAL with the sentence. */
int moment_parse(const char *text, int64_t now_ns, int64_t *out_ns, struct err *e);

#endif
