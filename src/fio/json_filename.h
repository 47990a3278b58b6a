/* fio/json_filename.h: fio prints one key for each file of a job with several: a parser keeps but
 * the last. */
#ifndef FIO_JSON_FILENAME_H
#define FIO_JSON_FILENAME_H

#include "fio/json_scan.h"

/* Put them all back, joined by ':' as on a command line of fio. */
void json_filename_join(struct json_document *doc);

#endif
