/* fio/json_log.h: the intervals of a run as logs of fio. */
#ifndef FIO_JSON_LOG_H
#define FIO_JSON_LOG_H

#include "base/err.h"
#include "base/text.h"
#include "sink/store.h"

/* Lines of a log of fio: "ms, value, direction, block size, priority", a line for each second. */
enum json_log { JSON_LOG_BW, JSON_LOG_IOPS, JSON_LOG_LAT, JSON_LOGS };
const char *json_log_name(unsigned log); /* "bw" "iops" "lat"; NULL past the end */
int json_log_write(struct text *out, struct store *s, int64_t run, enum json_log log,
                    struct err *e);

#endif
