/* sink/xlsx.h: rows as a workbook, which opens the same in every locale. With libxlsxwriter
 * only. */
#ifndef SINK_XLSX_H
#define SINK_XLSX_H

#include <stdio.h>

#include "base/err.h"
#include "sink/store.h"

/* Two sheets: the rows, with a frozen header and filters, and what is known of the machine.
 * -ENOSYS: built without the library. */
int xlsx_write_rows(FILE *out, struct rows *rows, struct store *s, struct err *e);

#endif
