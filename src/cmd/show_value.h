/* cmd/show_value.h: texts of a row, and numbers in the form that fio's users read.
 * What prints into a buffer returns it. */
#ifndef CMD_SHOW_VALUE_H
#define CMD_SHOW_VALUE_H

#include "sink/store.h"

/* For a terminal: names and errors come from outside. */
const char *show_text(const struct rows *r, const char *name, char *buf, size_t size);

const char *show_count(double v, char *buf, size_t size); /* "983", "12.3k", "1.05M" */
const char *show_us(double v, char *buf, size_t size);    /* below 10 down to the ns */
/* "39.1MiB", "41.0MB": units of 1024 or 1000; as fio has it, "3456MiB" is not yet GiB. */
const char *show_amount(double bytes, double unit, char *buf, size_t size);

#endif
