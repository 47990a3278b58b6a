/* fio/json_series.h: documents that fio printed while it ran (--status-interval, SIGUSR1): each holds
 * all since the start, so that the last one holds the run. */
#ifndef FIO_JSON_SERIES_H
#define FIO_JSON_SERIES_H

#include <stdbool.h>

#include <jansson.h>

/* Is the later document of the very run that printed the earlier one? It has the same jobs with the
 * same options, and one of them was at work when the earlier one was printed, by its own runtime and
 * the times that stand in both; or its numbers are the same to the last digit. */
bool json_series_goes_on(const json_t *earlier, const json_t *later);

#endif
