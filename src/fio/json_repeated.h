/* fio/json_repeated.h: keys that stand twice in one object: a parser keeps but the last. */
#ifndef FIO_JSON_REPEATED_H
#define FIO_JSON_REPEATED_H

#include <stddef.h>

#include "base/text.h"

/* Append those of a document that can be read, as they are written there, each once; but none that fio
 * itself writes twice. */
void json_repeated(struct strlist *keys, const char *text, size_t size);

#endif
