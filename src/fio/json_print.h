/* fio/json_print.h: JSON in the form in which fio prints it. */
#ifndef FIO_JSON_PRINT_H
#define FIO_JSON_PRINT_H

#include <jansson.h>

#include "base/text.h"

/* One key a line, with a blank on both sides of the colon; each number reads back as the same. */
void json_print(struct text *out, json_t *v);

#endif
