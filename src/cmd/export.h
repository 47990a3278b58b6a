/* cmd/export.h: the forms that rows and runs can be had in. */
#ifndef CMD_EXPORT_H
#define CMD_EXPORT_H

#include <stdint.h>

/* NULL past the last. */
const char *export_format_name(uint64_t i);

#endif
